internal import CameraModel
internal import Imaging
internal import V4L2

/// The format, size and rate in which a camera is measured.
struct LiveMode: Sendable, Hashable {
  var pixelFormat: NativePixelFormat
  var resolution: Resolution
  /// Nil where the driver names none.
  var frameInterval: FrameInterval?

  private static let briskRate = Double(CaptureRate.brisk)
  private static let usualRate = Double(CaptureRate.usual)

  /// Chooses among what a camera offers.
  ///
  /// - Throws: `V4L2Error` with the code `formatUnavailable` that names what there is.
  init(
    among offers: [OfferedFormat], options: LiveCamera.Options, subject: String
  ) throws(V4L2Error) {
    let readable = offers.filter(\.pixelFormat.isSupported)
    let wanted = readable.filter {
      options.pixelFormat == nil || $0.pixelFormat == options.pixelFormat
    }
    let modes = wanted.flatMap { format in
      format.sizes.compactMap { size -> LiveMode? in
        if let resolution = options.resolution, !size.contains(resolution) { return nil }
        return LiveMode(
          format.pixelFormat, options.resolution ?? size.maximum, size,
          rate: options.framesPerSecond ?? Self.usualRate)
      }
    }
    guard let best = modes.max(by: { Self.rank($0, options) < Self.rank($1, options) }) else {
      throw Self.unavailable(options, offers, subject)
    }
    self = best
  }

  /// The mode at the offered interval that comes nearest to a rate.
  private init(
    _ format: NativePixelFormat, _ resolution: Resolution, _ size: OfferedSize, rate: Double
  ) {
    pixelFormat = format
    self.resolution = resolution
    if size.isIntervalRange, let first = size.intervals.first, let last = size.intervals.last,
      (1 / rate) > first.seconds, (1 / rate) < last.seconds
    {
      frameInterval = FrameInterval(numerator: 1000, denominator: UInt32((rate * 1000).rounded()))
      return
    }
    frameInterval = size.intervals.min {
      abs($0.framesPerSecond - rate) < abs($1.framesPerSecond - rate)
    }
  }

  /// Larger is better: first fast enough, then size, then rate, then what the format loses.
  private static func rank(_ mode: LiveMode, _ options: LiveCamera.Options) -> (Int, Int, Int, Int)
  {
    let rate = mode.frameInterval?.framesPerSecond ?? usualRate
    let needed = options.framesPerSecond ?? briskRate
    let isBrisk = options.resolution != nil || rate >= 0.99 * min(needed, briskRate)
    let area = mode.resolution.width * mode.resolution.height
    // Rates above the one that is asked for gain nothing.
    let useful = min(rate, options.framesPerSecond ?? usualRate)
    let order = NativePixelFormat.supported.firstIndex(of: mode.pixelFormat) ?? 99
    return (isBrisk ? 1 : 0, area, Int((useful * 2).rounded()), -order)
  }

  private static func unavailable(
    _ options: LiveCamera.Options, _ offers: [OfferedFormat], _ subject: String
  ) -> V4L2Error {
    let wish = [options.pixelFormat.map { "\($0)" }, options.resolution.map { "\($0)" }]
      .compactMap { $0 }.joined(separator: " ")
    let list = offers.map { format in
      "\(format.pixelFormat) " + format.sizes.map(\.description).joined(separator: ", ")
    }.joined(separator: "; ")
    return V4L2Error(
      code: .formatUnavailable, subject: subject,
      message: (wish.isEmpty
        ? "the camera offers no format that can be read" : "the camera does not offer \(wish)")
        + "; it offers " + (list.isEmpty ? "nothing" : list)
        + ": choose one with --size and --format")
  }
}
