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

  @Test("noise has the spread asked for")
  func noise() throws {
    var conditions = RenderingConditions()
    conditions.noiseSigma = 3
    let scene = try scenes(count: 1, conditions: conditions)[0]
    let differences = zip(scene.image(noiseSeed: 1).pixels, scene.greyLevels()).map {
      Double($0) - Double($1)
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let square = differences.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    let sigma = (square / Double(differences.count)).squareRoot()
    // Rounding adds 1/12 to the variance; 307 200 samples know σ to 0.13 %.
    #expect(abs(mean) < 0.03)
    #expect(abs(sigma / (9 + 1.0 / 12).squareRoot() - 1) < 0.006)
  }

  @Test("the image's levels are those of the conditions")
  func levels() throws {
    var scene = try scenes(count: 1, conditions: .ideal())[0]
    let bright = scene.greyLevels()
    #expect(abs((bright.min() ?? 0) - 255 * 0.05) < 0.01)
    #expect(abs((bright.max() ?? 0) - 255 * 0.85) < 0.01)
    #expect(abs(bright[0] - 255 * 0.35) < 0.01)
    scene.conditions.exposure = 0.05
    scene.conditions.gamma = 2
    scene.conditions.vignetting = 0.5
    let dark = scene.greyLevels()
    // The first pixel is half a pixel inside the corner at which the light has halved.
    #expect(abs(dark[0] - 255 * (0.35 * 0.05 * 0.5).squareRoot()) < 0.1)
  }

  @Test("a board far out of view does not fold back into a strongly distorted image")
  func noGhosts() throws {
    // k1 alone folds over at 1/√(3 · 0.28) = 1.09, 47° off the axis; the sheet reaches beyond 60°.
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: 600, fy: 600, cx: 320, cy: 240), distortion: [-0.28])
    let board = PrintedBoard(columns: 29, rows: 23)
    let pose = BoardPose(
      rotation: SIMD3(0.2, -0.3, 0.1), translation: SIMD3(-0.36, -0.28, 0.2))
    let scene = BoardScene(camera: camera, board: board, pose: pose, conditions: .ideal())
    let inverse = InverseRendering(scene)
    let levels = scene.greyLevels()
    var compared = 0
    for row in stride(from: 5, to: 480, by: 17) {
      for column in stride(from: 5, to: 640, by: 13) {
        let pixel = SIMD2(Double(column), Double(row))
        let place = try #require(inverse.boardPlace(pixel))
        let beside = try #require(inverse.boardPlace(pixel + SIMD2(0, 1)))
        let next = try #require(inverse.boardPlace(pixel + SIMD2(1, 0)))
        // Only where no line of the board is within 4 px.
        let (down, across) = (beside - place, next - place)
        let reachX = 4 * (abs(down.x) + abs(across.x))
        let reachY = 4 * (abs(down.y) + abs(across.y))
        let toLine = place - place.rounded(.toNearestOrEven)
        guard abs(toLine.x) > reachX, abs(toLine.y) > reachY else { continue }
        compared += 1
        let cell = place.rounded(.down)
        let isBlack = (Int(cell.x) + Int(cell.y)) & 1 == 0
        let expected: Float = isBlack ? 255 * 0.05 : 255 * 0.85
        #expect(abs(levels[row * 640 + column] - expected) < 0.05, "pixel (\(column), \(row))")
      }
    }
    #expect(compared > 300)
  }
}
