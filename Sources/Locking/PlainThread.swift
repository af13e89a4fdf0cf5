import Glibc

/// A thread of its own, for a wait that blocks or a share of a long calculation.
///
/// A plain POSIX thread: a queue's threads are not to be kept by a wait, and its start and its joining
/// are orderings that the thread sanitizer sees. Starting one costs about 20 µs.
package struct PlainThread: Sendable {
  private let id: pthread_t

  /// No thread is to be had.
  package struct Unavailable: Error, Sendable, Hashable {
    /// The error number of pthread_create(3).
    package var errno: Int32
  }

  /// Starts a thread that ends with `body`; `join` it, or `detach` it.
  package init(_ body: @escaping @Sendable () -> Void) throws(Unavailable) {
    let argument = Unmanaged.passRetained(Body(body))
    var id = pthread_t()
    let status = pthread_create(&id, nil, plainThreadMain, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      throw Unavailable(errno: status)
    }
    self.id = id
  }

  /// Waits until the thread has ended; once only.
  package func join() { pthread_join(id, nil) }

  /// Lets the thread end by itself; instead of joining it.
  package func detach() { pthread_detach(id) }

  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

// At file scope and without captures: C calls it from a thread that Swift does not know.
private func plainThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<PlainThread.Body>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
