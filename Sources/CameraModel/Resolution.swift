/// The size of an image in pixels.
public struct Resolution: Sendable, Hashable {
  /// The number of columns, at least 1.
  public var width: Int
  /// The number of rows, at least 1.
  public var height: Int

  /// Creates a resolution of `width` columns and `height` rows of pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The length of the image's diagonal in pixels.
  public var diagonal: Double {
    let (w, h) = (Double(width), Double(height))
    return (w * w + h * h).squareRoot()
  }

  /// Width divided by height.
  public var aspectRatio: Double { Double(width) / Double(height) }
}

extension Resolution: LosslessStringConvertible {
  /// Reads `WIDTHxHEIGHT`, for example `1280x720`; nil unless both are whole numbers in 1…65535.
  public init?(_ description: String) {
    let parts = description.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let width = UInt16(parts[0]), let height = UInt16(parts[1]),
      width > 0, height > 0, !parts[0].hasPrefix("+"), !parts[1].hasPrefix("+")
    else { return nil }
    self.init(width: Int(width), height: Int(height))
  }

  /// `WIDTHxHEIGHT`, for example `1280x720`.
  public var description: String { "\(width)x\(height)" }
}
