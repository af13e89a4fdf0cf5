import Frames
import Glibc
import Locking

/// Draws frames from a source as they come, on a thread of its own.
///
/// A plain POSIX thread, joined by `finish`: the blocking wait for a camera must hold up nothing else,
/// and start and end are orderings that the thread sanitizer sees.
final class CaptureThread: Sendable {
  let mailbox = FrameMailbox()
  // Held by the thread while it asks for a frame, and by nobody else before it has ended.
  private let source: Lock<any FrameSource>
  private let thread = Lock<pthread_t?>(nil)
  private let clock: @Sendable () -> UInt64

  init(_ source: sending any FrameSource, clock: @escaping @Sendable () -> UInt64) {
    self.source = Lock(source)
    self.clock = clock
  }

  /// Starts the thread; false where the system has none left.
  func start() -> Bool {
    var id = pthread_t()
    let argument = Unmanaged.passRetained(self)
    let status = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<CaptureThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return false
    }
    let started = id
    thread.withLock { $0 = started }
    return true
  }

  /// Ends the thread after the frame that it waits for, and gives the source back.
  ///
  /// Takes as long as the source's `next` may wait at the most after `wake`.
  func finish(_ wake: () -> Void) -> any FrameSource {
    mailbox.stop()
    wake()
    if let id = thread.withLock({ $0 }) { pthread_join(id, nil) }
    return source.withLock { $0 }
  }

  private func run() {
    var returned: UInt64?
    while !mailbox.isStopped {
      let absence = returned.map { clock() &- $0 } ?? 0
      do {
        guard let frame = try source.withLock({ try $0.next() }) else { return mailbox.end(nil) }
        returned = clock()
        mailbox.put(frame, absenceNanoseconds: absence)
      } catch {
        return mailbox.end(error)
      }
    }
  }
}
