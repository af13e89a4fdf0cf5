internal import Glibc
internal import Locking

/// A session from start to stop: one thread that takes frames and hands them on.
///
/// It keeps no reference to the session, so that letting go of the session ends it.
final class CaptureRun: Sendable {
  private struct Control: Sendable {
    var isStopRequested = false
    var isInterrupted = false
    var hasEnded = false
    var endError: CaptureError?
    /// Whether the capture thread waits for a consumer to take a frame.
    var awaitsRoom = false
    var thread: pthread_t?
    var stream: (any FrameStream)?
    var format: CaptureDevice.Format?
    /// What the thread begins with; handed over here, as a closure would keep it to the thread's end.
    var pending: LiveStream?
  }

  private let plan: CapturePlan
  private let board: NoticeBoard
  private let control = WaitableLock(Control())

  /// Starts the camera, and the thread.
  init(_ plan: CapturePlan, board: NoticeBoard) throws(CaptureError) {
    self.plan = plan
    self.board = board
    guard plan.device.claim() else {
      throw CaptureError(
        code: .busy, subject: plan.device.path,
        message:
          "another session of this program takes frames from it: stop that one, or use its frames")
    }
    var live: LiveStream?
    do {
      let started = try LiveStream.start(plan, format: nil)
      live = started
      adopt(started)
      let control = control
      for output in plan.outputs {
        output.begin { control.withLock { $0.awaitsRoom ? $0.stream : nil }?.wake() }
      }
      control.withLock { $0.pending = started }
      try CaptureThread.start { self.run() }
    } catch {
      control.withLock { $0.pending = nil }
      live?.stream.stop()
      for output in plan.outputs { output.end(error) }
      // Its file may be another camera's when the next start opens it.
      if error.code == .unplugged { plan.device.forgetNode() }
      plan.device.unclaim()
      throw error
    }
  }

  var isRunning: Bool { control.withLock { !$0.hasEnded } }
  var isInterrupted: Bool { control.withLock { $0.isInterrupted } }
  var endError: CaptureError? { control.withLock { $0.endError } }
  var activeFormat: CaptureDevice.Format? { control.withLock { $0.format } }

  /// Asks the thread to end, and does not wait for it.
  func requestStop() {
    control.change { control in
      control.isStopRequested = true
      return control.stream
    }?.wake()
  }

  /// Ends the thread and waits for it; at most for ten seconds, should a driver not return.
  func stop() {
    requestStop()
    // The last reference to something of the app's may have gone on the capture thread.
    if control.withLock({ $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }) {
      return
    }
    _ = control.wait(milliseconds: 10_000) { $0.hasEnded ? true : nil }
  }

  private func adopt(_ live: LiveStream) {
    control.change { control in
      control.stream = live.stream
      control.format = live.format
      control.isInterrupted = false
    }
  }

  // MARK: The capture thread

  private func run() {
    control.withLock { $0.thread = pthread_self() }
    var live = control.withLock { $0.pending.take() }
    var failure: CaptureError?
    while live != nil {
      do {
        guard let (format, unplugged) = try streamToEnd(&live) else { break }
        live = try waitForReplug(after: unplugged, format: format)
      } catch {
        failure = error
        break
      }
    }
    end(failure)
  }

  /// Hands a stream's frames on until the session is to stop, or the camera is unplugged and is to be
  /// waited for: then gives its format and the error.
  ///
  /// The stream is gone when this returns: some drivers let a camera come back only when nobody has its
  /// old device open.
  private func streamToEnd(
    _ stream: inout LiveStream?
  ) throws(CaptureError) -> (CaptureDevice.Format, CaptureError)? {
    guard var live = stream.take() else { return nil }
    tellOfIntrinsics(live)
    do {
      try pump(&live)
      live.stream.stop()
      return nil
    } catch {
      live.stream.stop()
      control.withLock { $0.stream = nil }
      plan.device.forgetNode()
      guard error.code == .unplugged, plan.resumesAfterReplug else { throw error }
      return (live.format, error)
    }
  }

  private func end(_ failure: CaptureError?) {
    control.withLock { control in
      control.stream = nil
      control.endError = failure
    }
    for output in plan.outputs { output.end(failure) }
    plan.device.unclaim()
    if let failure {
      board.post(CaptureNotice(kind: .runtimeError, message: "\(failure)", error: failure))
    }
    control.change { control in
      control.isInterrupted = false
      control.hasEnded = true
    }
  }

  /// Hands frames on until the session is to stop.
  private func pump(_ live: inout LiveStream) throws(CaptureError) {
    while true {
      if control.withLock({ $0.isStopRequested }) { return }
      let event: StreamEvent
      if live.hasRoom {
        event = try live.stream.next(timeoutMilliseconds: 500)
      } else {
        // The camera may be unplugged meanwhile, which is told at once.
        control.withLock { $0.awaitsRoom = true }
        defer { control.withLock { $0.awaitsRoom = false } }
        // A frame that was taken right before has woken nobody.
        if live.hasRoom { continue }
        event = try live.stream.watch(timeoutMilliseconds: 500)
      }
      switch event {
      case .frame(let lease, let missed): live.deliver(lease, missedBefore: missed)
      case .controls(let changes): if live.take(changes) { tellOfIntrinsics(live, isChange: true) }
      case .nothing: break
      }
    }
  }

  private func tellOfIntrinsics(_ live: LiveStream, isChange: Bool = false) {
    for case let reason? in live.lanes.map(\.absence) where !isChange {
      board.post(CaptureNotice(kind: .intrinsicsAbsent, message: reason))
    }
    guard live.hasAttachment else { return }
    if let obstacle = live.obstacle {
      board.post(CaptureNotice(kind: .intrinsicsAbsent, message: obstacle))
    } else if isChange {
      board.post(
        CaptureNotice(
          kind: .intrinsicsRestored,
          message: "the lens stands as it stood when the camera was calibrated"))
    } else if live.isLensUnknown {
      board.post(
        CaptureNotice(
          kind: .lensControlsUnknown,
          message:
            "the calibration does not say how focus and zoom stood: if they have moved since, "
            + "the numbers do not hold; `calibrate` with the live camera notes them"))
    }
  }

  /// Waits for the camera that was unplugged; nil where the session was stopped meanwhile.
  private func waitForReplug(
    after error: CaptureError, format: CaptureDevice.Format
  ) throws(CaptureError) -> LiveStream? {
    control.change { $0.isInterrupted = true }
    board.post(CaptureNotice(kind: .wasInterrupted, message: "\(error)", error: error))
    // What a camera answers in the first moments, while udev still sets its permissions and it loads
    // its firmware, is not the last word.
    var patience = 25
    while true {
      let isStopped = control.wait(milliseconds: 200) { $0.isStopRequested ? true : nil }
      if isStopped != nil { return nil }
      do {
        guard try plan.device.findAgain() else { continue }
        let live = try LiveStream.start(plan, format: format)
        adopt(live)
        board.post(
          CaptureNotice(
            kind: .interruptionEnded, message: "\(plan.device.path): the camera is back"))
        return live
      } catch {
        plan.device.forgetNode()
        patience -= 1
        if patience == 0 { throw error }
      }
    }
  }
}
