import CameraModel
import Glibc
import Testing

/// One uneven, off-centre camera per lens model; all coefficients differ from zero, so that a
/// transform that forgets one of them shows.
private let cameras = [
  CameraParameters(
    resolution: Resolution(width: 1280, height: 720), lensModel: .pinhole,
    intrinsics: Intrinsics(fx: 912.3, fy: 905.1, cx: 655.2, cy: 347.9),
    distortion: [-0.31, 0.11, 0.0017, -0.0023, -0.017]),
  CameraParameters(
    resolution: Resolution(width: 1280, height: 720), lensModel: .rational,
    intrinsics: Intrinsics(fx: 912.3, fy: 905.1, cx: 655.2, cy: 347.9),
    distortion: [0.12, -0.05, 0.0017, -0.0023, 0.004, 0.31, 0.05, 0.011]),
  CameraParameters(
    resolution: Resolution(width: 1280, height: 720), lensModel: .fisheye,
    intrinsics: Intrinsics(fx: 402.3, fy: 399.1, cx: 655.2, cy: 347.9),
    distortion: [-0.02, 0.007, -0.004, 0.0006]),
  CameraParameters(
    resolution: Resolution(width: 1280, height: 720), lensModel: .spline,
    intrinsics: Intrinsics(fx: 402.3, fy: 399.1, cx: 655.2, cy: 347.9),
    distortion: [-0.02, 0.007, 0.0017, -0.0023, -0.004, 0.0006, 0.03, -0.002, 0.05, 1.8]),
]

/// Points all over the field of view, in the camera frame.
private let points: [SIMD3<Double>] = (-4...4).flatMap { (i: Int) -> [SIMD3<Double>] in
  (-3...3).map { (j: Int) -> SIMD3<Double> in
    let (x, y) = (0.16 * Double(i), 0.12 * Double(j))
    return SIMD3(x, y, 1 + 0.5 * x * y)
  }
}

/// An image operation: what it does to a pixel in the *corner* convention, where resize is a plain
/// product, to the camera frame, and to the camera.
private struct Operation: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var cornerPixel: @Sendable (SIMD2<Double>) -> SIMD2<Double>
  var frame: @Sendable (SIMD3<Double>) -> SIMD3<Double> = { $0 }
  var apply: @Sendable (CameraParameters) -> CameraParameters
  var resolution: Resolution
}

private func resize(to width: Int, _ height: Int) -> Operation {
  let factors = SIMD2(Double(width) / 1280, Double(height) / 720)
  let resolution = Resolution(width: width, height: height)
  return Operation(
    testDescription: "squeeze 1280x720 to \(resolution)", cornerPixel: { $0 * factors },
    apply: { $0.scaled(to: resolution) }, resolution: resolution)
}

private let operations: [Operation] = [
  resize(to: 640, 360), resize(to: 2560, 1440), resize(to: 640, 480), resize(to: 427, 240),
  Operation(
    testDescription: "scale by 1/3", cornerPixel: { $0 / 3 },
    apply: { $0.scaled(byX: 1.0 / 3, y: 1.0 / 3) }, resolution: Resolution(width: 427, height: 240)),
  Operation(
    testDescription: "scale by 0.5 and 2", cornerPixel: { $0 * SIMD2(0.5, 2) },
    apply: { $0.scaled(byX: 0.5, y: 2) }, resolution: Resolution(width: 640, height: 1440)),
  Operation(
    testDescription: "crop", cornerPixel: { $0 - SIMD2(160, 7) },
    apply: { $0.cropped(x: 160, y: 7, width: 960, height: 700) },
    resolution: Resolution(width: 960, height: 700)),
  Operation(
    testDescription: "1280x720 to 640x480 by cutting to 4:3, then a resize",
    cornerPixel: { ($0 - SIMD2(160, 0)) * 2 / 3 },
    apply: {
      $0.cropped(x: 160, y: 0, width: 960, height: 720).scaled(
        to: Resolution(width: 640, height: 480))
    }, resolution: Resolution(width: 640, height: 480)),
  Operation(
    testDescription: "add a border", cornerPixel: { $0 + SIMD2(10, 20) },
    apply: { $0.cropped(x: -10, y: -20, width: 1300, height: 760) },
    resolution: Resolution(width: 1300, height: 760)),
  Operation(
    testDescription: "turn clockwise", cornerPixel: { SIMD2(720 - $0.y, $0.x) },
    frame: { SIMD3(-$0.y, $0.x, $0.z) },
    apply: { $0.rotated(quarterTurnsClockwise: 1) },
    resolution: Resolution(width: 720, height: 1280)
  ),
  Operation(
    testDescription: "turn upside down", cornerPixel: { SIMD2(1280 - $0.x, 720 - $0.y) },
    frame: { SIMD3(-$0.x, -$0.y, $0.z) },
    apply: { $0.rotated(quarterTurnsClockwise: -2) },
    resolution: Resolution(width: 1280, height: 720)),
  Operation(
    testDescription: "turn counterclockwise", cornerPixel: { SIMD2($0.y, 1280 - $0.x) },
    frame: { SIMD3($0.y, -$0.x, $0.z) },
    apply: { $0.rotated(quarterTurnsClockwise: 7) },
    resolution: Resolution(width: 720, height: 1280)
  ),
  Operation(
    testDescription: "mirror", cornerPixel: { SIMD2(1280 - $0.x, $0.y) },
    frame: { SIMD3(-$0.x, $0.y, $0.z) }, apply: { $0.mirrored },
    resolution: Resolution(width: 1280, height: 720)),
  orientation(.up, { $0 }, { $0 }),
  orientation(.upMirrored, { SIMD2(1280 - $0.x, $0.y) }, { SIMD3(-$0.x, $0.y, $0.z) }),
  orientation(.down, { SIMD2(1280 - $0.x, 720 - $0.y) }, { SIMD3(-$0.x, -$0.y, $0.z) }),
  orientation(.downMirrored, { SIMD2($0.x, 720 - $0.y) }, { SIMD3($0.x, -$0.y, $0.z) }),
  orientation(.leftMirrored, { SIMD2($0.y, $0.x) }, { SIMD3($0.y, $0.x, $0.z) }),
  orientation(.right, { SIMD2(720 - $0.y, $0.x) }, { SIMD3(-$0.y, $0.x, $0.z) }),
  orientation(.rightMirrored, { SIMD2(720 - $0.y, 1280 - $0.x) }, { SIMD3(-$0.y, -$0.x, $0.z) }),
  orientation(.left, { SIMD2($0.y, 1280 - $0.x) }, { SIMD3($0.y, -$0.x, $0.z) }),
]

private func orientation(
  _ orientation: ImageOrientation,
  _ cornerPixel: @escaping @Sendable (SIMD2<Double>) -> SIMD2<Double>,
  _ frame: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
) -> Operation {
  Operation(
    testDescription: "turn upright from \(orientation)", cornerPixel: cornerPixel, frame: frame,
    apply: { $0.oriented(orientation) },
    resolution: Resolution(width: 1280, height: 720).oriented(orientation))
}

@Suite("Camera transforms")
struct TransformTests {
  @Test(
    "a point appears where the changed image shows it (resolution: principal point off by (s−1)/2)",
    arguments: cameras, operations)
  private func projections(camera: CameraParameters, operation: Operation) throws {
    let changed = operation.apply(camera)
    #expect(changed.resolution == operation.resolution)
    #expect(changed.lensModel == camera.lensModel)
    for point in points {
      let before = try #require(camera.project(point))
      let after = try #require(changed.project(operation.frame(point)))
      // The rule is exact, so only rounding is allowed; the contract is 0.01 px.
      let error = after + 0.5 - operation.cornerPixel(before + 0.5)
      #expect(abs(error.x) < 1e-9 && abs(error.y) < 1e-9, "\(point): off by \(error) px")
    }
  }

  @Test("the matrix with Apple's origin scales with the image, without half pixels")
  func appleMatrix() {
    let matrix = cameras[0].intrinsics.matrix(origin: .corner)
    let half = cameras[0].scaled(to: Resolution(width: 640, height: 360))
      .intrinsics.matrix(origin: .corner)
    // Halving is exact in binary floating point.
    #expect(half[0, 0] == matrix[0, 0] / 2 && half[1, 1] == matrix[1, 1] / 2)
    #expect(half[2, 0] == matrix[2, 0] / 2 && half[2, 1] == matrix[2, 1] / 2)
    let centre = cameras[0].scaled(to: Resolution(width: 640, height: 360)).intrinsics.matrix()
    #expect(abs(centre[2, 0] - (655.7 / 2 - 0.5)) < 1e-4)
  }

  @Test("pixels, intrinsics and cameras turn alike", arguments: ImageOrientation.allCases)
  func orientations(orientation: ImageOrientation) {
    let camera = cameras[0]
    let turned = camera.oriented(orientation)
    let axis = SIMD2(camera.intrinsics.cx, camera.intrinsics.cy)
    let place = orientation.place(of: axis, in: camera.resolution)
    #expect(abs(turned.intrinsics.cx - place.x) < 1e-9)
    #expect(abs(turned.intrinsics.cy - place.y) < 1e-9)
    #expect(camera.intrinsics.oriented(orientation, in: camera.resolution) == turned.intrinsics)
    let back = turned.oriented(orientation.inverse)
    #expect(back.resolution == camera.resolution && back.distortion == camera.distortion)
  }

  @Test("transforms undo one another", arguments: cameras)
  func inverses(camera: CameraParameters) {
    #expect(camera.mirrored.mirrored.distortion == camera.distortion)
    let turned = camera.rotated(quarterTurnsClockwise: 1).rotated(quarterTurnsClockwise: 3)
    #expect(turned.distortion == camera.distortion && turned.resolution == camera.resolution)
    let resized = camera.scaled(to: Resolution(width: 333, height: 777)).scaled(
      to: camera.resolution)
    for (a, b) in zip(resized.parameterVector, camera.parameterVector) {
      #expect(abs(a - b) <= 1e-12 * abs(b))
    }
  }
}

@Suite("Undistortion of points and field of view")
struct UndistortionTests {
  @Test(
    "what a pixel sees appears at the undistorted pixel of a pinhole camera", arguments: cameras)
  func undistortion(camera: CameraParameters) throws {
    let ideal = CameraParameters(
      resolution: camera.resolution,
      intrinsics: Intrinsics(fx: 500, fy: 510, cx: 600, cy: 350))
    for point in points {
      let pixel = try #require(camera.project(point))
      let undistorted = try #require(camera.undistorted(pixel, onto: ideal.intrinsics))
      let expected = try #require(ideal.project(point))
      #expect(abs(undistorted.x - expected.x) < 1e-7 && abs(undistorted.y - expected.y) < 1e-7)
      let back = try #require(camera.distorted(undistorted, from: ideal.intrinsics))
      #expect(abs(back.x - pixel.x) < 1e-7 && abs(back.y - pixel.y) < 1e-7)
    }
    let pixels = [SIMD2(640.0, 360), SIMD2(655.2, 347.9)]
    #expect(camera.undistorted(pixels)[0] == camera.undistorted(pixels[0]))
    let axis = try #require(camera.undistorted(pixels)[1])
    #expect(abs(axis.x - 655.2) < 1e-9 && abs(axis.y - 347.9) < 1e-9)
  }

  @Test("a fisheye pixel beyond 90° has no place in a flat image")
  func beyondThePlane() {
    let camera = cameras[2].scaled(byX: 0.5, y: 0.5)  // 640x360 of a lens with f = 200 px
    let rim = SIMD2(camera.intrinsics.cx + 0.999 * .pi / 2 * camera.intrinsics.fx, 180)
    #expect(camera.unproject(rim) != nil)
    #expect(camera.undistorted(SIMD2(rim.x + 40, 180)) == nil)
  }

  @Test("the field of view of a pinhole is that of its borders")
  func pinholeFieldOfView() throws {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: 320, fy: 240, cx: 319.5, cy: 239.5))
    #expect(abs(try #require(camera.horizontalFieldOfView) - .pi / 2) < 1e-12)
    #expect(abs(try #require(camera.verticalFieldOfView) - .pi / 2) < 1e-12)
    #expect(abs(try #require(camera.diagonalFieldOfView) - 2 * atan(2.0.squareRoot())) < 1e-12)
  }

  @Test("the field of view of a fisheye may exceed 180°")
  func fisheyeFieldOfView() throws {
    let camera = CameraParameters(
      resolution: Resolution(width: 1000, height: 600), lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 300, fy: 300, cx: 499.5, cy: 299.5))
    #expect(abs(try #require(camera.horizontalFieldOfView) - 1000.0 / 300) < 1e-12)
  }

  @Test("where the lens folds over inside the image there is no angle, not a wrong one")
  func foldedFieldOfView() {
    let camera = CameraParameters(
      resolution: Resolution(width: 1280, height: 720),
      intrinsics: Intrinsics(fx: 600, fy: 600, cx: 640, cy: 360), distortion: [-0.5])
    #expect(camera.horizontalFieldOfView == nil)
    #expect(camera.diagonalFieldOfView == nil)
  }
}
