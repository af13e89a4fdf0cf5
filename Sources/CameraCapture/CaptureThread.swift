internal import Glibc
internal import Locking

/// A thread of its own for a wait that blocks: a queue's threads are not to be kept by it.
enum CaptureThread {
  /// Starts a thread that ends with `body`.
  static func start(_ body: @escaping @Sendable () -> Void) throws(CaptureError) {
    do throws(PlainThread.Unavailable) {
      try PlainThread(body).detach()
    } catch {
      throw CaptureError(
        code: .system, subject: "capture thread",
        message: "cannot be started: \(String(cString: strerror(error.errno)))")
    }
  }
}
