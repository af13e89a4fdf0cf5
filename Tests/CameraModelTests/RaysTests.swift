import CameraModel
import Testing

/// Many pixels at once see what each sees alone.
@Suite struct RaysTests {
  private static let size = Resolution(width: 640, height: 480)

  static let cameras = [
    CameraParameters(
      resolution: size, intrinsics: Intrinsics(fx: 520, fy: 525, cx: 325, cy: 236),
      distortion: [-0.25, 0.08, 0.0008, -0.0005, 0]),
    CameraParameters(
      resolution: size, lensModel: .rational,
      intrinsics: Intrinsics(fx: 260, fy: 261, cx: 318, cy: 243),
      distortion: [0.4, 0.05, 0.0005, -0.0004, 0.002, 0.75, 0.15, 0.01]),
    CameraParameters(
      resolution: size, lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
      distortion: [0.05, -0.01, 0.004, -0.001]),
    CameraParameters(
      resolution: size, lensModel: .spline,
      intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
      distortion: [0.05, -0.01, 0.001, -0.002, 0.004, -0.001, 0.02, -0.004, 0.06, 2]),
    // One that ends inside the image.
    CameraParameters(
      resolution: size, lensModel: .spline,
      intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
      distortion: [0.05, -0.01, 0.001, -0.002, 0, 0, 0.02, 0, 0.06, 1.2]),
    // Two that fold over inside the image: the corners see nothing.
    CameraParameters(
      resolution: size, intrinsics: Intrinsics(fx: 320, fy: 320, cx: 320, cy: 240),
      distortion: [-0.3]),
    CameraParameters(
      resolution: size, lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 180, fy: 180, cx: 320, cy: 240), distortion: [-0.1]),
  ]

  @Test(arguments: cameras)
  func seeTheSame(camera: CameraParameters) throws {
    var pixels: [SIMD2<Double>] = []
    for row in 0..<20 {
      for column in 0..<27 {
        let share = SIMD2(Double(column) / 26, Double(row) / 19)
        pixels.append(share * SIMD2(640, 480) - 0.5)
      }
    }
    let together: [SIMD3<Double>?] = camera.unproject(pixels)
    #expect(together.count == pixels.count)
    for (pixel, ray) in zip(pixels, together) {
      let alone: SIMD3<Double>? = camera.unproject(pixel)
      #expect((ray == nil) == (alone == nil), "\(pixel)")
      guard let ray, let alone else { continue }
      let difference: SIMD3<Double> = ray - alone
      // Both project back to within 1e-9 px.
      #expect((difference * difference).sum().squareRoot() < 1e-10, "\(pixel)")
    }
  }

  @Test func ofNoPixelsNothing() {
    #expect(Self.cameras[0].unproject([SIMD2<Double>]()).isEmpty)
  }
}
