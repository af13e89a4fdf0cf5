package import CameraModel
package import Imaging

/// The time between two frames in seconds, as a fraction.
package struct FrameInterval: Sendable, Hashable {
  package var numerator: UInt32
  package var denominator: UInt32

  /// Creates an interval of `numerator`/`denominator` seconds.
  package init(numerator: UInt32, denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Seconds; 0 where the fraction has no denominator.
  package var seconds: Double {
    denominator == 0 ? 0 : Double(numerator) / Double(denominator)
  }

  /// Frames a second; 0 where the fraction has no numerator.
  package var framesPerSecond: Double {
    numerator == 0 ? 0 : Double(denominator) / Double(numerator)
  }
}

extension FrameInterval: Comparable, CustomStringConvertible {
  /// Shorter comes first.
  package static func < (a: FrameInterval, b: FrameInterval) -> Bool {
    UInt64(a.numerator) * UInt64(b.denominator) < UInt64(b.numerator) * UInt64(a.denominator)
  }

  /// Frames a second, as people say it: `30 fps`, `7.5 fps`.
  package var description: String {
    let hundredths = (framesPerSecond * 100).rounded()
    let (whole, rest) = (Int(hundredths) / 100, Int(hundredths) % 100)
    let fraction =
      rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return "\(whole)\(fraction) fps"
  }
}

/// What a camera delivers after it has been set up.
package struct VideoFormat: Sendable, Hashable {
  /// How the pixels are laid out.
  package var pixelFormat: NativePixelFormat
  /// The size of the frames.
  package var resolution: Resolution
  /// The distance of two rows in bytes; of the first plane, where there are several; 0 if compressed.
  package var bytesPerRow: Int
  /// The most bytes that a frame has.
  package var sizeImage: Int
  /// The time between two frames; nil where the driver does not say.
  package var frameInterval: FrameInterval?
  /// Which values Y, Cb and Cr take.
  package var range: YCbCrRange
  /// By which standard they are meant.
  package var matrix: YCbCrMatrix

  /// Creates a format.
  package init(
    pixelFormat: NativePixelFormat, resolution: Resolution, bytesPerRow: Int, sizeImage: Int,
    frameInterval: FrameInterval? = nil, range: YCbCrRange = .limited,
    matrix: YCbCrMatrix = .bt601
  ) {
    self.pixelFormat = pixelFormat
    self.resolution = resolution
    self.bytesPerRow = bytesPerRow
    self.sizeImage = sizeImage
    self.frameInterval = frameInterval
    self.range = range
    self.matrix = matrix
  }

  /// How the bytes of a frame make an image.
  ///
  /// - Throws: `ImagingError` for a pixel format that is not converted here.
  package func frameLayout() throws(ImagingError) -> FrameLayout {
    try FrameLayout(
      format: pixelFormat, resolution: resolution, bytesPerRow: bytesPerRow, range: range,
      matrix: matrix)
  }

  /// The fewest bytes of a whole frame; nil where that varies or the format is not known here.
  package var completeByteCount: Int? {
    pixelFormat.isCompressed ? nil : (try? frameLayout())?.minimumByteCount
  }
}

extension VideoFormat: CustomStringConvertible {
  /// `YUYV 640x480 at 30 fps`.
  package var description: String {
    "\(pixelFormat) \(resolution)" + (frameInterval.map { " at \($0)" } ?? "")
  }
}

/// A format that a camera offers, with its sizes.
package struct OfferedFormat: Sendable, Hashable {
  /// How the pixels are laid out.
  package var pixelFormat: NativePixelFormat
  /// The driver's words for it.
  package var name: String
  /// Whether libv4l would convert it from another one.
  package var isEmulated: Bool
  /// The sizes, in the driver's order.
  package var sizes: [OfferedSize]
}

/// A size or a range of sizes that a camera offers, with the frame intervals at it.
package struct OfferedSize: Sendable, Hashable {
  /// The smallest; the only one, where it equals `maximum`.
  package var minimum: Resolution
  /// The largest.
  package var maximum: Resolution
  /// The distance of two sizes in a range; 1x1 where all are possible.
  package var step: Resolution
  /// The frame intervals at the largest size, shortest first; of a range both ends.
  package var intervals: [FrameInterval]
  /// Whether all intervals between the ends of `intervals` are possible, too.
  package var isIntervalRange: Bool

  /// Whether frames can have this size.
  package func contains(_ resolution: Resolution) -> Bool {
    func fits(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Bool {
      (low...max(low, high)).contains(value) && (step <= 1 || (value - low) % step == 0)
    }
    return fits(resolution.width, minimum.width, maximum.width, step.width)
      && fits(resolution.height, minimum.height, maximum.height, step.height)
  }
}

extension OfferedSize: CustomStringConvertible {
  /// `640x480` or `320x180 to 3840x2160`.
  package var description: String {
    minimum == maximum ? "\(minimum)" : "\(minimum) to \(maximum)"
  }
}
