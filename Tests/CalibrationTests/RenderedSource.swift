import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import Frames
import Imaging

/// Rendered frames of a board as a source, each rendered when it is asked for.
struct RenderedSource: FrameSource {
  let scenes: [BoardScene]
  var identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "name:rendered"), name: "rendered", identifiedBy: "test")
  var resolution: Resolution
  var pixelFormat: String? { "GREY" }
  var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  var notices: [String] { [] }
  var setAside: [SetAside] { [] }
  var expectedCount: Int? { scenes.count }
  /// 10: as if every 10th frame of a video were used.
  var every = 1
  private var position = 0

  init(_ scenes: [BoardScene]) {
    self.scenes = scenes
    resolution = scenes[0].camera.resolution
  }

  mutating func next() -> Frame? {
    guard position < scenes.count else { return nil }
    defer { position += 1 }
    let (scene, index) = (scenes[position], position * every)
    let noiseSeed = UInt64(1000 + position)
    return Frame(name: "frame\(index)", index: index) { scene.image(noiseSeed: noiseSeed) }
  }

  /// Frames of one camera with random poses of one board.
  static func random(
    _ count: Int, camera: CameraParameters = .example(.pinhole), seed: UInt64,
    ranges: PoseRanges = PoseRanges(), conditions: RenderingConditions = RenderingConditions()
  ) throws -> RenderedSource {
    let board = PrintedBoard(columns: 9, rows: 6)
    let poses = try BoardPose.random(
      count, camera: camera, board: board, ranges: ranges, seed: seed)
    return RenderedSource(
      poses.map { BoardScene(camera: camera, board: board, pose: $0, conditions: conditions) })
  }
}
