/// An image of one 8-bit grey value a pixel, rows without gaps, top row first.
public struct GrayImage: Sendable, Hashable {
  /// The number of columns, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int
  /// `width * height` grey values, row by row.
  public var pixels: [UInt8]

  /// Creates an image from its grey values, row by row; there must be `width * height` of them.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

extension GrayImage: CustomStringConvertible {
  /// The size and kind, without the pixels.
  public var description: String { "grey image of \(width)x\(height)" }
}
