internal import Glibc

/// A thread of its own for a wait that blocks: a queue's threads are not to be kept by it.
enum CaptureThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that ends with `body`.
  static func start(_ body: @escaping @Sendable () -> Void) throws(CaptureError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, captureThreadMain, context.toOpaque())
    guard status == 0 else {
      context.release()
      throw CaptureError(
        code: .system, subject: "capture thread",
        message: "cannot be started: \(String(cString: strerror(status)))")
    }
  }

  fileprivate static func run(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
}

// At file scope and without captures: C calls it from a thread that Swift does not know.
private func captureThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  CaptureThread.run(context)
  return nil
}
