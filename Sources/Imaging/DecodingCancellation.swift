internal import CImageCodecs

/// Lets a picture be given up while it is decoded: one of 400 megapixels takes seconds.
package enum DecodingCancellation {
  /// Runs `body`, in which JPEG and PNG pictures that this thread decodes end with the code `cancelled`
  /// once `isCancelled` says so; it is asked about once a millisecond.
  package static func withCheck<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    let check = Check(isCancelled)
    cic_set_stop_check(askCheck, Unmanaged.passUnretained(check).toOpaque())
    defer {
      cic_set_stop_check(nil, nil)
      withExtendedLifetime(check) {}
    }
    return try body()
  }

  fileprivate final class Check {
    let isCancelled: () -> Bool
    init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
  }
}

// At file scope and without captures: C calls it from whichever thread decodes.
private func askCheck(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  let check = Unmanaged<DecodingCancellation.Check>.fromOpaque(context).takeUnretainedValue()
  return check.isCancelled() ? 1 : 0
}
