import BoardRendering
import Boards
import CameraModel
import Testing

/// The transforms of `CameraParameters` against pixels: the changed image of a scene is the image of
/// the scene by the changed camera.
@Suite("Transformed frames")
struct TransformedFrameTests {
  private func scene(_ lensModel: LensModel, board: PrintedBoard, seed: UInt64 = 2) throws
    -> BoardScene
  {
    let camera = CameraParameters.example(
      lensModel, resolution: Resolution(width: 480, height: 360))
    let pose = try BoardPose.random(
      1, camera: camera, board: board, ranges: PoseRanges(cover: 0.5...0.7), seed: seed)[0]
    return BoardScene(camera: camera, board: board, pose: pose, conditions: .ideal(blurSigma: 1.2))
  }

  private let board = PrintedBoard(columns: 8, rows: 6)

  /// What single precision sums along a row, tables and quadrature leave of 255 grey levels.
  ///
  /// A principal point that is off by 0.01 px differs by about 0.7.
  private let tolerance = 0.02

  @Test(
    "averaging n x n pixels is a resize by 1/n (resolution: cx' = s·cx is off by (s−1)/2)",
    arguments: LensModel.allCases, [2, 3])
  func resize(lensModel: LensModel, factor: Int) throws {
    let scene = try scene(lensModel, board: board)
    let large = scene.greyLevels()
    let (width, height) = (480 / factor, 360 / factor)
    var averaged = [Float](repeating: 0, count: width * height)
    for row in 0..<(height * factor) {
      for column in 0..<(width * factor) {
        averaged[row / factor * width + column / factor] +=
          large[row * 480 + column] / Float(factor * factor)
      }
    }
    var resized = scene
    resized.camera = scene.camera.scaled(to: Resolution(width: width, height: height))
    // A blur of σ large pixels is one of σ/n small ones; a mean of boxes is exactly the wider box.
    resized.conditions.blurSigma /= Double(factor)
    #expect(worstDifference(averaged, resized.greyLevels()) < tolerance)
    resized.camera.intrinsics.cx += 0.01
    #expect(worstDifference(averaged, resized.greyLevels()) > 10 * tolerance)
  }

  @Test("cutting the image, with the board across the cut", arguments: LensModel.allCases)
  func crop(lensModel: LensModel) throws {
    let scene = try scene(lensModel, board: board)
    let corner = try #require(scene.corners[19])
    let (x, y) = (Int(corner.x) - 40, Int(corner.y) - 30)
    let whole = scene.greyLevels()
    var cut: [Float] = []
    for row in y..<(y + 60) { cut += whole[(row * 480 + x)..<(row * 480 + x + 80)] }
    var cropped = scene
    cropped.camera = scene.camera.cropped(x: x, y: y, width: 80, height: 60)
    #expect(worstDifference(cut, cropped.greyLevels()) < tolerance)
  }

  @Test("turning the image clockwise", arguments: LensModel.allCases)
  func turn(lensModel: LensModel) throws {
    let scene = try scene(lensModel, board: board)
    let upright = scene.greyLevels()
    var turnedPixels: [Float] = []
    for row in 0..<480 {
      for column in 0..<360 { turnedPixels.append(upright[(359 - column) * 480 + row]) }
    }
    var turned = scene
    turned.camera = scene.camera.rotated(quarterTurnsClockwise: 1)
    let quarter = BoardRotation(rotationVector: SIMD3(0, 0, .pi / 2))
    turned.pose = BoardPose(
      rotation: (quarter * scene.pose.transform.rotation).rotationVector,
      translation: quarter * scene.pose.translation)
    #expect(worstDifference(turnedPixels, turned.greyLevels()) < tolerance)
  }

  @Test(
    "mirroring the image, of a board that is its own mirror image", arguments: LensModel.allCases)
  func mirror(lensModel: LensModel) throws {
    let scene = try scene(lensModel, board: board)
    let straight = scene.greyLevels()
    var mirroredPixels: [Float] = []
    for row in 0..<360 { mirroredPixels += straight[(row * 480)..<(row * 480 + 480)].reversed() }
    var mirrored = scene
    mirrored.camera = scene.camera.mirrored
    // Mirroring the scene in x and the board in its own x is again a rotation and a translation.
    let (r0, r1, r2) = scene.pose.transform.rotation.rows
    let flip = SIMD3(-1.0, 1, 1)
    let rotation = BoardRotation(rows: (-r0 * flip, r1 * flip, r2 * flip))
    let board = scene.board.geometry
    let across = SIMD3(Double(board.columns - 1) * board.squareSizeMetres, 0, 0)
    let image = scene.pose.transform(across) * flip
    mirrored.pose = BoardPose(rotation: rotation.rotationVector, translation: image)
    #expect(worstDifference(mirroredPixels, mirrored.greyLevels()) < tolerance)
  }
}
