internal import CV4L2
internal import Glibc

/// A descriptor that another thread makes readable to end a wait.
final class WakeUp: Sendable {
  let descriptor: Int32

  init(subject: String) throws(V4L2Error) {
    descriptor = cv4l2_make_event()
    guard descriptor >= 0 else { throw V4L2Error(-descriptor, during: .wait, of: subject) }
  }

  deinit { _ = cv4l2_close(descriptor) }

  /// Ends the present wait, or the next one where there is none.
  func signal() { _ = cv4l2_signal_event(descriptor) }

  /// Forgets what was signalled.
  func clear() { _ = cv4l2_clear_event(descriptor) }
}
