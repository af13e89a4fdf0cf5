import BoardRendering
import Boards
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

/// What options hold against the views is found, and how far it moves the camera.
@Suite("Held by somebody's word")
struct HeldByWordTests {
  static let resolution = Resolution(width: 1280, height: 720)

  /// Points of a lens on a board that may be bent, fitted as the options say.
  static func contradictions(
    aspect: Double = 1, sagitta: Double = 0, squarePixels: Bool = false, flat: Bool = false,
    lensModel: LensModel = .pinhole, coefficients: Int? = nil
  ) throws -> HeldByWord.Contradictions {
    let example = CameraParameters.example(.pinhole, resolution: resolution)
    let k = example.intrinsics
    let camera = CameraParameters(
      resolution: resolution, lensModel: .pinhole,
      intrinsics: Intrinsics(fx: k.fx, fy: aspect * k.fx, cx: k.cx, cy: k.cy),
      distortion: [-0.28, 0.07, 0.0005, -0.0003])
    var board = PrintedBoard(columns: 9, rows: 6)
    board.bend = SIMD2(sagitta, -sagitta / 2)
    let exact = try SyntheticViews(camera: camera, board: board, count: 14, seed: 71)
    let views = exact.noisy(sigma: 0.1, seed: 4).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    let constraints = try ParameterConstraints(
      squarePixels: squarePixels, zeroTangential: false, fixes: [], priors: [],
      lensModel: lensModel, coefficientCount: coefficients)
    let shape = BoardShape(try #require(BoardBend(over: board.geometry.cornerPoints)))
    var fitting = LensFitting(
      views: views, resolution: resolution, lensModel: lensModel, coefficientCount: coefficients,
      jobs: 1)
    fitting.constraints = constraints
    fitting.shape = flat ? nil : shape
    let fit = try fitting.fit(sample: Array(views.indices))
    return HeldByWord(
      fit.selection.problem, constraints, coefficientCount: coefficients,
      shape: flat ? shape : nil
    ).contradictions(fit.selection.problem, jobs: 1)
  }

  @Test("Square pixels that the lens does not have, and those that it has")
  func squarePixels() throws {
    #expect(try Self.contradictions(squarePixels: true).sentences.isEmpty)
    let wrong = try Self.contradictions(aspect: 1.014, squarePixels: true)
    #expect(wrong.sentences.first?.hasPrefix("Leave out --square-pixels") == true)
    #expect(try #require(wrong.shareUnmoved).good < 0.85)
  }

  @Test("A bent board that is taken for flat, and a flat one")
  func flatBoard() throws {
    #expect(try Self.contradictions(flat: true).sentences.isEmpty)
    let wrong = try Self.contradictions(sagitta: 0.002, flat: true)
    #expect(wrong.sentences.first?.hasPrefix("Leave out --no-bend") == true)
    #expect(try #require(wrong.shareUnmoved).good < 0.85)
  }

  @Test("Coefficients that nearly every lens needs, left out by --coefficients")
  func coefficients() throws {
    for (lensModel, count) in [(LensModel.pinhole, 1), (.fisheye, 0), (.fisheye, 1)] {
      let found = try Self.contradictions(lensModel: lensModel, coefficients: count)
      let text = found.sentences.joined(separator: " ")
      #expect(text.contains("Check --coefficients, or leave it out"), "\(lensModel) \(count)")
    }
    #expect(try Self.contradictions(coefficients: 4).sentences.isEmpty)
  }

  @Test("A camera that is turned is no other camera; another focal length is")
  func shift() throws {
    let camera = CameraParameters.example(.pinhole, resolution: Self.resolution)
    let same = try #require(CameraShift(camera, camera))
    #expect(same.share(within: 1e-6) == 1)
    var other = camera
    other.intrinsics.fx *= 1.02
    other.intrinsics.fy *= 1.02
    let moved = try #require(CameraShift(camera, other))
    // 2 % of the way from the middle.
    let corner = try #require(moved.lengths[0])
    #expect(corner > 6 && corner < 18, "\(corner)")
    #expect(moved.share(within: 1) < 0.1)
    other = camera
    other.intrinsics.cx += 5
    // A turn takes up nearly all of it.
    #expect(try #require(CameraShift(camera, other)).share(within: 1.5) > 0.8)
  }
}
