/// An image of 8-bit RGB pixels, rows without gaps, top row first.
public struct ColorImage: Sendable, Hashable {
  /// The number of columns, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int
  /// Red, green and blue of each pixel: `3 * width * height` values, row by row.
  public var pixels: [UInt8]

  /// Creates an image from its values, row by row; there must be `3 * width * height` of them.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == 3 * width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Creates a grey picture that can be drawn on in colour.
  public init(_ gray: GrayImage) {
    width = gray.width
    height = gray.height
    pixels = [UInt8](unsafeUninitializedCapacity: 3 * gray.pixels.count) { buffer, initialized in
      gray.pixels.withUnsafeBufferPointer { values in
        for index in values.indices {
          buffer[3 * index] = values[index]
          buffer[3 * index + 1] = values[index]
          buffer[3 * index + 2] = values[index]
        }
      }
      initialized = 3 * gray.pixels.count
    }
  }

  /// A colour of 8-bit red, green and blue.
  public struct Color: Sendable, Hashable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8

    /// Creates a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }
}

extension ColorImage: CustomStringConvertible {
  /// The size and kind, without the pixels.
  public var description: String { "RGB image of \(width)x\(height)" }
}
