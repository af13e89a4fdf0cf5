internal import Dispatch
internal import Locking

/// Who is told of an output's frames.
///
/// All calls come on the queue that was given to `setSampleBufferDelegate`, one after the other, and
/// the library touches the delegate nowhere else. What it shares with other threads is its own to
/// guard, as on iOS.
public protocol CaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  /// A frame has come.
  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)
  /// Frames will not come; does nothing where it is not implemented.
  func captureOutput(
    _ output: CaptureOutput, didDrop frames: DroppedFrames, from connection: CaptureConnection)
}

extension CaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDrop frames: DroppedFrames, from connection: CaptureConnection
  ) {}
}

/// The only kind of output that there is.
public typealias CaptureOutput = CaptureVideoDataOutput

/// Calls a delegate on its queue, one frame a turn, so that other work of the queue gets its turn, too.
final class DelegateDelivery: Sendable {
  /// A delegate and the output it belongs to.
  private final class Target: @unchecked Sendable {
    // Sendable: the references are set once, and the delegate is called on `queue` only, which runs
    // one turn at a time (the next is enqueued at the end of the one before).
    weak var delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?
    weak var output: CaptureVideoDataOutput?
    init(
      _ delegate: any CaptureVideoDataOutputSampleBufferDelegate, _ output: CaptureVideoDataOutput
    ) {
      self.delegate = delegate
      self.output = output
    }
  }

  private let target: Target
  private let queue: DispatchQueue
  private let link: Link
  let frames: FrameQueue

  /// Lets the queue's notice reach the delivery without keeping it.
  private final class Link: Sendable {
    let delivery = Lock<Weak?>(nil)
    struct Weak: Sendable { weak var value: DelegateDelivery? }
  }

  init(
    _ delegate: any CaptureVideoDataOutputSampleBufferDelegate, queue: DispatchQueue,
    output: CaptureVideoDataOutput
  ) {
    target = Target(delegate, output)
    self.queue = queue
    let link = Link()
    self.link = link
    frames = FrameQueue { link.delivery.withLock { $0?.value }?.enqueueTurn() }
    link.delivery.withLock { $0 = Link.Weak(value: self) }
  }

  private func enqueueTurn() { queue.async { self.takeTurn() } }

  private func takeTurn() {
    while true {
      switch frames.take() {
      case nil, .end:
        return
      case .dropped(let dropped):
        if let (delegate, output, connection) = parties() {
          delegate.captureOutput(output, didDrop: dropped, from: connection)
        }
      case .frame(let frame):
        if let (delegate, output, connection) = parties(), output.accept(frame, of: frames) {
          delegate.captureOutput(output, didOutput: frame, from: connection)
        }
        if frames.hasMore() { enqueueTurn() }
        return
      }
    }
  }

  private func parties() -> (
    any CaptureVideoDataOutputSampleBufferDelegate, CaptureVideoDataOutput, CaptureConnection
  )? {
    guard let delegate = target.delegate, let output = target.output,
      let connection = output.connections.first
    else { return nil }
    return (delegate, output, connection)
  }
}
