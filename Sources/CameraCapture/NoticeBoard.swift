internal import Dispatch
internal import Locking

/// Passes a session's notices on, never on the thread that posts them.
final class NoticeBoard: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (CaptureNotice) -> Void)?
    var queue: DispatchQueue?
    var streams: [UInt64: AsyncStream<CaptureNotice>.Continuation] = [:]
    var nextStream: UInt64 = 0
  }

  private let state = Lock(State())

  deinit {
    for stream in state.withLock({ $0.streams.values.map { $0 } }) { stream.finish() }
  }

  func post(_ notice: CaptureNotice) {
    let (handler, queue, streams) = state.withLock {
      ($0.handler, $0.queue, $0.streams.values.map { $0 })
    }
    for stream in streams { stream.yield(notice) }
    if let handler, let queue { queue.async { handler(notice) } }
  }

  func setHandler(_ handler: (@Sendable (CaptureNotice) -> Void)?, queue: DispatchQueue) {
    state.withLock { state in
      state.handler = handler
      state.queue = queue
    }
  }

  func stream() -> AsyncStream<CaptureNotice> {
    // A reader that has stopped reading must not pile them up.
    let (stream, continuation) = AsyncStream.makeStream(
      of: CaptureNotice.self, bufferingPolicy: .bufferingNewest(64))
    let number = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.streams[number] = nil }
    }
    return stream
  }
}
