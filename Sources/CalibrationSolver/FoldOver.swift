package import CameraModel

/// Where inside the image a lens model stops being a map: its distortion folds over, or has a pole.
package struct FoldOver: Sendable, Hashable {
  /// A pixel of the image that the fold leaves without a direction of its own, pixel-centre
  /// convention.
  package var pixel: SIMD2<Double>
  /// What is wrong, in words.
  package var reason: String
  /// The share of the way from the principal point to the farthest corner that the radial part covers,
  /// 0…1.
  package var coveredShare: Double

  /// Looks for a fold over the whole image; nil where there is none, as it should be.
  ///
  /// Two tests: along the radius up to the farthest corner the distorted radius must grow (a
  /// rational factor must have no pole on the way), and at each node of a grid over the whole image
  /// the pixel must see a direction where the image moves the same way round as the direction does
  /// (a positive determinant, tangential terms included).
  package init?(_ camera: CameraParameters) {
    if let fold = Self.alongRadius(camera) {
      self = fold
      return
    }
    // A spline ends where points end: what sees nothing there is no fold.
    guard camera.lensModel != .spline else { return nil }
    let (columns, rows) = (32, 18)
    let nodes = (0...rows).flatMap { row in
      (0...columns).map { column in
        SIMD2(
          Double(column) / Double(columns) * Double(camera.resolution.width) - 0.5,
          Double(row) / Double(rows) * Double(camera.resolution.height) - 0.5)
      }
    }
    for (pixel, ray) in zip(nodes, camera.unproject(nodes)) where ray == nil {
      self.init(
        pixel: pixel, coveredShare: 1,
        reason:
          "no direction projects to the pixel at \(Self.text(pixel)): the distortion folds "
          + "over inside the image")
      return
    }
    return nil
  }

  /// The fold of `camera` unless `reference`, another solution, covers no more of the image: a fisheye
  /// whose image circle lies inside the image folds over whatever the coefficients, and a spline ends with
  /// its points.
  package init?(worsening reference: CameraParameters, _ camera: CameraParameters) {
    guard let fold = FoldOver(camera) else { return nil }
    // What ends without a fold is a spline, with its points.
    let before = FoldOver(reference)?.coveredShare ?? RadialReach(reference)?.share
    if let before, before <= fold.coveredShare + 0.01 { return nil }
    self = fold
  }

  private init(pixel: SIMD2<Double>, coveredShare: Double, reason: String) {
    self.pixel = pixel
    self.coveredShare = coveredShare
    self.reason = reason
  }

  /// Whole pixels for people.
  private static func text(_ pixel: SIMD2<Double>) -> String {
    "(\(Int(pixel.x.rounded())), \(Int(pixel.y.rounded())))"
  }

  /// What is wrong with the radial part, up to the farthest corner.
  static func alongRadius(_ camera: CameraParameters) -> FoldOver? {
    guard let reach = RadialReach(camera), !reach.isEndOfPoints else { return nil }
    let centre = SIMD2(camera.intrinsics.cx, camera.intrinsics.cy)
    return FoldOver(
      pixel: reach.corner, coveredShare: reach.share,
      reason:
        "the distorted radius stops growing at \(Int((reach.share * 100).rounded(.down))) % of the way "
        + "from the principal point to the corner at \(text(reach.corner)), near the pixel at "
        + "\(text(centre + (reach.corner - centre) * reach.share)), so that nothing can be said beyond "
        + reach.text)
  }
}

extension Resolution {
  /// The image's middle, pixel-centre convention.
  package var middle: SIMD2<Double> { SIMD2(Double(width - 1), Double(height - 1)) / 2 }
}

extension CameraParameters {
  /// The four corners of the image, pixel-centre convention: from −0.5 to width − 0.5.
  var imageCorners: [SIMD2<Double>] {
    let right = Double(resolution.width) - 0.5
    let bottom = Double(resolution.height) - 0.5
    return [SIMD2(-0.5, -0.5), SIMD2(right, -0.5), SIMD2(-0.5, bottom), SIMD2(right, bottom)]
  }
}
