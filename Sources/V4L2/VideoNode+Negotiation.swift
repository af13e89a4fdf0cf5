internal import CV4L2
package import CameraModel
package import Imaging

extension VideoNode {
  /// Sets format, size and frame interval, and makes sure that the camera took them as they are.
  ///
  /// A driver answers a wish that it cannot fulfil with the nearest that it can. Calibrating that would
  /// file another size's numbers under the one that was meant, so it is an error.
  ///
  /// - Parameters:
  ///   - pixelFormat: The format; it must be had exactly.
  ///   - resolution: The size; it must be had exactly.
  ///   - frameInterval: The interval, of which the camera takes the nearest that it has; nil for the
  ///     one that is set.
  /// - Returns: What is set now; its `frameInterval` is what the driver says.
  /// - Throws: `V4L2Error`: `formatUnavailable` (its message names what the camera offers), `busy`,
  ///   `unplugged`, `hardware`.
  package func negotiate(
    pixelFormat: NativePixelFormat, resolution: Resolution, frameInterval: FrameInterval? = nil
  ) throws(V4L2Error) -> VideoFormat {
    let wish = "\(pixelFormat) \(resolution)"
    guard let width = UInt32(exactly: resolution.width),
      let height = UInt32(exactly: resolution.height), width > 0, height > 0
    else { throw try unavailable(wish, found: nil) }
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    format.fmt.pix.width = width
    format.fmt.pix.height = height
    format.fmt.pix.pixelformat = pixelFormat.rawValue
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    do {
      try perform(CV4L2_S_FMT, &format, during: .setFormat)
    } catch {
      guard error.code == .formatUnavailable else { throw error }
      throw try unavailable(wish, found: nil)
    }
    // Read back: some drivers leave in S_FMT's structure what was asked for.
    var set = v4l2_format()
    set.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    try perform(CV4L2_G_FMT, &set, during: .setFormat)
    let found = VideoFormat(set.fmt.pix, frameInterval: nil)
    guard found.pixelFormat == pixelFormat, found.resolution == resolution else {
      throw try unavailable(wish, found: "\(found)")
    }
    let field = set.fmt.pix.field
    guard field == V4L2_FIELD_NONE.rawValue || field == V4L2_FIELD_ANY.rawValue else {
      throw V4L2Error(
        code: .formatUnavailable, subject: path,
        message: "the camera gives \(wish) interlaced only: the two halves of a frame are taken at "
          + "different times, which no calibration can be made from")
    }
    if let frameInterval { try setInterval(frameInterval) }
    var result = found
    result.frameInterval = try currentInterval()
    return result
  }

  /// Sets the frame interval; a driver that has none is left as it is.
  private func setInterval(_ interval: FrameInterval) throws(V4L2Error) {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    _ = try enumerate(CV4L2_S_PARM, &parameters, during: .setRate)
  }

  private func unavailable(_ wish: String, found: String?) throws(V4L2Error) -> V4L2Error {
    let offers = try offeredFormats()
    return V4L2Error(
      code: .formatUnavailable, subject: path,
      message: "the camera does not offer \(wish)" + (found.map { " (it would give \($0))" } ?? "")
        + "; it offers " + Self.summary(of: offers))
  }

  /// Formats with their sizes in one line, cut where it gets long.
  static func summary(of formats: [OfferedFormat]) -> String {
    guard !formats.isEmpty else { return "nothing" }
    let most = 12
    let shown = formats.prefix(most).map { format in
      let sizes = format.sizes.prefix(most).map(\.description).joined(separator: ", ")
      let more = format.sizes.count > most ? ", …" : ""
      return "\(format.pixelFormat)" + (sizes.isEmpty ? "" : " \(sizes)\(more)")
    }
    return shown.joined(separator: "; ") + (formats.count > most ? "; …" : "")
  }
}
