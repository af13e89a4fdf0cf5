import BoardRendering
import Boards
import CameraModel
import Imaging
import Testing

@testable import BoardDetection

/// Frames that are turned, cut or resized, and cameras changed along.
///
/// A board is rendered, its frame is changed, and its corners are looked for in what came out. Where
/// they are to be found follows from the changed camera alone.
@Suite struct TransformedFrameTests {
  /// A frame without noise, off-centre and tilted, of a camera whose coefficients all count.
  private static let scene: BoardScene = {
    var conditions = RenderingConditions()
    conditions.noiseSigma = 0
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: 520, fy: 505, cx: 331.3, cy: 228.7),
      distortion: [-0.24, 0.06, 0.004, -0.006, 0])
    return BoardScene(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6),
      pose: BoardPose(rotation: SIMD3(0.3, -0.25, 0.2), translation: SIMD3(-0.06, -0.07, 0.33)),
      conditions: conditions)
  }()
  private static let frame = scene.image(noiseSeed: 1)
  private static let geometry = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
  /// The corners in the frame of the camera that took the picture, metres.
  private static let points: [SIMD3<Double>] = {
    let transform = scene.pose.transform
    return scene.board.cornerPoints.map { transform($0) }
  }()

  /// How far corners that are found lie from where `camera` sees `points`, pixels.
  private func errors(
    _ image: GrayImage, _ camera: CameraParameters, _ points: [SIMD3<Double>]
  ) throws -> (shift: Double, rms: Double, worst: Double) {
    #expect(image.resolution == camera.resolution)
    let board = try #require(try ChessboardDetector(board: Self.geometry).detect(in: image).board)
    let errors = try points.map { point in
      let place = try #require(camera.project(point))
      // A mirrored board is counted from another corner: the nearest one is meant.
      return board.corners.map { $0 - place }.min { length($0) < length($1) } ?? place
    }
    let mean = errors.reduce(SIMD2(), +) / Double(errors.count)
    let squares = errors.map { ($0 * $0).sum() }.reduce(0, +)
    return (
      length(mean), (squares / Double(errors.count)).squareRoot(), errors.map(length).max() ?? 0
    )
  }

  @Test(
    "a turned frame shows the board where the turned camera sees it",
    arguments: ImageOrientation.allCases)
  func turned(orientation: ImageOrientation) throws {
    // The camera frame turns with the image, as its pixel axes do.
    let unit = Resolution(width: 1, height: 1)
    let points = Self.points.map { point in
      let place = orientation.place(of: SIMD2(point.x, point.y), in: unit)
      return SIMD3(place.x, place.y, point.z)
    }
    let error = try errors(
      Self.frame.oriented(orientation), Self.scene.camera.oriented(orientation), points)
    print("turned \(orientation): \(error) px")
    #expect(error.worst < 0.01)
  }

  @Test func cut() throws {
    let corners = Self.scene.corners.compactMap(\.self)
    #expect(corners.count == 54)
    let left = Int((corners.map(\.x).min() ?? 0) - 45)
    let top = Int((corners.map(\.y).min() ?? 0) - 45)
    let frame = try Self.frame.cropped(x: left, y: top, width: 640 - left, height: 480 - top)
    let camera = Self.scene.camera.cropped(
      x: left, y: top, width: 640 - left, height: 480 - top)
    let error = try errors(frame, camera, Self.points)
    print("cut: \(error) px")
    #expect(error.worst < 0.01)
  }

  @Test(arguments: [(320, 240), (480, 360), (500, 480), (960, 720), (1280, 960)])
  func resized(width: Int, height: Int) throws {
    let size = Resolution(width: width, height: height)
    let error = try errors(
      try Self.frame.resized(to: size), Self.scene.camera.scaled(to: size), Self.points)
    print("resized to \(size): \(error) px")
    // Enlarging enlarges the error of the search, too; a resize about pixel centres instead of borders
    // would shift the corners by 0.17 px or more.
    let enlargement = max(1, Double(width) / 640)
    #expect(error.shift < 0.01)
    #expect(error.rms < 0.01 * enlargement)
  }
}
