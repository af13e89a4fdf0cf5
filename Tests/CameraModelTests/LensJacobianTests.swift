import CameraModel
import Glibc
import Testing

@Suite("lens models: derivatives and inversion")
struct LensJacobianTests {
  static let cameras = [
    CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .pinhole,
      intrinsics: Intrinsics(fx: 500, fy: 510, cx: 320, cy: 240),
      distortion: [-0.25, 0.08, 0.002, -0.003, -0.01]),
    CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .rational,
      intrinsics: Intrinsics(fx: 420, fy: 421, cx: 318, cy: 243),
      distortion: [0.4, 0.05, 0.001, -0.002, 0.002, 0.75, 0.15, 0.01]),
    CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
      distortion: [0.05, -0.01, 0.004, -0.001]),
    CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .spline,
      intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
      distortion: [0.05, -0.01, 0.002, -0.003, 0.004, -0.001, 0.02, -0.004, 0.06, 2]),
  ]

  /// On, close to and far from the axis; of models of the angle also behind the camera.
  static func points(for camera: CameraParameters) -> [SIMD3<Double>] {
    let front: [SIMD3<Double>] = [
      SIMD3(0, 0, 1), SIMD3(1e-6, -2e-6, 1), SIMD3(5e-5, 3e-5, 0.7), SIMD3(2e-4, 1e-4, 1),
      SIMD3(0.1, 0.05, 1), SIMD3(-0.3, 0.2, 0.8), SIMD3(0.4, -0.5, 1.3), SIMD3(0, 0.4, 1),
    ]
    let wide: [SIMD3<Double>] = [SIMD3(2, 1, 0.5), SIMD3(1, -1, 0), SIMD3(-0.6, 0.8, -0.4)]
    return camera.lensModel.isAngular ? front + wide : front
  }

  @Test("are all here, with as many parameters as they have names")
  func complete() {
    struct Count: LensKernelVisitor {
      mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> Int {
        Kernel.parameterCount
      }
    }
    #expect(Self.cameras.map(\.lensModel) == LensModel.allCases)
    for model in LensModel.allCases {
      var count = Count()
      #expect(model.withKernel(&count) == model.parameterNames.count)
      #expect(model.isEstimated.count == model.parameterNames.count)
    }
  }

  @Test("agree with central differences, by point and by parameter", arguments: cameras)
  func derivatives(camera: CameraParameters) throws {
    let count = camera.lensModel.parameterNames.count
    for point in Self.points(for: camera) {
      var jacobian = [Double](repeating: .nan, count: 2 * count)
      let image = try #require(
        jacobian.withUnsafeMutableBufferPointer {
          camera.projectWithJacobians(point, parameterJacobian: $0.baseAddress)
        })
      // Central differences with a step of 1e-6 leave about 1e-10 of rounding and truncation a unit
      // of the value, which is some 1e3 px.
      let step = 1e-6
      func difference(_ a: SIMD2<Double>?, _ b: SIMD2<Double>?) throws -> SIMD2<Double> {
        try (#require(a) - #require(b)) / (2 * step)
      }
      let byPoint = [image.uByPoint, image.vByPoint].map { [$0.0, $0.1, $0.2] }
      for axis in 0..<3 {
        var shift = SIMD3<Double>()
        shift[axis] = step
        let numeric = try difference(camera.project(point + shift), camera.project(point - shift))
        expectClose(byPoint[0][axis], numeric.x, "∂u by axis \(axis) at \(point)")
        expectClose(byPoint[1][axis], numeric.y, "∂v by axis \(axis) at \(point)")
      }
      for index in 0..<count {
        let numeric = try difference(
          camera.shifted(index, by: step).project(point),
          camera.shifted(index, by: -step).project(point))
        expectClose(jacobian[index], numeric.x, "∂u by parameter \(index) at \(point)")
        expectClose(jacobian[count + index], numeric.y, "∂v by parameter \(index) at \(point)")
      }
    }
  }

  @Test("unproject what they project, to 1e-9 px and 1e-12 in direction", arguments: cameras)
  func roundTrip(camera: CameraParameters) throws {
    for point in Self.points(for: camera) {
      let pixel = try #require(camera.project(point))
      let ray = try #require(camera.unproject(pixel), "nothing at \(pixel)")
      let expected = point / (point * point).sum().squareRoot()
      #expect(((ray - expected) * (ray - expected)).sum() < 1e-22, "\(ray), \(expected)")
    }
    for row in stride(from: 0.0, through: 479, by: 31) {
      for column in stride(from: 0.0, through: 639, by: 37) {
        let pixel = SIMD2(column, row)
        let ray = try #require(camera.unproject(pixel), "nothing at \(pixel)")
        let back = try #require(camera.project(ray))
        #expect(((back - pixel) * (back - pixel)).sum() < 1e-18)
      }
    }
  }

  @Test("the inversion's derivatives agree with central differences", arguments: cameras)
  func inverseDerivatives(camera: CameraParameters) throws {
    for pixel in [SIMD2(320.3, 240.8), SIMD2(30.0, 40.0), SIMD2(600.0, 100.0)] {
      let inverse = try #require(camera.unprojectWithJacobians(pixel))
      func check(_ value: SIMD3<Double>, _ a: SIMD3<Double>?, _ b: SIMD3<Double>?, _ step: Double)
        throws
      {
        let numeric = try (#require(a) - #require(b)) / (2 * step)
        for axis in 0..<3 { expectClose(value[axis], numeric[axis], "ray axis \(axis)") }
      }
      let step = SIMD2(1e-3, 0.0)
      try check(
        inverse.byPixel.0, camera.unproject(pixel + step), camera.unproject(pixel - step), 1e-3)
      let down = SIMD2(0.0, 1e-3)
      try check(
        inverse.byPixel.1, camera.unproject(pixel + down), camera.unproject(pixel - down), 1e-3)
      for index in inverse.byParameter.indices {
        let step = index < 4 ? 1e-3 : 1e-6
        try check(
          inverse.byParameter[index], camera.shifted(index, by: step).unproject(pixel),
          camera.shifted(index, by: -step).unproject(pixel), step)
      }
    }
  }

  @Test("say nothing where a lens has no answer, and never a number that is none")
  func noAnswer() {
    let (pinhole, rational, fisheye) = (Self.cameras[0], Self.cameras[1], Self.cameras[2])
    #expect(pinhole.project(SIMD3(0.1, 0.1, 0)) == nil)
    #expect(pinhole.project(SIMD3(0.1, 0.1, -1)) == nil)
    #expect(rational.project(SIMD3(0, 0, -1)) == nil)
    #expect(fisheye.project(SIMD3(0, 0, 0)) == nil)
    #expect(fisheye.project(SIMD3(0, 0, -1)) == nil)
    for camera in Self.cameras {
      #expect(camera.unproject(SIMD2(.nan, 0)) == nil)
      #expect(camera.unproject(SIMD2(.infinity, 0)) == nil)
    }
    // A pole at r² = 2: beyond it the formula gives numbers, but no image.
    let pole = CameraParameters(
      resolution: rational.resolution, lensModel: .rational, intrinsics: rational.intrinsics,
      distortion: [0, 0, 0, 0, 0, -0.5])
    #expect(pole.project(SIMD3(1, 0.9, 1)) != nil)
    #expect(pole.project(SIMD3(1.1, 1.1, 1)) == nil)
    // r(1 − r²/3) turns back at r = 1, 2/3 in the image: nothing further out has a direction, also
    // where a second branch of the polynomial comes by.
    let folding = CameraParameters(
      resolution: pinhole.resolution, lensModel: .pinhole, intrinsics: pinhole.intrinsics,
      distortion: [-1.0 / 3, 0, 0, 0, 0.004])
    #expect(folding.unproject(SIMD2(320 + 500 * 0.66, 240)) != nil)
    #expect(folding.unproject(SIMD2(320 + 500 * 0.69, 240)) == nil)
    #expect(folding.unproject(SIMD2(320 + 500 * 3, 240)) == nil)
  }

  @Test("a spline ends at its limit: nothing beyond it is seen, and all of it within is")
  func splineLimit() throws {
    let camera = Self.cameras[3]
    let limit = camera.distortion[9]
    func point(_ angle: Double, _ around: Double) -> SIMD3<Double> {
      SIMD3(cos(around) * sin(angle), sin(around) * sin(angle), cos(angle))
    }
    for around in stride(from: 0.0, to: 6.2, by: 0.3) {
      let last = try #require(camera.project(point(limit - 1e-9, around)))
      #expect(camera.project(point(limit + 1e-9, around)) == nil)
      let ray = try #require(camera.unproject(last))
      #expect(abs(acos(ray.z) - limit) < 1e-8)
      // A pixel further out.
      let centre = SIMD2(camera.intrinsics.cx, camera.intrinsics.cy)
      #expect(camera.unproject(centre + (last - centre) * 1.001) == nil)
      #expect(camera.unproject(centre + (last - centre) * 3) == nil)
    }
    // Where it ends, or that it is no limit at all, never yields a number that is none.
    for limit in [0, -1, .nan, .pi, 4] {
      var vector = camera.parameterVector
      vector[13] = limit
      let other = CameraParameters(
        resolution: camera.resolution, lensModel: .spline, parameterVector: vector)
      for point in Self.points(for: camera) {
        if let pixel = other.project(point) { #expect(pixel.x.isFinite && pixel.y.isFinite) }
      }
      #expect((other.project(SIMD3(0.3, 0.2, 1)) != nil) == (limit > 1))
    }
  }

  @Test("a spline without tangential terms and knots is the fisheye lens, to the last digits")
  func splineIsFisheye() throws {
    let fisheye = Self.cameras[2]
    let k = fisheye.distortion
    let spline = CameraParameters(
      resolution: fisheye.resolution, lensModel: .spline, intrinsics: fisheye.intrinsics,
      distortion: [k[0], k[1], 0, 0, k[2], k[3], 0, 0, 0, 2])
    for point in Self.points(for: fisheye) {
      let (a, b) = (try #require(fisheye.project(point)), try #require(spline.project(point)))
      #expect(((a - b) * (a - b)).sum() < 1e-20, "\(point)")
    }
  }

  /// Values agree to 1e-6 relative, or 1e-6 absolute near zero, well above the differences' noise.
  private func expectClose(
    _ value: Double, _ numeric: Double, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let allowed = 1e-6 * max(1, abs(numeric))
    #expect(
      abs(value - numeric) <= allowed, "\(what): \(value) instead of \(numeric) ± \(allowed)",
      sourceLocation: sourceLocation)
  }
}

extension CameraParameters {
  fileprivate func shifted(_ index: Int, by step: Double) -> CameraParameters {
    var vector = parameterVector
    vector[index] += step
    return CameraParameters(resolution: resolution, lensModel: lensModel, parameterVector: vector)
  }
}
