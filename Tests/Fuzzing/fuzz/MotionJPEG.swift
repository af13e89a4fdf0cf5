import Imaging

/// One for all inputs: what a frame leaves behind must not reach the next one.
private let converter = FrameConverter()

/// Frames of Motion JPEG: the first two bytes give the size that is expected, the rest is the frame.
func fuzzFrames(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let (width, height) = (Int(bytes[0] & 63) + 1, Int(bytes[1] & 63) + 1)
  let frame = Array(bytes[2...])
  do throws(ImagingError) {
    let layout = try FrameLayout(format: .mjpg, width: width, height: height)
    guard let gray = picture(of: frame, layout) else { return }
    // A frame that is decoded is whole, and what follows it takes no part.
    let whole = try part(of: frame, layout)
    require(picture(of: whole, layout) == gray, "bytes after the end change nothing")
    require(frame.starts(with: whole), "a frame begins where it was said to begin")
    if let alphas = alphas(of: frame, layout) {
      require(alphas.allSatisfy { $0 == 255 }, "all of a frame is written")
    }
    // The same by a decoder that has seen nothing.
    let fresh = try frame.span.bytes.withUnsafeBytes { (frame) throws(ImagingError) in
      try FrameConverter().grayImage(of: frame, layout: layout)
    }
    require(fresh == gray, "frames stand for themselves")
  } catch {
    require(false, "a frame that was decoded is whole: \(error)")
  }
}

private func part(of frame: [UInt8], _ layout: FrameLayout) throws(ImagingError) -> [UInt8] {
  try frame.span.bytes.withUnsafeBytes { (frame) throws(ImagingError) in
    Array(try layout.completeFrame(in: frame))
  }
}

/// The alphas of the BGRA picture; nil where it is refused: more kinds of chroma than of luma can't be
/// decoded.
private func alphas(of frame: [UInt8], _ layout: FrameLayout) -> [UInt8]? {
  do throws(ImagingError) {
    let image = try frame.span.bytes.withUnsafeBytes { (frame) throws(ImagingError) in
      try converter.bgraImage(of: frame, layout: layout)
    }
    return stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
  } catch {
    require(error.code == .unsupportedFormat, "what gives grey gives colour: \(error)")
    return nil
  }
}

/// The grey picture; nil where the frame is refused.
private func picture(of frame: [UInt8], _ layout: FrameLayout) -> GrayImage? {
  do throws(ImagingError) {
    return try frame.span.bytes.withUnsafeBytes { (frame) throws(ImagingError) in
      try converter.grayImage(of: frame, layout: layout)
    }
  } catch {
    requirePrintable("\(error)")
    return nil
  }
}
