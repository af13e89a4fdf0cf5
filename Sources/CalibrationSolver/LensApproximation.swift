package import CameraModel
import Glibc

extension CameraParameters {
  /// As many points as a start value needs.
  private static let approximationPoints = 1000

  /// A camera with another lens model that images much the same where the points lie: a start value.
  ///
  /// Focal lengths and principal point stay (they are paraxial in every model); two radial coefficients
  /// are fitted to the radius over the angle at the used points. Rational starts from Brown–Conrady, a
  /// spline from the fisheye lens that it extends.
  package func approximated(by model: LensModel, over views: [ObservedView]) -> CameraParameters {
    switch (lensModel, model) {
    case (model, _): self
    case (.pinhole, .rational):
      CameraParameters(
        resolution: resolution, lensModel: model, intrinsics: intrinsics, distortion: distortion)
    case (_, .spline):
      approximated(by: .fisheye, over: views)
        .splined(thetaMax: (largestAngle(views) ?? .pi) * Self.reachMargin)
    default:
      CameraParameters(
        resolution: resolution, lensModel: model, intrinsics: intrinsics,
        distortion: radialCoefficients(of: model, views))
    }
  }

  /// The pixel's place in focal lengths from the principal point.
  private func place(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(
      (pixel.x - intrinsics.cx) / intrinsics.fx, (pixel.y - intrinsics.cy) / intrinsics.fy)
  }

  /// The largest angle to the axis at which a used point is seen; nil of none.
  private func largestAngle(_ views: [ObservedView]) -> Double? {
    views.compactMap { view -> Double? in
      // What is farthest out in the image is so in the field, but for tangential terms.
      let farthest = view.pixels.indices.filter { view.isUsed[$0] }.max { one, other in
        let (a, b) = (place(view.pixels[one]), place(view.pixels[other]))
        return (a * a).sum() < (b * b).sum()
      }
      return farthest.flatMap { unproject(view.pixels[$0]) }.map { acos(max(-1, min(1, $0.z))) }
    }.max()
  }

  /// k1 and k2 of another model that come nearest to this one, over some of the used points.
  private func radialCoefficients(of model: LensModel, _ views: [ObservedView]) -> [Double] {
    let count = views.reduce(0) { $0 + $1.pixels.count }
    let step = max(1, count / Self.approximationPoints)
    var normal = [0.0, 0, 0, 0]
    var right = [0.0, 0]
    var number = 0
    for view in views {
      for (pixel, isUsed) in zip(view.pixels, view.isUsed) {
        number += 1
        guard number % step == 0, isUsed, let ray = unproject(pixel),
          ray.z > 0 || model.isAngular
        else { continue }
        let across = (ray.x * ray.x + ray.y * ray.y).squareRoot()
        let place = place(pixel)
        let radius = (place * place).sum().squareRoot()
        let base = model.isAngular ? atan2(across, ray.z) : across / ray.z
        // Beyond 80° a tangent says more about its own growth than about the lens.
        guard model.isAngular || base < 5.67 else { continue }
        let (a, b) = (base * base * base, base * base * base * base * base)
        normal[0] += a * a
        normal[2] += a * b
        normal[3] += b * b
        right[0] += a * (radius - base)
        right[1] += b * (radius - base)
      }
    }
    return SmallMatrix.solve(normal, 2, &right) ? right : []
  }
}
