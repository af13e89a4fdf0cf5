import BoardRendering
import CameraModel
import Glibc
import Imaging
import Testing

@Suite("Rendered frames")
struct BoardSceneTests {
  private let board = PrintedBoard(columns: 9, rows: 6)

  private func scenes(
    _ lensModel: LensModel = .pinhole, count: Int = 3, seed: UInt64 = 1,
    conditions: RenderingConditions = RenderingConditions()
  ) throws -> [BoardScene] {
    let camera = CameraParameters.example(lensModel)
    return try BoardPose.random(count, camera: camera, board: board, seed: seed).map {
      BoardScene(camera: camera, board: board, pose: $0, conditions: conditions)
    }
  }

  @Test("the same seed gives the same frame, another seed other noise")
  func determinism() throws {
    let scene = try scenes(count: 1)[0]
    #expect(scene.image(noiseSeed: 7) == scene.image(noiseSeed: 7))
    #expect(scene.image(noiseSeed: 7) != scene.image(noiseSeed: 8))
  }

  @Test(
    "random poses show the whole board, as large and as tilted as asked",
    arguments: LensModel.allCases)
  func poses(lensModel: LensModel) throws {
    for scene in try scenes(lensModel, count: 20) {
      #expect(scene.corners.allSatisfy { $0 != nil })
      let normal = scene.pose.transform.rotation * SIMD3(0, 0, 1)
      #expect(acos(normal.z) < 45.001 * .pi / 180)
    }
  }

  @Test("partly visible boards show the share of corners asked for")
  func partialVisibility() throws {
    let camera = CameraParameters.example()
    let poses = try BoardPose.random(
      10, camera: camera, board: board,
      ranges: PoseRanges(cover: 0.5...1.2, visibleShare: 0.3...0.8), seed: 3)
    for pose in poses {
      let scene = BoardScene(camera: camera, board: board, pose: pose)
      let share = Double(scene.corners.count { $0 != nil }) / 54
      #expect(share >= 0.3 && share <= 0.8)
    }
  }
}
