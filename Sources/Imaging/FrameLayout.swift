public import CameraModel

/// Which values the Y, Cb and Cr of a frame take.
public enum YCbCrRange: String, Sendable, Hashable, CaseIterable {
  /// Y 16…235, Cb and Cr 16…240, as in television.
  ///
  /// V4L2's default for every YCbCr format that is no JPEG, what the USB video class prescribes, and
  /// what OpenCV, FFmpeg and GStreamer assume.
  case limited
  /// All of 0…255.
  case full
}

/// By which standard the Y, Cb and Cr of a frame are meant.
public enum YCbCrMatrix: String, Sendable, Hashable, CaseIterable {
  /// Rec. ITU-R BT.601, which V4L2 assumes where a driver says nothing else.
  case bt601
  /// Rec. ITU-R BT.709, as most HDMI sources and some cameras have it.
  case bt709
}

/// How the bytes of one frame make an image.
public struct FrameLayout: Sendable, Hashable {
  /// The pixel format; always a supported one.
  public let format: NativePixelFormat
  /// The number of columns, 1…65535.
  public let width: Int
  /// The number of rows, 1…65535.
  public let height: Int
  /// Bytes from one row to the next, of the first plane; 0 for compressed formats.
  ///
  /// Rows of the Cb and Cr planes of YU12 are half as far apart, rounded up; rows of Cb and Cr of NV12
  /// as far.
  public let bytesPerRow: Int
  /// How YCbCr becomes BGRA; without meaning for JPEG (always full), grey and RGB.
  public let range: YCbCrRange
  /// By which standard; without meaning for JPEG (always BT.601), grey and RGB.
  public let matrix: YCbCrMatrix

  /// Describes frames.
  ///
  /// - Parameters:
  ///   - bytesPerRow: As the driver reports it; 0 for rows without padding.
  /// - Throws: `ImagingError` for a format that isn't converted here, a size that no frame has, or
  ///   rows too short for their pixels.
  public init(
    format: NativePixelFormat, width: Int, height: Int, bytesPerRow: Int = 0,
    range: YCbCrRange = .limited, matrix: YCbCrMatrix = .bt601
  ) throws(ImagingError) {
    let name = "\(format) frame"
    guard format.isSupported else {
      let known = NativePixelFormat.supported.map(\.description).joined(separator: ", ")
      throw ImagingError(
        .unsupportedFormat, path: name,
        message: "frames of this pixel format are not converted; choose one of \(known)")
    }
    guard (1...ImageHeader.mostPixelsASide).contains(width),
      (1...ImageHeader.mostPixelsASide).contains(height)
    else {
      throw ImagingError(
        .tooLarge, path: name,
        message: "\(width)x\(height) pixels are no size of a frame; each side has 1 to "
          + "\(ImageHeader.mostPixelsASide)")
    }
    let least = format.bytesOfRow(ofWidth: width)
    // A stride is a 32-bit number in V4L2.
    guard bytesPerRow == 0 || format.isCompressed || (least...(1 << 32)).contains(bytesPerRow)
    else {
      throw ImagingError(
        .corrupt, path: "\(name) of \(width)x\(height)",
        message: "has \(bytesPerRow) bytes a row; \(width) pixels take \(least) bytes; "
          + "ask the driver for another size or format")
    }
    self.format = format
    self.width = width
    self.height = height
    self.bytesPerRow = format.isCompressed ? 0 : max(bytesPerRow, least)
    self.range = range
    self.matrix = matrix
  }

  /// Describes frames of a resolution.
  public init(
    format: NativePixelFormat, resolution: Resolution, bytesPerRow: Int = 0,
    range: YCbCrRange = .limited, matrix: YCbCrMatrix = .bt601
  ) throws(ImagingError) {
    try self.init(
      format: format, width: resolution.width, height: resolution.height, bytesPerRow: bytesPerRow,
      range: range, matrix: matrix)
  }

  /// The size of a frame in pixels.
  public var resolution: Resolution { Resolution(width: width, height: height) }

  /// The fewest bytes that hold a frame: up to the last pixel, without padding after it.
  ///
  /// For compressed formats the size of the shortest JPEG there could be: whether a frame is whole
  /// shows only in its bytes (`completeFrame(in:)`).
  public var minimumByteCount: Int {
    let rowBytes = format.bytesOfRow(ofWidth: width)
    switch format {
    case .mjpg, .jpeg: return 4
    case .nv12: return planeBytes + (chromaHeight - 1) * bytesPerRow + 2 * chromaWidth
    case .yu12: return planeBytes + (2 * chromaHeight - 1) * chromaBytesPerRow + chromaWidth
    default: return (height - 1) * bytesPerRow + rowBytes
    }
  }
}

extension FrameLayout {
  /// The bytes of the first plane, padding of its last row included.
  var planeBytes: Int { bytesPerRow * height }
  /// Columns of the subsampled planes.
  var chromaWidth: Int { (width + 1) / 2 }
  /// Rows of the subsampled planes.
  var chromaHeight: Int { (height + 1) / 2 }
  /// Bytes from one row of YU12's Cb or Cr to the next.
  var chromaBytesPerRow: Int { (bytesPerRow + 1) / 2 }
}

extension NativePixelFormat {
  /// The bytes of the pixels of one row of the first plane; 0 for compressed formats.
  func bytesOfRow(ofWidth width: Int) -> Int {
    switch self {
    case .yuyv, .uyvy: (width + 1) / 2 * 4
    case .nv12: (width + 1) / 2 * 2
    case .yu12, .grey: width
    case .y16: width * 2
    case .rgb24, .bgr24: width * 3
    default: 0
    }
  }
}
