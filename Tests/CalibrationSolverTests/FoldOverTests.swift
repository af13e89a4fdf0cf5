import CalibrationSolver
import CameraModel
import Testing

@Suite("distortion that folds over")
struct FoldOverTests {
  private func camera(
    _ model: LensModel, f: Double = 500, _ distortion: [Double]
  ) -> CameraParameters {
    CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: model,
      intrinsics: Intrinsics(fx: f, fy: f, cx: 319.5, cy: 239.5), distortion: distortion)
  }

  @Test("sound lenses of all models have no fold inside the image", arguments: TestCamera.all)
  func sound(camera: CameraParameters) {
    #expect(FoldOver(camera) == nil)
  }

  @Test("a radius that stops growing before the corner is found, with the place")
  func radius() throws {
    // r(1 − 0.4r²) turns at r = 0.913, 0.609 in the image; the corner lies at 0.8.
    let fold = try #require(FoldOver(camera(.pinhole, [-0.4])))
    #expect(abs(fold.coveredShare - 0.609 / 0.8) < 0.01)
    #expect(fold.reason.contains("76 %"), "\(fold.reason)")
    // The same lens on a smaller part of its field is sound.
    #expect(FoldOver(camera(.pinhole, f: 700, [-0.4])) == nil)
    // A positive k2 brings the curve up again: too late.
    #expect(FoldOver(camera(.pinhole, [-0.5, 0.09])) != nil)
  }

  @Test("how far out a lens says something is told as angle and pixels, of every model")
  func reach() throws {
    // r(1 − 0.4r²) turns at r = 0.913, 42.4°; θ(1 − 0.2θ²) at 1.291, 74.0°.
    for (lens, angle, radius) in [
      (camera(.pinhole, [-0.4]), 42.4, 304), (camera(.rational, [-0.4]), 42.4, 304),
      (camera(.fisheye, f: 240, [-0.2]), 74.0, 207),
      (camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.2]), 68.75, 288),
    ] {
      let reach = try #require(RadialReach(lens))
      #expect(abs(reach.angle * 180 / .pi - angle) < 0.11, "\(reach)")
      #expect(abs(reach.radius - Double(radius)) < 1, "\(reach)")
      #expect(reach.isEndOfPoints == (lens.lensModel == .spline))
      #expect(reach.text.contains("° to the axis, "))
    }
    // Where a spline ends is no matter of steps.
    for end in [1.2, 1.2001] {
      let lens = camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, 0, 0, 0, end])
      let reach = try #require(RadialReach(lens))
      #expect(abs(reach.radius - 240 * end) < 1e-4, "\(reach)")
      #expect(reach.angle == end)
    }
    let fold = try #require(FoldOver(camera(.fisheye, f: 240, [-0.2])))
    #expect(fold.reason.contains("beyond 74.0° to the axis, 207 px from"), "\(fold.reason)")
    for lens in TestCamera.all { #expect(RadialReach(lens) == nil) }
  }

  @Test("a pole of the rational factor inside the image is found")
  func pole() {
    #expect(FoldOver(camera(.rational, [0, 0, 0, 0, 0, 0.1, 0.01])) == nil)
    // 1 − 2.2r²: a pole at r = 0.67, before which the factor races outwards past the corner; behind
    // a numerator that stops it, the curve turns first.
    #expect(FoldOver(camera(.rational, [-2.5, 0, 0, 0, 0, -2.2])) != nil)
  }

  @Test("a fisheye that stops inside the image, and tangential terms that fold a corner, are found")
  func others() {
    #expect(FoldOver(camera(.fisheye, f: 240, [-0.2])) != nil)
    #expect(FoldOver(camera(.pinhole, [0, 0, 0.35, 0])) != nil)
    // A spline that ends inside the image does not fold over; one that turns back before its end does.
    #expect(FoldOver(camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.2])) == nil)
    #expect(FoldOver(camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, -3, 0, 0, 1.2])) != nil)
    #expect(FoldOver(camera(.spline, f: 240, [])) == nil)
  }

  @Test("what folds over where another lens has no data either is no worse than that one")
  func againstSpline() {
    // To 1.2 of 1.667, the corner.
    let spline = camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.2])
    // θ(1 − 0.2θ²) turns at 0.86, θ(1 − 0.06θ²) at 1.57.
    let early = camera(.fisheye, f: 240, [-0.2])
    let late = camera(.fisheye, f: 240, [-0.06])
    #expect(FoldOver(early) != nil && FoldOver(late) != nil)
    #expect(FoldOver(worsening: spline, early) != nil)
    #expect(FoldOver(worsening: spline, late) == nil)
    #expect(FoldOver(worsening: late, spline) == nil)
    let whole = camera(.spline, f: 240, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.9])
    #expect(FoldOver(worsening: whole, late) != nil)
  }
}
