public import CameraModel
public import Imaging

extension CaptureDevice {
  /// A size and pixel format that a camera offers, with its frame rates.
  public struct Format: Sendable, Hashable {
    /// How the camera sends its pixels.
    public var pixelFormat: NativePixelFormat
    /// The size of the frames; the largest, where the camera offers a range of sizes.
    public var resolution: Resolution
    /// The smallest size of a range; equal to `resolution` where there is no range.
    public var minimumResolution: Resolution
    /// The distance of two sizes in a range, at least 1x1.
    public var resolutionStep: Resolution
    /// The times from frame to frame that it offers, shortest first; empty where it does not say.
    public var frameDurations: [MediaTime]
    /// Whether every time between the first and the last of `frameDurations` is offered.
    public var isFrameDurationContinuous: Bool

    /// Creates a format of one size.
    public init(
      pixelFormat: NativePixelFormat, resolution: Resolution, frameDurations: [MediaTime],
      isFrameDurationContinuous: Bool = false
    ) {
      self.pixelFormat = pixelFormat
      self.resolution = resolution
      minimumResolution = resolution
      resolutionStep = Resolution(width: 1, height: 1)
      self.frameDurations = frameDurations.sorted()
      self.isFrameDurationContinuous = isFrameDurationContinuous
    }

    /// Whether frames can have this size.
    public func contains(_ wanted: Resolution) -> Bool {
      func fits(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Bool {
        value >= low && value <= high && (step <= 1 || (value - low) % step == 0)
      }
      return fits(
        wanted.width, minimumResolution.width, resolution.width, resolutionStep.width)
        && fits(
          wanted.height, minimumResolution.height, resolution.height, resolutionStep.height)
    }

    /// The format narrowed to one of its sizes.
    public func at(_ resolution: Resolution) -> Format {
      var result = self
      result.resolution = resolution
      result.minimumResolution = resolution
      result.resolutionStep = Resolution(width: 1, height: 1)
      return result
    }

    /// The shortest offered time from frame to frame that is not shorter than `minimum`; nil where
    /// there is none, or where the camera does not say what it offers.
    func frameDuration(atLeast minimum: MediaTime) -> MediaTime? {
      guard let first = frameDurations.first, let last = frameDurations.last else { return nil }
      if isFrameDurationContinuous { return minimum > last ? nil : max(first, minimum) }
      return frameDurations.first { $0 >= minimum }
    }
  }

  /// A setting of a camera, as its driver describes it.
  public struct Control: Sendable, Hashable {
    /// Its name in lower case with `_` between words, for example `focus_absolute`.
    public var name: String
    /// Its value, in the driver's unit.
    public var value: Int
    /// The smallest value.
    public var minimum: Int
    /// The largest value.
    public var maximum: Int
    /// The value that the driver begins with.
    public var defaultValue: Int

    /// Creates a description.
    public init(name: String, value: Int, minimum: Int, maximum: Int, defaultValue: Int) {
      self.name = name
      self.value = value
      self.minimum = minimum
      self.maximum = maximum
      self.defaultValue = defaultValue
    }
  }
}

extension CaptureDevice.Format: CustomStringConvertible {
  /// For example `YUYV 640x480 at up to 30 frames/s`.
  public var description: String {
    let sizes =
      minimumResolution == resolution ? "\(resolution)" : "\(minimumResolution) to \(resolution)"
    let text = "\(pixelFormat) \(sizes)"
    guard let shortest = frameDurations.first, shortest.value > 0 else { return text }
    let tenths = (10 / shortest.seconds).rounded()
    guard let rate = Int(exactly: tenths) else { return text }
    return text
      + " at up to \(rate % 10 == 0 ? "\(rate / 10)" : "\(rate / 10).\(rate % 10)") frames/s"
  }
}
