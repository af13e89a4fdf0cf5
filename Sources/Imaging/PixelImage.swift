public import CameraModel

/// What images of whole bytes a pixel have in common.
///
/// Positions are in pixels with (0, 0) at the centre of the top-left pixel. An operation that moves
/// pixels has a namesake of `CameraParameters` that moves the intrinsics along: `oriented`,
/// `cropped`, and `resized(to:)` with `scaled(to:)`.
public protocol PixelImage: Sendable, Hashable {
  /// The number of bytes of a pixel, one for each channel.
  static var bytesPerPixel: Int { get }
  /// The number of columns, at least 1.
  var width: Int { get }
  /// The number of rows, at least 1.
  var height: Int { get }
  /// The channels of each pixel, row by row without gaps.
  var pixels: [UInt8] { get set }
  /// Creates an image from its values; there must be `bytesPerPixel * width * height` of them.
  init(width: Int, height: Int, pixels: [UInt8])
}

extension PixelImage {
  /// The size in pixels.
  public var resolution: Resolution { Resolution(width: width, height: height) }
}

extension GrayImage: PixelImage {
  /// One: grey.
  public static var bytesPerPixel: Int { 1 }
}

extension ColorImage: PixelImage {
  /// Three: red, green, blue.
  public static var bytesPerPixel: Int { 3 }
}

extension BGRAImage: PixelImage {
  /// Four: blue, green, red, alpha.
  public static var bytesPerPixel: Int { 4 }
}
