import BoardRendering
import Calibration
import CalibrationComparison
import CalibrationStore
import CameraModel
import Testing

/// Calibrations of rendered photographs against each other.
@Suite("Compared calibrations")
struct ComparedHalvesTests {
  private func record(_ scenes: [BoardScene]) throws -> IntrinsicsRecord {
    try SessionTests.session().run(RenderedSource(scenes)).record
  }

  @Test("Halves of one set are the same camera; focus moved by 2 % is another")
  func halves() throws {
    let camera = CameraParameters.example(.pinhole)
    let all = try RenderedSource.random(24, camera: camera, seed: 31).scenes
    let even = try record(all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    let odd = try record(all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    let same = try Comparison(even, odd)
    #expect(!same.differs, "\(same.ratio ?? 0) \(same.probability ?? 1)")
    var moved = camera
    moved.intrinsics.fx *= 1.02
    moved.intrinsics.fy *= 1.02
    let other = try record(RenderedSource.random(12, camera: moved, seed: 32).scenes)
    let different = try Comparison(even, other)
    #expect(different.differs, "\(different.ratio ?? 0) \(different.probability ?? 1)")
  }
}
