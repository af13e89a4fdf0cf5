import Frames
import Locking

/// Draws frames from a source as they come, on a thread of its own.
///
/// Joined by `finish`: the blocking wait for a camera must hold up nothing else.
final class CaptureThread: Sendable {
  let mailbox = FrameMailbox()
  // Held by the thread while it asks for a frame, and by nobody else before it has ended.
  private let source: Lock<any FrameSource>
  private let thread = Lock<PlainThread?>(nil)
  private let clock: @Sendable () -> UInt64

  init(_ source: sending any FrameSource, clock: @escaping @Sendable () -> UInt64) {
    self.source = Lock(source)
    self.clock = clock
  }

  /// Starts the thread; false where the system has none left.
  func start() -> Bool {
    guard let started = try? PlainThread({ self.run() }) else { return false }
    thread.withLock { $0 = started }
    return true
  }

  /// Ends the thread after the frame that it waits for, and gives the source back.
  ///
  /// Takes as long as the source's `next` may wait at the most after `wake`.
  func finish(_ wake: () -> Void) -> any FrameSource {
    mailbox.stop()
    wake()
    thread.withLock { $0 }?.join()
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
