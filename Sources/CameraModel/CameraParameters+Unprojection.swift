import Glibc

/// What a pixel sees, and how that direction moves with the pixel and with the camera's parameters.
package struct Unprojection: Sendable {
  /// The direction, of length 1.
  package var ray: SIMD3<Double>
  /// ∂ray/∂u and ∂ray/∂v, per pixel.
  package var byPixel: (SIMD3<Double>, SIMD3<Double>)
  /// ∂ray/∂parameter at a fixed pixel, in the order of `LensModel.parameterNames`.
  package var byParameter: [SIMD3<Double>]
}

extension CameraParameters {
  /// The direction that a pixel sees, of length 1; nil where the model can't be inverted.
  ///
  /// Newton's method in the tangent plane of the ray, on the same formulas as `project`; the result
  /// projects back to within 1e-9 px. A direction beyond the place where the model folds over is no
  /// answer: between the optical axis and the result the image moves outwards all the way.
  ///
  /// - Parameter pixel: A pixel position in the pixel-centre convention.
  public func unproject(_ pixel: SIMD2<Double>) -> SIMD3<Double>? {
    withParameterPointer { parameters in
      var visitor = Unprojecting(pixel: pixel, lensModel: lensModel, parameters: parameters)
      return lensModel.withKernel(&visitor)
    }
  }

  /// The direction that a pixel sees, with its derivatives; nil where the model can't be inverted.
  ///
  /// By the implicit function theorem from the derivatives of the projection, in the tangent plane of
  /// the ray: d ray = E·(J·E)⁻¹·(d pixel − J_q·dq).
  package func unprojectWithJacobians(_ pixel: SIMD2<Double>) -> Unprojection? {
    guard let ray = unproject(pixel) else { return nil }
    let count = lensModel.parameterNames.count
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * count) { buffer in
      guard let jacobian = buffer.baseAddress,
        let image = projectWithJacobians(ray, parameterJacobian: jacobian),
        let tangent = TangentJacobian(ray: ray, image: image)
      else { return nil }
      return Unprojection(
        ray: ray, byPixel: (tangent.rayStep(1, 0), tangent.rayStep(0, 1)),
        byParameter: (0..<count).map { tangent.rayStep(-jacobian[$0], -jacobian[count + $0]) })
    }
  }
}

/// The projection's derivative by a turn of the ray in two directions across it.
struct TangentJacobian {
  var first: SIMD3<Double>
  var second: SIMD3<Double>
  var (uByFirst, uBySecond): (Double, Double)
  var (vByFirst, vBySecond): (Double, Double)
  var determinant: Double

  /// nil unless the image moves the same way round as the ray does (a positive determinant).
  init?(ray: SIMD3<Double>, image: LensProjection) {
    // Away from the ray's largest component, so that the cross product is well conditioned; for rays
    // near the axis `first` and `second` are close to x and y.
    let helper = abs(ray.x) < 0.9 ? SIMD3(1.0, 0, 0) : SIMD3(0, 1.0, 0)
    var e1 = helper - ray * (helper * ray).sum()
    e1 /= (e1 * e1).sum().squareRoot()
    let e2 = cross(ray, e1)
    let u = SIMD3(image.uByPoint.0, image.uByPoint.1, image.uByPoint.2)
    let v = SIMD3(image.vByPoint.0, image.vByPoint.1, image.vByPoint.2)
    (first, second) = (e1, e2)
    (uByFirst, uBySecond) = ((u * e1).sum(), (u * e2).sum())
    (vByFirst, vBySecond) = ((v * e1).sum(), (v * e2).sum())
    determinant = uByFirst * vBySecond - uBySecond * vByFirst
    guard determinant > 0, determinant.isFinite else { return nil }
  }

  /// The step of the ray, across it, that moves the image by (du, dv).
  func rayStep(_ du: Double, _ dv: Double) -> SIMD3<Double> {
    first * ((vBySecond * du - uBySecond * dv) / determinant)
      + second * ((uByFirst * dv - vByFirst * du) / determinant)
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

private struct Unprojecting: LensKernelVisitor {
  var pixel: SIMD2<Double>
  var lensModel: LensModel
  var parameters: UnsafePointer<Double>

  mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> SIMD3<Double>? {
    let search = RaySearch<Kernel>(parameters: parameters)
    guard let first = search.start(pixel, isAngular: lensModel.isAngular),
      let ray = search.ray(at: pixel, from: first), search.isOnFirstBranch(ray)
    else { return nil }
    return ray
  }
}

/// What pixels see, for one model's formulas.
struct RaySearch<Kernel: LensKernel> {
  var parameters: UnsafePointer<Double>

  func image(_ ray: SIMD3<Double>) -> LensProjection? {
    Kernel.project(x: ray.x, y: ray.y, z: ray.z, parameters: parameters, jacobian: nil)
  }

  /// Newton's method from a ray near by; nil where it does not end at the pixel.
  func ray(at pixel: SIMD2<Double>, from start: SIMD3<Double>) -> SIMD3<Double>? {
    func squaredError(_ image: LensProjection) -> Double {
      let (du, dv) = (image.u - pixel.x, image.v - pixel.y)
      return du * du + dv * dv
    }
    guard pixel.x.isFinite, pixel.y.isFinite, var current = image(start) else { return nil }
    var ray = start
    var error = squaredError(current)
    // Quadratic convergence takes 5 to 8 steps; 60 leave room for halved steps near a fold. Below
    // 1e-11 px rounding decides.
    for _ in 0..<60 where error > 1e-22 {
      guard let tangent = TangentJacobian(ray: ray, image: current) else { return nil }
      var step = tangent.rayStep(pixel.x - current.u, pixel.y - current.v)
      let length = (step * step).sum().squareRoot()
      if length > 0.3 { step *= 0.3 / length }
      var accepted = false
      for _ in 0..<30 {
        var trial = ray + step
        trial /= (trial * trial).sum().squareRoot()
        if let next = image(trial), TangentJacobian(ray: trial, image: next) != nil,
          squaredError(next) < error
        {
          (ray, current, error) = (trial, next, squaredError(next))
          accepted = true
          break
        }
        step /= 2
      }
      if !accepted { break }
    }
    return error < 1e-18 ? ray : nil
  }

  /// A first ray from the undistorted formulas, pulled towards the axis until the model answers.
  func start(_ pixel: SIMD2<Double>, isAngular: Bool) -> SIMD3<Double>? {
    let x = (pixel.x - parameters[2]) / parameters[0]
    let y = (pixel.y - parameters[3]) / parameters[1]
    let radius = (x * x + y * y).squareRoot()
    guard radius.isFinite else { return nil }
    guard radius > 0 else { return SIMD3(0, 0, 1) }
    var angle = isAngular ? min(radius, .pi / 2) : atan(radius)
    for _ in 0..<30 {
      let ray = SIMD3(x / radius * sin(angle), y / radius * sin(angle), cos(angle))
      if let first = image(ray), TangentJacobian(ray: ray, image: first) != nil { return ray }
      angle *= 0.8
    }
    return nil
  }

  /// Whether the model neither folds over nor stops between the optical axis and `ray`.
  func isOnFirstBranch(_ ray: SIMD3<Double>) -> Bool {
    let radius = (ray.x * ray.x + ray.y * ray.y).squareRoot()
    guard radius > 0 else { return true }
    let angle = atan2(radius, ray.z)
    let steps = 24
    for step in 1..<steps {
      let part = angle * Double(step) / Double(steps)
      let between = SIMD3(ray.x / radius * sin(part), ray.y / radius * sin(part), cos(part))
      guard let place = image(between), TangentJacobian(ray: between, image: place) != nil else {
        return false
      }
    }
    return true
  }
}
