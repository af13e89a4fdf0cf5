import Glibc
import Imaging

/// Frames of known content.
enum FrameSample {
  /// Uncompressed formats.
  static let rawFormats = NativePixelFormat.supported.filter { !$0.isCompressed }
  /// Those whose colour is YCbCr.
  static let colorFormats: [NativePixelFormat] = [.yuyv, .uyvy, .nv12, .yu12]

  /// A layout that must be good.
  static func layout(
    _ format: NativePixelFormat, _ width: Int, _ height: Int, bytesPerRow: Int = 0,
    range: YCbCrRange = .limited
  ) throws -> FrameLayout {
    try FrameLayout(
      format: format, width: width, height: height, bytesPerRow: bytesPerRow, range: range)
  }

  /// Bytes that look random and are the same each time.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }

  /// The grey of a pixel, by the definition of the format rather than by the code under test.
  static func gray(_ x: Int, _ y: Int, of frame: [UInt8], _ layout: FrameLayout) -> UInt8 {
    let row = y * layout.bytesPerRow
    switch layout.format {
    case .yuyv: return frame[row + 2 * x]
    case .uyvy, .y16: return frame[row + 2 * x + 1]
    case .rgb24, .bgr24:
      let isRed = layout.format == .rgb24
      let (first, third) = (Double(frame[row + 3 * x]), Double(frame[row + 3 * x + 2]))
      let luma =
        0.299 * (isRed ? first : third) + 0.587 * Double(frame[row + 3 * x + 1])
        + 0.114 * (isRed ? third : first)
      return UInt8(luma.rounded())
    default: return frame[row + x]
    }
  }

  /// Cb and Cr of a pixel of a colour format.
  static func chroma(
    _ x: Int, _ y: Int, of frame: [UInt8], _ layout: FrameLayout
  ) -> (cb: UInt8, cr: UInt8) {
    let (stride, height) = (layout.bytesPerRow, layout.height)
    let pair = y * stride + x / 2 * 4
    switch layout.format {
    case .yuyv: return (frame[pair + 1], frame[pair + 3])
    case .uyvy: return (frame[pair], frame[pair + 2])
    case .nv12:
      let at = stride * height + y / 2 * stride + x / 2 * 2
      return (frame[at], frame[at + 1])
    case .yu12:
      let half = (stride + 1) / 2
      let at = stride * height + y / 2 * half + x / 2
      return (frame[at], frame[at + (height + 1) / 2 * half])
    default: return (128, 128)
    }
  }

  /// BT.601 from its constants, in double precision: blue, green, red, not rounded.
  static func bgr(y: UInt8, cb: UInt8, cr: UInt8, range: YCbCrRange) -> SIMD3<Double> {
    let (kr, kb) = (0.299, 0.114)
    let isFull = range == .full
    let luma = isFull ? Double(y) / 255 : (Double(y) - 16) / 219
    let blue = (Double(cb) - 128) / (isFull ? 255 : 224)
    let red = (Double(cr) - 128) / (isFull ? 255 : 224)
    let b = luma + 2 * (1 - kb) * blue
    let r = luma + 2 * (1 - kr) * red
    let g = (luma - kr * r - kb * b) / (1 - kr - kb)
    return (SIMD3(b, g, r) * 255).clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 255))
  }
}

/// Memory whose last byte is followed by a page that traps when touched; a page that traps is in
/// front, too.
final class GuardedMemory {
  private let start: UnsafeMutableRawPointer
  private let pages: Int
  /// The bytes.
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    let page = Int(getpagesize())
    pages = (count + page - 1) / page * page
    guard
      let memory = mmap(
        nil, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { fatalError("mmap: \(errno)") }
    start = memory
    precondition(mprotect(start + page, pages, PROT_READ | PROT_WRITE) == 0)
    bytes = UnsafeMutableRawBufferPointer(start: start + page + pages - count, count: count)
  }

  convenience init(_ contents: [UInt8]) {
    self.init(count: contents.count)
    bytes.copyBytes(from: contents)
  }

  deinit { munmap(start, pages + 2 * Int(getpagesize())) }
}
