/// Portable any-maps P1 to P6 to grey.
///
/// **Source:** the netpbm manual pages pbm(5), pgm(5), ppm(5). Of a file of several pictures the first
/// is read.
enum PNMDecoding {
  /// Decodes `bytes`; a maximum over 255 means 16 bits, which are stretched.
  static func grayImage(
    _ bytes: UnsafeRawBufferPointer, path: String
  ) throws(ImagingError) -> GrayImage {
    let header = try ImageHeader.pnmHeader(
      Array(bytes.prefix(PNMHeader.mostBytes)), path: path)
    let size = ImageHeader(format: .pnm, width: header.width, height: header.height)
    _ = try size.checked(path: path)
    let data = UnsafeRawBufferPointer(rebasing: bytes[min(header.dataOffset, bytes.count)...])
    var samples = try Samples(header: header, data: data, path: path)
    if header.mostValue > 255 {
      let pixels: [UInt16] = try samples.grayValues()
      return Gray16Image(width: header.width, height: header.height, pixels: pixels).stretched()
    }
    var pixels: [UInt8] = try samples.grayValues()
    if header.mostValue < 255 && header.kind != 1 && header.kind != 4 {
      let most = header.mostValue
      let scale = (0...most).map { UInt8(($0 * 255 + most / 2) / most) }
      for index in pixels.indices { pixels[index] = scale[Int(pixels[index])] }
    }
    return GrayImage(width: header.width, height: header.height, pixels: pixels)
  }

  /// The samples of one picture, whichever way they are written.
  private struct Samples {
    let header: PNMHeader
    let data: UnsafeRawBufferPointer
    let path: String
    var offset = 0

    init(header: PNMHeader, data: UnsafeRawBufferPointer, path: String) throws(ImagingError) {
      self.header = header
      self.data = data
      self.path = path
      let rowBytes =
        switch header.kind {
        case 1: header.width  // a digit each; white space between them may be missing
        case 2: header.width * 2 - 1
        case 3: header.width * 6 - 1
        case 4: (header.width + 7) / 8
        case 5: header.width * (header.mostValue > 255 ? 2 : 1)
        default: header.width * (header.mostValue > 255 ? 6 : 3)
        }
      guard rowBytes * header.height <= data.count else { throw truncated }
    }

    private var truncated: ImagingError {
      ImagingError(
        .truncated, path: path,
        message: "the PNM is truncated: \(data.count) bytes of pixels are too few for "
          + "\(header.width)x\(header.height); copy it again")
    }

    private var tooBright: ImagingError {
      ImagingError(
        .corrupt, path: path,
        message: "the PNM holds a value above \(header.mostValue), the brightest by its header")
    }

    /// All pixels as grey, 0…mostValue (bitmaps: 0 or 255).
    mutating func grayValues<Sample: FixedWidthInteger & UnsignedInteger>()
      throws(ImagingError) -> [Sample]
    {
      let count = header.width * header.height
      var failure: ImagingError?
      let values = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
        do throws(ImagingError) {
          switch header.kind {
          case 1: try readDigits(into: buffer, count: count)
          case 4: readBits(into: buffer)
          case 2, 3: try readNumbers(into: buffer, count: count)
          default: try readBinary(into: buffer, count: count)
          }
          initialized = count
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return values
    }

    private mutating func readDigits<Sample: FixedWidthInteger>(
      into target: UnsafeMutableBufferPointer<Sample>, count: Int
    ) throws(ImagingError) {
      for index in 0..<count {
        try skipSpace()
        switch data[offset] {
        case UInt8(ascii: "0"): target[index] = 255
        case UInt8(ascii: "1"): target[index] = 0
        default: throw notANumber
        }
        offset += 1
      }
    }

    private func readBits<Sample: FixedWidthInteger>(
      into target: UnsafeMutableBufferPointer<Sample>
    ) {
      let rowBytes = (header.width + 7) / 8
      for y in 0..<header.height {
        for x in 0..<header.width {
          let isBlack = data[y * rowBytes + x / 8] >> UInt8(7 - x % 8) & 1 == 1
          target[y * header.width + x] = isBlack ? 0 : 255
        }
      }
    }

    private mutating func readNumbers<Sample: FixedWidthInteger>(
      into target: UnsafeMutableBufferPointer<Sample>, count: Int
    ) throws(ImagingError) {
      for index in 0..<count {
        if header.kind == 2 {
          target[index] = Sample(truncatingIfNeeded: try nextNumber())
        } else {
          let (red, green) = (try nextNumber(), try nextNumber())
          target[index] = Sample(truncatingIfNeeded: luma(red, green, try nextNumber()))
        }
      }
    }

    private func readBinary<Sample: FixedWidthInteger & UnsignedInteger>(
      into target: UnsafeMutableBufferPointer<Sample>, count: Int
    ) throws(ImagingError) {
      let channels = header.kind == 6 ? 3 : 1
      var brightest = 0
      if Sample.bitWidth == 8 {
        for index in 0..<count {
          let first = index * channels
          if channels == 1 {
            let value = data[first]
            brightest = max(brightest, Int(value))
            target[index] = Sample(truncatingIfNeeded: value)
          } else {
            let (red, green, blue) = (
              Int(data[first]), Int(data[first + 1]), Int(data[first + 2])
            )
            brightest = max(brightest, red, green, blue)
            target[index] = Sample(truncatingIfNeeded: luma(red, green, blue))
          }
        }
      } else {
        func value(_ index: Int) -> Int { Int(data[2 * index]) << 8 | Int(data[2 * index + 1]) }
        for index in 0..<count {
          let first = index * channels
          let red = value(first)
          brightest = max(brightest, red)
          if channels == 1 {
            target[index] = Sample(truncatingIfNeeded: red)
          } else {
            let (green, blue) = (value(first + 1), value(first + 2))
            brightest = max(brightest, green, blue)
            target[index] = Sample(truncatingIfNeeded: luma(red, green, blue))
          }
        }
      }
      if brightest > header.mostValue { throw tooBright }
    }

    private mutating func nextNumber() throws(ImagingError) -> Int {
      try skipSpace()
      var value = 0
      let start = offset
      while offset < data.count, (0x30...0x39).contains(data[offset]) {
        value = min(value * 10 + Int(data[offset] - 0x30), 1 << 20)
        offset += 1
      }
      guard offset > start else { throw notANumber }
      guard value <= header.mostValue else { throw tooBright }
      return value
    }

    /// Moves on to the next byte that is not white space.
    private mutating func skipSpace() throws(ImagingError) {
      while offset < data.count, isPNMSpace(data[offset]) { offset += 1 }
      guard offset < data.count else { throw truncated }
    }

    private var notANumber: ImagingError {
      ImagingError(
        .corrupt, path: path, message: "the PNM holds something else where a pixel must stand")
    }
  }

  /// Luma by Rec 601 with the weights that the C codecs use.
  @inline(__always)
  static func luma(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16
  }
}
