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

  /// The largest angle to the axis at which a used point is seen; nil of none.
  private func largestAngle(_ views: [ObservedView]) -> Double? {
    views.compactMap { view -> Double? in
      // What is farthest out in the image is so in the field, but for tangential terms.
      let farthest = view.pixels.indices.filter { view.isUsed[$0] }.max { one, other in
        let a = intrinsics.place(of: view.pixels[one])
        let b = intrinsics.place(of: view.pixels[other])
        return (a * a).sum() < (b * b).sum()
      }
      return farthest.flatMap { angle(of: view.pixels[$0]) }
    }.max()
  }

  /// k1 and k2 of another model that come nearest to this one, over some of the used points.
  private func radialCoefficients(of model: LensModel, _ views: [ObservedView]) -> [Double] {
    let count = views.reduce(0) { $0 + $1.pixels.count }
    let step = max(1, count / Self.approximationPoints)
    var terms = RadialTerms()
    var number = 0
    for view in views {
      for (pixel, isUsed) in zip(view.pixels, view.isUsed) {
        number += 1
        guard number % step == 0, isUsed, let ray = unproject(pixel),
          ray.z > 0 || model.isAngular
        else { continue }
        let across = (ray.x * ray.x + ray.y * ray.y).squareRoot()
        let place = intrinsics.place(of: pixel)
        let radius = (place * place).sum().squareRoot()
        let base = model.isAngular ? atan2(across, ray.z) : across / ray.z
        // Beyond 80° a tangent says more about its own growth than about the lens.
        guard model.isAngular || base < 5.67 else { continue }
        terms.add(base, distorted: radius)
      }
    }
    return terms.coefficients
  }
}

/// k1 and k2 by least squares of r·(1 + k1·r² + k2·r⁴) − distorted radius.
struct RadialTerms {
  private var normal = [0.0, 0, 0, 0]
  private var right = [0.0, 0]

  /// Adds a radius (or angle) and what a lens makes of it.
  mutating func add(_ radius: Double, distorted: Double) {
    let cube = radius * radius * radius
    let (a, b) = (cube, cube * radius * radius)
    normal[0] += a * a
    normal[2] += a * b
    normal[3] += b * b
    right[0] += a * (distorted - radius)
    right[1] += b * (distorted - radius)
  }

  /// None where what was added does not determine them.
  var coefficients: [Double] {
    var result = right
    return SmallMatrix.solve(normal, 2, &result) ? result : []
  }
}
