/// Which way up an image is: what has to be done to it to see it upright.
///
/// The raw values are those of EXIF, the names Apple's. `turned…` in the comments is clockwise.
///
/// **Source:** CIPA DC-008 (Exif 2.32), tag 0x0112.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// As it is.
  case up = 1
  /// To be mirrored left to right.
  case upMirrored = 2
  /// To be turned by 180°.
  case down = 3
  /// To be mirrored top to bottom.
  case downMirrored = 4
  /// To be mirrored left to right, then turned by 270°: rows and columns change places.
  case leftMirrored = 5
  /// To be turned by 90°.
  case right = 6
  /// To be mirrored left to right, then turned by 90°.
  case rightMirrored = 7
  /// To be turned by 270°.
  case left = 8

  /// Whether the image is mirrored left to right before it is turned.
  public var isMirrored: Bool {
    switch self {
    case .up, .down, .left, .right: false
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    }
  }

  /// The quarter turns clockwise that follow, 0…3.
  public var quarterTurnsClockwise: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }

  /// Whether width and height change places.
  public var exchangesSides: Bool { !quarterTurnsClockwise.isMultiple(of: 2) }

  /// The orientation that undoes this one.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    // Half turns and mirrors undo themselves.
    default: self
    }
  }

  /// Where the pixel (column, row) of an image of `resolution` goes, pixel centres at whole numbers.
  public func place(of pixel: SIMD2<Double>, in resolution: Resolution) -> SIMD2<Double> {
    let last = SIMD2(Double(resolution.width - 1), Double(resolution.height - 1))
    return switch self {
    case .up: pixel
    case .upMirrored: SIMD2(last.x - pixel.x, pixel.y)
    case .down: last - pixel
    case .downMirrored: SIMD2(pixel.x, last.y - pixel.y)
    case .leftMirrored: SIMD2(pixel.y, pixel.x)
    case .right: SIMD2(last.y - pixel.y, pixel.x)
    case .rightMirrored: SIMD2(last.y - pixel.y, last.x - pixel.x)
    case .left: SIMD2(pixel.y, last.x - pixel.x)
    }
  }
}

extension Resolution {
  /// The size of images of this size after they were turned upright.
  public func oriented(_ orientation: ImageOrientation) -> Resolution {
    orientation.exchangesSides ? Resolution(width: height, height: width) : self
  }
}

extension CameraParameters {
  /// The camera whose images are these images turned and mirrored upright from `orientation`.
  ///
  /// To be applied together with the same orientation of the pixels (`PixelImage.oriented`). Focal
  /// lengths, principal point (pixel-centre convention) and tangential coefficients follow; the
  /// camera frame turns and is mirrored with the image. See `rotated` and `mirrored` for the formulas.
  public func oriented(_ orientation: ImageOrientation) -> CameraParameters {
    (orientation.isMirrored ? mirrored : self).rotated(
      quarterTurnsClockwise: orientation.quarterTurnsClockwise)
  }
}

extension Intrinsics {
  /// The intrinsics after images of `resolution` were turned upright from `orientation`.
  ///
  /// In the pixel-centre convention: a mirror takes cx to W − 1 − cx, a quarter turn clockwise
  /// (cx, cy) to (H − 1 − cy, cx) and exchanges fx and fy.
  public func oriented(
    _ orientation: ImageOrientation, in resolution: Resolution
  ) -> Intrinsics {
    CameraParameters(resolution: resolution, intrinsics: self).oriented(orientation).intrinsics
  }
}
