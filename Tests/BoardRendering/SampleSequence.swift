package import CameraModel
package import Imaging

/// The board sequence in `samples/`: fourteen frames that make a good calibration.
///
/// The same frames (within a grey level) and the same truth every time.
package struct SampleSequence: Sendable {
  package let camera: CameraParameters
  package let board: PrintedBoard
  package let conditions: RenderingConditions
  package let poses: [BoardPose]

  /// Where a board is held: the place of its middle in the image, the rest as in `BoardPose.aimed`.
  ///
  /// Places go from (0, 0) to (1, 1); those at the image's corners mean as far out as the pattern
  /// still fits.
  private static let views: [Holding] = [
    Holding(x: 0.50, y: 0.50, cover: 0.80, tilt: 3, towards: 20, roll: 1),
    Holding(x: 0.50, y: 0.50, cover: 0.72, tilt: 32, towards: 3, roll: -4),
    Holding(x: 0.50, y: 0.50, cover: 0.72, tilt: 32, towards: 178, roll: 5),
    Holding(x: 0.50, y: 0.50, cover: 0.72, tilt: 36, towards: 92, roll: 3),
    Holding(x: 0.50, y: 0.50, cover: 0.72, tilt: 36, towards: -88, roll: -6),
    Holding(x: 0.00, y: 0.00, cover: 0.42, tilt: 31, towards: 40, roll: 11),
    Holding(x: 1.00, y: 0.00, cover: 0.42, tilt: 30, towards: -40, roll: -12),
    Holding(x: 1.00, y: 1.00, cover: 0.42, tilt: 31, towards: -125, roll: 13),
    Holding(x: 0.00, y: 1.00, cover: 0.42, tilt: 29, towards: 136, roll: -13),
    Holding(x: 0.32, y: 0.50, cover: 0.62, tilt: 45, towards: 130, roll: 15),
    Holding(x: 0.68, y: 0.50, cover: 0.62, tilt: 44, towards: -130, roll: -14),
    Holding(x: 0.50, y: 0.36, cover: 0.60, tilt: 42, towards: 38, roll: 22),
    Holding(x: 0.50, y: 0.64, cover: 0.60, tilt: 43, towards: -41, roll: -20),
    Holding(x: 0.50, y: 0.50, cover: 0.55, tilt: 12, towards: 60, roll: 86),
  ]

  private struct Holding {
    var x, y, cover, tilt, towards, roll: Double
  }

  /// Lays out the sequence; draws nothing yet.
  package init() {
    let camera = CameraParameters.example(.pinhole)
    let board = PrintedBoard(columns: 9, rows: 6, squareSizeMetres: 0.025)
    var conditions = RenderingConditions()
    // As little noise as a good webcam has in daylight; most of a frame's bytes are noise.
    conditions.noiseSigma = 0.35
    self.camera = camera
    self.board = board
    self.conditions = conditions
    poses = Self.views.compactMap { Self.pose(for: $0, camera: camera, board: board) }
  }

  /// The pose of a holding: from the image's middle towards its place, along x and y by turns, as far
  /// as the whole pattern stays in view.
  private static func pose(
    for view: Holding, camera: CameraParameters, board: PrintedBoard
  ) -> BoardPose? {
    let size = SIMD2(Double(camera.resolution.width), Double(camera.resolution.height))
    let wanted = SIMD2(view.x, view.y) * size - 0.5
    let projection = SceneProjection(camera)
    func pose(at pixel: SIMD2<Double>) -> BoardPose? {
      let pose = BoardPose.aimed(
        at: pixel, cover: view.cover, tiltDegrees: view.tilt, towardsDegrees: view.towards,
        rollDegrees: view.roll, camera: camera, board: board)
      guard let pose, pose.shows(board, by: projection, ranges: PoseRanges(margin: 3)) else {
        return nil
      }
      return pose
    }
    var pixel = size / 2 - 0.5
    var best = pose(at: pixel)
    var isMoving = best != nil
    while isMoving {
      isMoving = false
      for axis in 0...1 where pixel[axis] != wanted[axis] {
        let step = 4.0  // pixels; fine enough to come within a few pixels of the image's border
        var next = pixel
        next[axis] += max(-step, min(step, wanted[axis] - pixel[axis]))
        guard let moved = pose(at: next) else { continue }
        (pixel, best, isMoving) = (next, moved, true)
      }
    }
    return best
  }

  /// The names of the frames' files, in order.
  package var fileNames: [String] {
    poses.indices.map { "board\($0 < 9 ? "0" : "")\($0 + 1).png" }
  }

  /// The scene of a frame.
  package func scene(_ index: Int) -> BoardScene {
    BoardScene(camera: camera, board: board, pose: poses[index], conditions: conditions)
  }

  /// A frame as the sensor delivers it.
  package func image(_ index: Int) -> GrayImage {
    scene(index).image(noiseSeed: UInt64(index) + 1)
  }
}
