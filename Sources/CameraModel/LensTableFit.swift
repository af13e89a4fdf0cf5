import Glibc

/// Distortion centre and both tables of a camera, fitted together over its image.
///
/// A table is radially symmetric about its centre. Tangential distortion is not about the principal
/// point, but nearly so about a centre that is shifted by −f·(p2, p1)/k1; what is left is the residual.
struct LensTableFit {
  /// Pixels, pixel-corner convention.
  let center: SIMD2<Double>
  /// From undistorted to distorted points.
  let forward: LensDistortionTable
  /// From distorted to undistorted points.
  let inverse: LensDistortionTable
  let forwardResidual: LensTableResidual
  let inverseResidual: LensTableResidual

  /// Cells across of the grid whose corners are the points, for the tables and for the centre.
  private static let (fineGrid, coarseGrid) = (96, 48)
  /// Below this size of the cubic radial coefficient a shift of the centre does nothing but make
  /// tables of a lens without distortion wander: it would be 5 % of the focal length for p = 5e-4.
  private static let leastCubic = 0.01
  /// The farthest that a centre may lie from the principal point, in diagonals.
  private static let farthestShift = 0.1
  /// The strongest stretching from the image to the undistorted one.
  ///
  /// Beyond it there is nothing left to see. On a fisheye it is reached at 72° from the axis, on others
  /// near the fold.
  private static let mostStretch = 10.0

  /// Fits tables of `count` samples.
  init(_ camera: CameraParameters, count: Int = LensDistortionTable.usualCount) {
    let principal = SIMD2(camera.intrinsics.cx, camera.intrinsics.cy) + 0.5
    let center = Self.fittedCenter(camera, from: principal, count)
    self.center = center
    let places = Double(Self.places(camera.resolution, Self.fineGrid).count)
    func fit(_ points: LensTableSamples) -> (LensDistortionTable, LensTableResidual) {
      let table = LensDistortionTable(
        samples: points.table(center: center, count: count).map { Float($0) })
      // Of the table as it is handed out, in single precision.
      let (squares, maximum) = points.residual(of: table.samples.map { Double($0) }, center: center)
      let found = Double(points.samples.count)
      return (
        table,
        LensTableResidual(
          maximum: maximum, rms: (squares / max(1, found)).squareRoot(), share: found / places)
      )
    }
    (self.forward, forwardResidual) = fit(Self.undistortedPoints(camera, Self.fineGrid))
    (self.inverse, inverseResidual) = fit(Self.distortedPoints(camera, Self.fineGrid))
  }

  // MARK: Points

  /// The corners of a grid of `columns` cells across, three down for each four, over the image.
  private static func places(_ resolution: Resolution, _ columns: Int) -> [SIMD2<Double>] {
    let rows = columns * 3 / 4
    return (0...rows).flatMap { row in
      (0...columns).map { column in
        SIMD2(
          Double(resolution.width) * Double(column) / Double(columns),
          Double(resolution.height) * Double(row) / Double(rows))
      }
    }
  }

  private static func points(
    _ camera: CameraParameters, _ columns: Int,
    _ sample: (SIMD2<Double>) -> LensTableSamples.Sample?
  ) -> LensTableSamples {
    LensTableSamples(
      samples: places(camera.resolution, columns).compactMap(sample),
      width: Double(camera.resolution.width), height: Double(camera.resolution.height))
  }

  /// Points of the undistorted image, seen through the lens.
  private static func undistortedPoints(
    _ camera: CameraParameters, _ columns: Int
  ) -> LensTableSamples {
    let k = camera.intrinsics
    return points(camera, columns) { place in
      let ray = SIMD3((place.x - 0.5 - k.cx) / k.fx, (place.y - 0.5 - k.cy) / k.fy, 1)
      guard let pixel = camera.project(ray), let back = camera.unproject(pixel), back.z > 0 else {
        return nil
      }
      // Beyond the fold a pixel belongs to another direction.
      let error = abs(back.x / back.z - ray.x) + abs(back.y / back.z - ray.y)
      guard error < 1e-6 * (1 + abs(ray.x) + abs(ray.y)) else { return nil }
      return .init(from: place, to: pixel + 0.5)
    }
  }

  /// Points of the image, where they would be without distortion.
  private static func distortedPoints(_ camera: CameraParameters, _ columns: Int)
    -> LensTableSamples
  {
    let k = camera.intrinsics
    return points(camera, columns) { place in
      guard let ray = camera.unproject(place - 0.5), ray.z > 0 else { return nil }
      let direction = SIMD3(ray.x / ray.z, ray.y / ray.z, 1)
      guard let image = camera.projectWithJacobians(direction, parameterJacobian: nil) else {
        return nil
      }
      let offset = SIMD2(k.fx * direction.x, k.fy * direction.y)
      let sample = LensTableSamples.Sample(
        from: place, to: offset + SIMD2(k.cx, k.cy) + 0.5,
        xStep: SIMD2(image.uByPoint.0, image.vByPoint.0) / k.fx,
        yStep: SIMD2(image.uByPoint.1, image.vByPoint.1) / k.fy)
      let shrunk = sample.inImage(offset)
      guard hypot(shrunk.x, shrunk.y) * mostStretch >= hypot(offset.x, offset.y) else { return nil }
      return sample
    }
  }

  // MARK: Centre

  private static func fittedCenter(
    _ camera: CameraParameters, from principal: SIMD2<Double>, _ count: Int
  ) -> SIMD2<Double> {
    guard let lens = TangentialLens(camera), lens.p1 != 0 || lens.p2 != 0,
      abs(lens.cubic) >= leastCubic
    else { return principal }
    let maps = [undistortedPoints(camera, coarseGrid), distortedPoints(camera, coarseGrid)]
    let bound = farthestShift * camera.resolution.diagonal
    func cost(_ shift: SIMD2<Double>) -> Double {
      guard hypot(shift.x, shift.y) <= bound else { return .infinity }
      let center = principal + shift
      return maps.map {
        $0.residual(of: $0.table(center: center, count: count), center: center).squares
      }.reduce(0, +)
    }
    var best = SIMD2(0.0, 0)
    var least = cost(best)
    let guess = SIMD2(-camera.intrinsics.fx * lens.p2, -camera.intrinsics.fy * lens.p1) / lens.cubic
    let guessed = cost(guess)
    if guessed < least { (best, least) = (guess, guessed) }
    // Newton's method with differences over a pixel: the cost is nearly a paraboloid. A step that does
    // not help is halved; less than a thousandth of a pixel changes nothing.
    for _ in 0..<20 {
      guard let step = newtonStep(cost, at: best, least) else { break }
      var share = 1.0
      var moved = false
      while share > 0.01, !moved {
        let trial = best + step * share
        let value = cost(trial)
        if value < least {
          (best, least, moved) = (trial, value, true)
        } else {
          share /= 2
        }
      }
      if !moved || hypot(step.x, step.y) * share < 1e-3 { break }
    }
    return principal + best
  }

  private static func newtonStep(
    _ cost: (SIMD2<Double>) -> Double, at place: SIMD2<Double>, _ here: Double
  ) -> SIMD2<Double>? {
    let (right, left) = (cost(place + SIMD2(1, 0)), cost(place - SIMD2(1, 0)))
    let (below, above) = (cost(place + SIMD2(0, 1)), cost(place - SIMD2(0, 1)))
    let (both, neither) = (cost(place + 1), cost(place - 1))
    let gradient = SIMD2((right - left) / 2, (below - above) / 2)
    let (xx, yy) = (right - 2 * here + left, below - 2 * here + above)
    let xy = (both - 2 * here + neither - xx - yy) / 2
    let determinant = xx * yy - xy * xy
    guard determinant > 0, xx > 0, determinant.isFinite else { return nil }
    return SIMD2(
      -(yy * gradient.x - xy * gradient.y), -(xx * gradient.y - xy * gradient.x)) / determinant
  }
}

/// What a lens has of tangential distortion, beside the radial one of the lowest order.
private struct TangentialLens {
  /// The coefficient of r³ in x' = x(1 + …).
  let cubic: Double
  let p1: Double
  let p2: Double

  /// nil for a lens model without tangential terms.
  init?(_ camera: CameraParameters) {
    func value(_ name: String) -> Double {
      camera.lensModel.coefficientNames.firstIndex(of: name).map { camera.distortion[$0] } ?? 0
    }
    switch camera.lensModel {
    case .fisheye: return nil
    case .pinhole, .rational: cubic = value("k1") - value("k4")
    // r = θ(1 + k1 θ²) and θ = R − R³/3 + …, R the tangent.
    case .spline: cubic = value("k1") - 1.0 / 3
    }
    (p1, p2) = (value("p1"), value("p2"))
  }
}
