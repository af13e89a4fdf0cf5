public import CameraModel

/// What a video data output makes of a camera's frames: cut, then resized, then turned upright.
///
/// The intrinsics that are delivered go through the same changes, so that they belong to the pixels
/// that are delivered.
public struct VideoSettings: Sendable, Hashable {
  /// The pixels of the delivered frames.
  public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// Blue, green, red and alpha, one byte each; alpha is 255.
    case bgra32
    /// One byte of brightness.
    case gray8
    /// The camera's own bytes, untouched and without a copy.
    case native
  }

  /// Part of a picture in whole pixels.
  public struct Rectangle: Sendable, Hashable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns, at least 1.
    public var width: Int
    /// The number of rows, at least 1.
    public var height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The pixels to deliver.
  public var pixelFormat: PixelFormat
  /// The part of the camera's picture that is kept; nil for all of it.
  public var crop: Rectangle?
  /// The size that the kept part is resized to, before it is turned; nil leaves it as it is.
  public var size: Resolution?
  /// Which way up the camera's picture is; it is turned and mirrored upright from that.
  public var orientation: ImageOrientation

  /// Creates settings.
  public init(
    pixelFormat: PixelFormat = .bgra32, crop: Rectangle? = nil, size: Resolution? = nil,
    orientation: ImageOrientation = .up
  ) {
    self.pixelFormat = pixelFormat
    self.crop = crop
    self.size = size
    self.orientation = orientation
  }
}

extension VideoSettings {
  /// Whether the camera's picture is delivered as a whole and upright.
  var keepsGeometry: Bool { crop == nil && size == nil && orientation == .up }

  /// The camera whose pictures are those that are delivered.
  func camera(from camera: CameraParameters) -> CameraParameters {
    var result = camera
    if let crop {
      result = result.cropped(x: crop.x, y: crop.y, width: crop.width, height: crop.height)
    }
    if let size { result = result.scaled(to: size) }
    return result.oriented(orientation)
  }

  /// The size of the delivered frames.
  func resolution(from camera: Resolution) -> Resolution {
    let kept = size ?? crop.map { Resolution(width: $0.width, height: $0.height) } ?? camera
    return kept.oriented(orientation)
  }

  /// Makes sure that the settings can be applied to frames of a size.
  func check(against camera: Resolution) throws(CaptureError) {
    func invalid(_ message: String) -> CaptureError {
      CaptureError(code: .invalidConfiguration, subject: "videoSettings", message: message)
    }
    if pixelFormat == .native, !keepsGeometry {
      throw invalid(
        "the camera's own bytes cannot be cut, resized or turned: choose bgra32 or gray8, or leave "
          + "crop, size and orientation alone")
    }
    if let crop {
      let fits =
        crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0
        && crop.width <= camera.width - crop.x && crop.height <= camera.height - crop.y
      guard fits else {
        throw invalid(
          "the crop \(crop.width)x\(crop.height) at (\(crop.x), \(crop.y)) is not inside the camera's "
            + "frame of \(camera)")
      }
    }
    if let size, !(1...65535).contains(size.width) || !(1...65535).contains(size.height) {
      throw invalid("frames cannot be resized to \(size): 1x1 to 65535x65535 are possible")
    }
  }
}
