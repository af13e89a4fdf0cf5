import BoardRendering
import CameraModel
import Dispatch
import FoundationEssentials
import Imaging

/// Frames that a camera plays: the board held still in one pose, moved to the next, held still there.
///
/// Frames of one pose differ in their noise, as a sensor's do.
struct PlayedSequence {
  var camera: CameraParameters
  var board: PrintedBoard
  var conditions: RenderingConditions
  /// A pose for each frame.
  var poses: [BoardPose]

  /// - Parameters:
  ///   - still: For how many frames each pose is held.
  ///   - moving: How many frames lie between two poses.
  init(
    camera: CameraParameters, board: PrintedBoard, conditions: RenderingConditions,
    holding held: [BoardPose], still: Int, moving: Int
  ) {
    self.camera = camera
    self.board = board
    self.conditions = conditions
    poses = held.indices.flatMap { index in
      let (from, to) = (held[index], held[(index + 1) % held.count])
      return Array(repeating: from, count: still)
        + (0..<moving).map { from.moved(towards: to, by: (Double($0) + 1) / (Double(moving) + 1)) }
    }
  }

  /// Writes the frames as PGM files and the truth as `truth.json`, the truth last.
  func write(to folder: String, seed: UInt64) throws {
    DispatchQueue.concurrentPerform(iterations: poses.count) { index in
      let scene = BoardScene(
        camera: camera, board: board, pose: poses[index], conditions: conditions)
      let image = scene.image(noiseSeed: seed &* 1000 &+ UInt64(index))
      let head = "P5 \(image.width) \(image.height) 255\n"
      let name = "\(folder)/frame\(String(10_000 + index).dropFirst()).pgm"
      do {
        try Data(Array(head.utf8) + image.pixels).write(to: URL(filePath: name))
      } catch {
        print("error: \(error)")
      }
    }
    try Data(truth.utf8).write(to: URL(filePath: "\(folder)/truth.json"))
  }

  /// The camera's true parameters as JSON.
  private var truth: String {
    let (size, k) = (camera.resolution, camera.intrinsics)
    let coefficients = zip(camera.lensModel.coefficientNames, camera.distortion)
      .map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return """
      {
        "width": \(size.width), "height": \(size.height),
        "fx": \(k.fx), "fy": \(k.fy), "cx": \(k.cx), "cy": \(k.cy),
        "distortion": {\(coefficients)}
      }

      """
  }
}

extension BoardPose {
  /// The pose a share of the way to another one.
  fileprivate func moved(towards other: BoardPose, by share: Double) -> BoardPose {
    BoardPose(
      rotation: rotation + share * (other.rotation - rotation),
      translation: translation + share * (other.translation - translation))
  }
}
