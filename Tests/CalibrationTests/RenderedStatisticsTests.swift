import BoardRendering
import Calibration
import CalibrationStore
import CameraModel
import Glibc
import Testing

/// Over many rendered sets: the deviations that a record states are those of its numbers.
///
/// Unlike the tests with synthetic corners this takes the whole way, from pixels: blur, noise,
/// quantisation, the finders, refinement, the choice of coefficients.
@Suite("Statistics of rendered sets")
struct RenderedStatisticsTests {
  /// Small frames and few sets where time counts; 60 sets of VGA frames in the long tests.
  struct Plan {
    var sets: Int
    var views: Int
    var resolution: Resolution
  }

  static let plan =
    getenv("CAMERA_INTRINSICS_LONG_TESTS") != nil
    ? Plan(sets: 60, views: 12, resolution: Resolution(width: 640, height: 480))
    : Plan(sets: 8, views: 8, resolution: Resolution(width: 320, height: 240))

  @Test("At most 2 % of the parameters are off by more than 3 of their deviations")
  func deviations() throws {
    let plan = Self.plan
    let camera = CameraParameters.example(.pinhole, resolution: plan.resolution)
    var scores: [Double] = []
    for seed in 0..<plan.sets {
      let source = try RenderedSource.random(
        plan.views, camera: camera, seed: UInt64(7000 + seed),
        ranges: PoseRanges(cover: 0.45...0.8))
      let record = try SessionTests.session().run(source).record
      for (name, (value, truth)) in zip(
        camera.lensModel.parameterNames,
        zip(record.camera.parameterVector, camera.parameterVector))
      {
        guard let deviation = record.standardDeviations[name] else { continue }
        scores.append(abs(value - truth) / deviation)
      }
    }
    scores.sort()
    let far = scores.count { $0 > 3 }
    let median = scores[scores.count / 2]
    print("rendered sets: \(scores.count) numbers, median |z| \(median), \(far) above 3")
    #expect(scores.count >= 8 * plan.sets)
    #expect(Double(far) <= 0.02 * Double(scores.count))
    // 0.6745 for perfect deviations; below, as deviations are the larger of two estimates. The numbers of
    // one set go together: eight sets are worth some thirty independent numbers, whose median scatters
    // by 0.14.
    let limits = plan.sets >= 50 ? 0.45...0.95 : 0.3...1.1
    #expect(limits.contains(median), "median |z| \(median)")
  }
}
