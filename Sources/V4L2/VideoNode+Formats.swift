internal import CV4L2
package import CameraModel
package import Imaging

extension VideoNode {
  /// The most entries that are read of any list: a driver whose list never ends must not hang us.
  private static let longestList: UInt32 = 1024

  private static let capture = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue

  /// All formats and sizes that the camera offers, with their frame intervals.
  ///
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`, `busy`, `systemCall`.
  package func offeredFormats() throws(V4L2Error) -> [OfferedFormat] {
    var formats: [OfferedFormat] = []
    for index in 0..<Self.longestList {
      var entry = v4l2_fmtdesc()
      entry.index = index
      entry.type = Self.capture
      guard try enumerate(CV4L2_ENUM_FMT, &entry) else { break }
      let pixelFormat = NativePixelFormat(rawValue: entry.pixelformat)
      formats.append(
        OfferedFormat(
          pixelFormat: pixelFormat, name: text(entry.description),
          isEmulated: entry.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0,
          sizes: try offeredSizes(of: pixelFormat)))
    }
    return formats
  }

  private func offeredSizes(
    of pixelFormat: NativePixelFormat
  ) throws(V4L2Error) -> [OfferedSize] {
    var sizes: [OfferedSize] = []
    for index in 0..<Self.longestList {
      var entry = v4l2_frmsizeenum()
      entry.index = index
      entry.pixel_format = pixelFormat.rawValue
      guard try enumerate(CV4L2_ENUM_FRAMESIZES, &entry) else { break }
      if entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        let size = Resolution(
          width: Int(entry.discrete.width), height: Int(entry.discrete.height))
        sizes.append(
          try offeredSize(from: size, to: size, step: .init(width: 1, height: 1), pixelFormat))
        continue
      }
      let range = entry.stepwise
      sizes.append(
        try offeredSize(
          from: Resolution(width: Int(range.min_width), height: Int(range.min_height)),
          to: Resolution(width: Int(range.max_width), height: Int(range.max_height)),
          step: Resolution(width: Int(range.step_width), height: Int(range.step_height)),
          pixelFormat))
      break
    }
    return sizes
  }

  private func offeredSize(
    from minimum: Resolution, to maximum: Resolution, step: Resolution,
    _ pixelFormat: NativePixelFormat
  ) throws(V4L2Error) -> OfferedSize {
    let (intervals, isRange) = try offeredIntervals(of: pixelFormat, at: maximum)
    return OfferedSize(
      minimum: minimum, maximum: maximum, step: step, intervals: intervals,
      isIntervalRange: isRange)
  }

  /// The frame intervals at a size, shortest first; the two ends, where it is a range.
  package func offeredIntervals(
    of pixelFormat: NativePixelFormat, at resolution: Resolution
  ) throws(V4L2Error) -> (intervals: [FrameInterval], isRange: Bool) {
    guard let width = UInt32(exactly: resolution.width),
      let height = UInt32(exactly: resolution.height)
    else { return ([], false) }
    var intervals: [FrameInterval] = []
    for index in 0..<Self.longestList {
      var entry = v4l2_frmivalenum()
      entry.index = index
      entry.pixel_format = pixelFormat.rawValue
      entry.width = width
      entry.height = height
      guard try enumerate(CV4L2_ENUM_FRAMEINTERVALS, &entry) else { break }
      if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
        intervals.append(FrameInterval(entry.discrete))
        continue
      }
      return ([FrameInterval(entry.stepwise.min), FrameInterval(entry.stepwise.max)], true)
    }
    return (intervals.sorted(), false)
  }

  /// What is set now.
  package func currentFormat() throws(V4L2Error) -> VideoFormat {
    var format = v4l2_format()
    format.type = Self.capture
    try perform(CV4L2_G_FMT, &format, during: .enumerate)
    return VideoFormat(format.fmt.pix, frameInterval: try currentInterval())
  }

  /// The frame interval that is set; nil where the driver has none.
  func currentInterval() throws(V4L2Error) -> FrameInterval? {
    var parameters = v4l2_streamparm()
    parameters.type = Self.capture
    guard try enumerate(CV4L2_G_PARM, &parameters) else { return nil }
    let interval = parameters.parm.capture.timeperframe
    return interval.numerator == 0 || interval.denominator == 0 ? nil : FrameInterval(interval)
  }
}

extension FrameInterval {
  init(_ fraction: v4l2_fract) {
    self.init(numerator: fraction.numerator, denominator: fraction.denominator)
  }
}

extension VideoFormat {
  init(_ pixels: v4l2_pix_format, frameInterval: FrameInterval?) {
    self.init(
      pixelFormat: NativePixelFormat(rawValue: pixels.pixelformat),
      resolution: Resolution(width: Int(pixels.width), height: Int(pixels.height)),
      bytesPerRow: Int(pixels.bytesperline), sizeImage: Int(pixels.sizeimage),
      frameInterval: frameInterval,
      range: pixels.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue ? .full : .limited,
      matrix: YCbCrMatrix(encoding: pixels.ycbcr_enc, colorspace: pixels.colorspace))
  }
}

extension YCbCrMatrix {
  /// As the kernel's documentation maps them; what is neither BT.601 nor BT.709 is taken as BT.601.
  init(encoding: UInt32, colorspace: UInt32) {
    switch encoding {
    case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: self = .bt709
    case V4L2_YCBCR_ENC_DEFAULT.rawValue:
      self =
        [V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue].contains(colorspace)
        ? .bt709 : .bt601
    default: self = .bt601
    }
  }
}
