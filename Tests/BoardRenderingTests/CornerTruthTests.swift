import BoardRendering
import CameraModel
import Testing

@Suite("Corner truth")
struct CornerTruthTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var lensModel: LensModel
    var bend = SIMD2(0.0, 0.0)
    var blurSigma = 0.7
  }

  /// How far the frame's corners are from where the scene says, as moves of the inverse rendering
  /// that explain the differences best, pixels.
  private func errors(
    of scene: BoardScene, against truth: BoardScene
  ) throws -> [SIMD2<Double>] {
    let inverse = InverseRendering(truth)
    let levels = scene.greyLevels()
    let (dark, contrast) = (
      255 * scene.conditions.black, 255 * (scene.conditions.white - scene.conditions.black)
    )
    let width = scene.camera.resolution.width
    return try [0, 31].map { index in
      let corner = try #require(truth.corners[index])
      let patch = try #require(inverse.patch(around: corner, radius: 3))
      var (xx, xy, yy, xd, yd) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for index in patch.values.indices {
        let pixel = (patch.firstY + index / patch.side) * width + patch.firstX + index % patch.side
        let difference = (Double(levels[pixel]) - dark) / contrast - patch.values[index]
        let (gx, gy) = (patch.changeByX[index], patch.changeByY[index])
        (xx, xy, yy) = (xx + gx * gx, xy + gx * gy, yy + gy * gy)
        (xd, yd) = (xd + gx * difference, yd + gy * difference)
      }
      let determinant = xx * yy - xy * xy
      return SIMD2((yy * xd - xy * yd) / determinant, (xx * yd - xy * xd) / determinant)
    }
  }

  @Test(
    "corners lie where the truth says, to 0.003 px",
    arguments: [
      Case(testDescription: "pinhole", lensModel: .pinhole),
      Case(testDescription: "rational", lensModel: .rational),
      Case(testDescription: "fisheye", lensModel: .fisheye),
      Case(testDescription: "bent by 3 and -2 mm", lensModel: .pinhole, bend: SIMD2(0.003, -0.002)),
      Case(testDescription: "blur 1.5", lensModel: .pinhole, blurSigma: 1.5),
    ])
  func truth(_ parameters: Case) throws {
    let camera = CameraParameters.example(parameters.lensModel)
    var board = PrintedBoard(columns: 9, rows: 6)
    board.bend = parameters.bend
    let poses = try BoardPose.random(
      1, camera: camera, board: board, ranges: PoseRanges(cover: 0.6...0.8), seed: 4)
    let scene = BoardScene(
      camera: camera, board: board, pose: poses[0],
      conditions: .ideal(blurSigma: parameters.blurSigma))
    let squares = try errors(of: scene, against: scene).map { ($0 * $0).sum() }
    let worst = (squares.max() ?? .infinity).squareRoot()
    let rms = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    print("corner truth, \(parameters.testDescription): RMS \(rms) px, worst \(worst) px")
    // The bound is what statistics of detectors need; measured is about a tenth of it.
    #expect(worst < 0.003)
  }

  @Test("a picture that is off by 0.01 px is measured as such")
  func sensitivity() throws {
    let camera = CameraParameters.example()
    let board = PrintedBoard(columns: 9, rows: 6)
    let pose = try BoardPose.random(1, camera: camera, board: board, seed: 5)[0]
    let truth = BoardScene(camera: camera, board: board, pose: pose, conditions: .ideal())
    var moved = truth
    moved.camera.intrinsics.cx += 0.01
    for error in try errors(of: moved, against: truth) {
      #expect(abs(error.x - 0.01) < 0.001 && abs(error.y) < 0.001, "measured \(error)")
    }
  }
}
