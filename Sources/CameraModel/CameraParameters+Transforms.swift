// What happens to a camera's parameters when its images are resized, cut, turned or mirrored.
//
// Each function answers: with which camera would a point of the scene appear where the changed
// image shows it? Distortion acts on normalised coordinates, before the focal lengths, so resizing
// and cropping leave the coefficients alone; turning and mirroring move the tangential ones.

extension CameraParameters {
  /// The camera whose images are these images resized to `resolution`.
  ///
  /// The whole image is meant, squeezed where the aspect ratios differ. It says nothing about
  /// another *mode* of the same camera: modes often see different fields of view.
  public func scaled(to resolution: Resolution) -> CameraParameters {
    var result = scaled(
      byX: Double(resolution.width) / Double(self.resolution.width),
      y: Double(resolution.height) / Double(self.resolution.height))
    result.resolution = resolution
    return result
  }

  /// The camera whose images are these images resized by a factor along each axis.
  ///
  /// The intrinsics follow from the factors themselves; only `resolution` is rounded to whole
  /// pixels. A resize to a given size has the factors new size / old size: use `scaled(to:)`.
  ///
  /// - Parameters:
  ///   - sx: New columns per old column, finite and above 0.
  ///   - sy: New rows per old row, finite and above 0; need not equal `sx`.
  public func scaled(byX sx: Double, y sy: Double) -> CameraParameters {
    precondition(sx > 0 && sy > 0 && sx.isFinite && sy.isFinite, "scale factors are above 0")
    func scaled(_ length: Int, by factor: Double) -> Int {
      Int(exactly: (Double(length) * factor).rounded()).map { max(1, $0) } ?? .max
    }
    var result = self
    result.resolution = Resolution(
      width: scaled(resolution.width, by: sx), height: scaled(resolution.height, by: sy))
    result.intrinsics = intrinsics.scaled(byX: sx, y: sy)
    return result
  }

  /// The camera whose images are a rectangle cut from these images.
  ///
  /// - Parameters:
  ///   - x: The first column that is kept; negative where a border is added.
  ///   - y: The first row that is kept; negative where a border is added.
  ///   - width: The number of columns of the result, at least 1; may reach beyond the image.
  ///   - height: The number of rows of the result, at least 1; may reach beyond the image.
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> CameraParameters {
    precondition(width > 0 && height > 0, "a crop has at least one pixel")
    var result = self
    result.resolution = Resolution(width: width, height: height)
    result.intrinsics = intrinsics.cropped(x: Double(x), y: Double(y))
    return result
  }

  /// The camera whose images are these images turned clockwise by a number of quarter turns.
  ///
  /// One turn of a W×H image takes the pixel (u, v) to (H − 1 − v, u), so fx' = fy, fy' = fx,
  /// cx' = H − 1 − cy, cy' = cx, p1' = p2, p2' = −p1; radial coefficients stay. The camera frame
  /// turns with the image: X' = −Y, Y' = X.
  ///
  /// - Parameter turns: Any whole number; negative ones turn counterclockwise.
  public func rotated(quarterTurnsClockwise turns: Int) -> CameraParameters {
    var result = self
    for _ in 0..<(((turns % 4) + 4) % 4) { result = result.rotatedClockwise }
    return result
  }

  private var rotatedClockwise: CameraParameters {
    CameraParameters(
      resolution: Resolution(width: resolution.height, height: resolution.width),
      lensModel: lensModel,
      intrinsics: Intrinsics(
        fx: intrinsics.fy, fy: intrinsics.fx,
        cx: Double(resolution.height) - 1 - intrinsics.cy, cy: intrinsics.cx),
      distortion: distortionWithTangential { p1, p2 in (p2, -p1) })
  }

  /// The camera whose images are these images mirrored left to right.
  ///
  /// The pixel (u, v) goes to (W − 1 − u, v), so cx' = W − 1 − cx and p2' = −p2. The camera frame is
  /// mirrored with the image: X' = −X.
  public var mirrored: CameraParameters {
    var intrinsics = intrinsics
    intrinsics.cx = Double(resolution.width) - 1 - intrinsics.cx
    return CameraParameters(
      resolution: resolution, lensModel: lensModel, intrinsics: intrinsics,
      distortion: distortionWithTangential { p1, p2 in (p1, -p2) })
  }

  /// The coefficients with the tangential ones, where the model has them, replaced.
  private func distortionWithTangential(
    _ change: (_ p1: Double, _ p2: Double) -> (Double, Double)
  ) -> [Double] {
    let names = lensModel.coefficientNames
    guard let first = names.firstIndex(of: "p1"), let second = names.firstIndex(of: "p2") else {
      return distortion
    }
    var result = distortion
    (result[first], result[second]) = change(distortion[first], distortion[second])
    return result
  }
}
