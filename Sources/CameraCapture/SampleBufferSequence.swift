internal import Locking

/// An output's frames as a sequence, which ends when the session stops and throws when it fails.
///
/// Each iterator is a consumer of its own, with its own queue of frames as the output's
/// `alwaysDiscardsLateVideoFrames` says; it gets frames from its first `next` on. One made while the
/// session stands still waits for its start.
public struct SampleBufferSequence: AsyncSequence, Sendable {
  /// A frame.
  public typealias Element = SampleBuffer
  /// Why the session ended before it was stopped.
  public typealias Failure = CaptureError

  let output: CaptureVideoDataOutput

  /// Begins to take frames.
  public func makeAsyncIterator() -> Iterator { Iterator(SequenceConsumer(output)) }

  /// Takes frames one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let consumer: SequenceConsumer

    init(_ consumer: SequenceConsumer) { self.consumer = consumer }

    /// The next frame; nil after the session was stopped, or where the task is cancelled.
    public mutating func next() async throws(CaptureError) -> SampleBuffer? {
      try await consumer.next()
    }

    /// The next frame; nil after the session was stopped, or where the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CaptureError) -> SampleBuffer? {
      try await consumer.next()
    }
  }
}

/// One iterator's end of a queue of frames.
final class SequenceConsumer: Sendable {
  /// A task that waits, or a notice that came before anyone waited.
  private enum Waiter: Sendable {
    case nobody
    case noticed
    case waiting(CheckedContinuation<Void, Never>)
    case cancelled
  }

  private final class Bell: Sendable {
    private let waiter = Lock(Waiter.nobody)

    /// Ends the wait, or the next one.
    func ring() {
      let continuation: CheckedContinuation<Void, Never>? = waiter.withLock { waiter in
        switch waiter {
        case .waiting(let continuation):
          waiter = .nobody
          return continuation
        case .nobody, .noticed:
          waiter = .noticed
          return nil
        case .cancelled:
          return nil
        }
      }
      continuation?.resume()
    }

    /// Ends this wait and all that follow.
    func cancel() {
      let continuation: CheckedContinuation<Void, Never>? = waiter.withLock { waiter in
        defer { waiter = .cancelled }
        if case .waiting(let continuation) = waiter { return continuation }
        return nil
      }
      continuation?.resume()
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let goesOn = waiter.withLock { waiter in
          switch waiter {
          case .nobody, .waiting:
            waiter = .waiting(continuation)
            return false
          case .noticed:
            waiter = .nobody
            return true
          case .cancelled:
            return true
          }
        }
        if goesOn { continuation.resume() }
      }
    }

    var isCancelled: Bool {
      waiter.withLock { if case .cancelled = $0 { true } else { false } }
    }
  }

  private let bell: Bell
  private let frames: FrameQueue
  private let output: CaptureVideoDataOutput

  init(_ output: CaptureVideoDataOutput) {
    let bell = Bell()
    self.bell = bell
    self.output = output
    frames = FrameQueue { bell.ring() }
    output.add(frames)
  }

  deinit { output.remove(frames) }

  func next() async throws(CaptureError) -> SampleBuffer? {
    let result = await withTaskCancellationHandler {
      await take()
    } onCancel: {
      bell.cancel()
    }
    return try result.get()
  }

  private func take() async -> Result<SampleBuffer?, CaptureError> {
    while !bell.isCancelled {
      switch frames.take() {
      case .frame(let frame):
        if output.accept(frame, of: frames) { return .success(frame) }
      case .dropped: continue
      case .end(let error?): return .failure(error)
      case .end(nil): return .success(nil)
      case nil: await bell.wait()
      }
    }
    return .success(nil)
  }
}
