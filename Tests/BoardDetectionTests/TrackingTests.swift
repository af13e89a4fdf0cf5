import BoardRendering
import Boards
import CameraModel
import Imaging
import Testing

@testable import BoardDetection

/// Boards that are followed from frame to frame, compared with what a search of each frame finds.
@Suite("Following a board")
struct TrackingTests {
  static let camera = CameraParameters.example(.pinhole)
  static let geometry = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
  static let detector = ChessboardDetector(board: geometry)

  static func image(
    _ pose: BoardPose, seed: UInt64, geometry: ChessboardGeometry = geometry,
    motion: SIMD2<Double> = SIMD2()
  ) -> GrayImage {
    var conditions = RenderingConditions()
    conditions.background = .clutter(seed: 3)
    conditions.motion = motion
    return BoardScene(
      camera: camera, board: PrintedBoard(geometry), pose: pose, conditions: conditions
    ).image(noiseSeed: seed)
  }

  /// A tracker that has found the board at a pose, in frame 0.
  static func tracker(
    _ pose: BoardPose, _ geometry: ChessboardGeometry = geometry
  ) throws -> BoardTracker {
    let image = image(pose, seed: 1, geometry: geometry)
    let found = try ChessboardDetector(board: geometry).detect(in: image)
    let board = try #require(found.board)
    var tracker = BoardTracker()
    tracker.found(board, in: image, frame: 0)
    return tracker
  }

  /// About 330 px wide in the image of 640x480, slightly tilted; a square has 33 px.
  static let middle = BoardPose(
    rotation: SIMD3(0.2, -0.3, 0.1), translation: SIMD3(-0.1, -0.06, 0.4))

  static func moved(_ pose: BoardPose, _ step: SIMD3<Double>, turn: SIMD3<Double> = SIMD3())
    -> BoardPose
  {
    BoardPose(rotation: pose.rotation + turn, translation: pose.translation + step)
  }

  @Test("Followed over a gentle movement, the corners are those that a search finds")
  func sameCorners() throws {
    var tracker = try Self.tracker(Self.middle)
    var pose = Self.middle
    for frame in 1...12 {
      // 5 px a frame across, nearer, and turning by half a degree.
      pose = Self.moved(pose, SIMD3(0.003, 0.001, -0.002), turn: SIMD3(0.004, -0.003, 0.009))
      let image = Self.image(pose, seed: UInt64(frame + 1))
      let followed = try #require(try tracker.follow(in: image, frame: frame), "frame \(frame)")
      let searched = try #require(try Self.detector.detect(in: image).board)
      for (a, b) in zip(followed.corners, searched.corners) {
        #expect(length(a - b) < 0.01, "frame \(frame): \(a), searched \(b)")
      }
      #expect(abs(followed.blurSigma - searched.blurSigma) < 0.02)
      #expect(tracker.corners(inFrame: frame) == followed.corners)
    }
  }

  @Test("A steady movement of more than a square a frame is followed once it is known")
  func predicted() throws {
    var tracker = try Self.tracker(Self.middle)
    // 0.3, then 0.6, 0.9 and 1.2 squares a frame.
    var pose = Self.middle
    for frame in 1...4 {
      pose = Self.moved(pose, SIMD3(0.0075 * Double(frame), 0, 0))
      let image = Self.image(pose, seed: UInt64(frame + 1))
      let followed = try #require(try tracker.follow(in: image, frame: frame), "frame \(frame)")
      let truth = BoardScene(
        camera: Self.camera, board: PrintedBoard(Self.geometry), pose: pose
      ).corners.compactMap(\.self)
      for (a, b) in zip(followed.corners, truth) { #expect(length(a - b) < 0.3) }
    }
  }

  @Test(
    "Moved by whole squares between two frames, it is found where it is, or not at all",
    arguments: [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 2), (-1, 1), (3, 1), (-2, 0)])
  func jumps(by squares: (Int, Int)) throws {
    // Seen from the front: the pattern falls exactly onto itself.
    let facing = BoardPose(rotation: SIMD3(), translation: SIMD3(-0.1, -0.06, 0.45))
    for geometry in [Self.geometry, .init(columns: 7, rows: 7, squareSizeMetres: 0.025)] {
      var tracker = try Self.tracker(facing, geometry)
      let pose = Self.moved(
        facing, SIMD3(0.025 * Double(squares.0), 0.025 * Double(squares.1), 0))
      let image = Self.image(pose, seed: 2, geometry: geometry)
      guard let followed = try tracker.follow(in: image, frame: 1) else { continue }
      let truth = BoardScene(camera: Self.camera, board: PrintedBoard(geometry), pose: pose).corners
      for (a, b) in zip(followed.corners, truth) {
        #expect(length(a - (b ?? SIMD2())) < 0.3, "\(a), truth \(String(describing: b))")
      }
    }
  }

  @Test("Turned upside down between two frames, a board is not taken for itself")
  func flipped() throws {
    var tracker = try Self.tracker(Self.middle)
    // About its own middle: all corners lie where corners lay, the colours the other way round.
    let turned =
      BoardRotation(rotationVector: Self.middle.rotation)
      * BoardRotation(rotationVector: SIMD3(0, 0, .pi))
    let (width, height) = (0.025 * 8, 0.025 * 5)
    let corner = BoardRotation(rotationVector: Self.middle.rotation) * SIMD3(width, height, 0)
    let pose = BoardPose(
      rotation: turned.rotationVector, translation: Self.middle.translation + corner)
    let image = Self.image(pose, seed: 2)
    #expect(try Self.detector.detect(in: image).board != nil)
    #expect(try tracker.follow(in: image, frame: 1) == nil)
    // It stays lost, until a search has found it.
    #expect(try tracker.follow(in: Self.image(Self.middle, seed: 3), frame: 2) == nil)
  }

  @Test("Partly out of view, covered, cut to another scene or long ago: not followed")
  func lost() throws {
    // To the left, 8 px a frame, until a column of corners has left the image.
    var tracker = try Self.tracker(Self.middle)
    var pose = Self.middle
    var lastSeen: [SIMD2<Double>?] = []
    for frame in 1...60 {
      pose = Self.moved(pose, SIMD3(-0.006, 0, 0))
      guard
        try tracker.follow(in: Self.image(pose, seed: UInt64(frame)), frame: frame) != nil
      else { break }
      lastSeen =
        BoardScene(camera: Self.camera, board: PrintedBoard(Self.geometry), pose: pose).corners
    }
    #expect(!lastSeen.isEmpty && lastSeen.allSatisfy { $0 != nil })
    // Another pose in another place; no board; a frame much later.
    for other in [
      Self.moved(Self.middle, SIMD3(0.07, 0.03, 0.1), turn: SIMD3(0, 0.5, 0.3)),
      Self.moved(Self.middle, SIMD3(10, 0, 0)),
    ] {
      tracker = try Self.tracker(Self.middle)
      #expect(try tracker.follow(in: Self.image(other, seed: 2), frame: 1) == nil)
    }
    tracker = try Self.tracker(Self.middle)
    #expect(try tracker.follow(in: Self.image(Self.middle, seed: 2), frame: 61) == nil)
    // A sheet of paper over the last two columns.
    tracker = try Self.tracker(Self.middle)
    var covered = Self.image(Self.middle, seed: 2)
    let corners = try #require(tracker.corners(inFrame: 0))
    let edge = Int(corners[6].x.rounded()) + 10
    for y in 0..<covered.height {
      for x in edge..<covered.width { covered.pixels[y * covered.width + x] = 200 }
    }
    #expect(try tracker.follow(in: covered, frame: 1) == nil)
    // Nothing at all.
    tracker = try Self.tracker(Self.middle)
    let blank = GrayImage(width: 640, height: 480, pixels: Array(repeating: 7, count: 640 * 480))
    #expect(try tracker.follow(in: blank, frame: 1) == nil)
  }

  @Test("Smeared by movement it is followed where a search finds it, and said to be blurred")
  func smeared() throws {
    var tracker = try Self.tracker(Self.middle)
    let image = Self.image(Self.middle, seed: 2, motion: SIMD2(6, 0))
    let followed = try tracker.follow(in: image, frame: 1)
    if let followed { #expect(followed.blurSigma > 1) }
    // Held still again it comes back by the next search.
    let still = Self.image(Self.middle, seed: 3)
    if followed != nil { #expect(try tracker.follow(in: still, frame: 2) != nil) }
  }
}
