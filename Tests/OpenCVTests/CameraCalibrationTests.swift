import CameraModel
import Glibc
import Testing

@testable import OpenCV

/// Points of boards seen by a known camera, without noise.
struct SyntheticViews {
  var camera: CameraParameters
  var poses: [Pose] = []
  var views: [BoardView] = []

  /// `count` views of a 9x6 board of 25 mm squares, turned about x and y by up to 35°.
  init(_ camera: CameraParameters, count: Int = 10, distance: Double = 0.35) {
    self.camera = camera
    let board = (0..<54).map { SIMD3(Double($0 % 9) * 0.025, Double($0 / 9) * 0.025, 0) }
    for index in 0..<count {
      // A fixed spiral of directions: no two views alike.
      let phase = 2.4 * Double(index)
      let tilt = 0.6 * (Double(index) + 0.5) / Double(count)
      let pose = Pose(
        rotation: SIMD3(tilt * cos(phase), tilt * sin(phase), 0.1 * sin(2 * phase)),
        translation: SIMD3(
          -0.1 + 0.05 * cos(phase), -0.0625 + 0.04 * sin(phase), distance * (1 + 0.2 * sin(phase))))
      let pixels = board.compactMap { camera.project(pose($0)) }
      guard pixels.count == board.count else { continue }
      poses.append(pose)
      views.append(BoardView(boardPoints: board, pixels: pixels))
    }
  }
}

@Suite struct CameraCalibrationTests {
  static let pinhole = CameraParameters(
    resolution: Resolution(width: 1280, height: 720),
    intrinsics: Intrinsics(fx: 930, fy: 925, cx: 651, cy: 348),
    distortion: [-0.28, 0.07, 5e-4, -3e-4, 0.01])
  static let rational = CameraParameters(
    resolution: Resolution(width: 1280, height: 720), lensModel: .rational,
    intrinsics: Intrinsics(fx: 930, fy: 925, cx: 651, cy: 348),
    distortion: [0.1, 0.05, 5e-4, -3e-4, 0.01, 0.3, 0.05, 0.02])
  static let fisheye = CameraParameters(
    resolution: Resolution(width: 1280, height: 960), lensModel: .fisheye,
    intrinsics: Intrinsics(fx: 420, fy: 421, cx: 640, cy: 470),
    distortion: [0.02, -0.01, 0.004, -0.001])

  private func calibrate(_ s: SyntheticViews, free: [Bool]? = nil) throws -> CameraCalibration {
    try CameraCalibration.calibrate(
      s.views, resolution: s.camera.resolution, lensModel: s.camera.lensModel,
      options: .init(
        freeCoefficients: free
          ?? s.camera.lensModel.coefficientNames.map { _ in true }))
  }

  /// Floats inside OpenCV leave 3e-5 px; what remains is the stop of its iteration.
  @Test func pinholeIsRecovered() throws {
    let s = SyntheticViews(Self.pinhole)
    let answer = try calibrate(s)
    #expect(answer.rms < 1e-3)
    for (a, b) in zip(answer.camera.parameterVector, s.camera.parameterVector).prefix(4) {
      #expect(abs(a - b) < 0.05)
    }
    #expect(answer.usedViews == Array(s.views.indices) && answer.leftOut.isEmpty)
    for (a, b) in zip(answer.poses, s.poses) {
      #expect(((a.translation - b.translation) * (a.translation - b.translation)).sum() < 1e-8)
    }
  }

  @Test func rationalFitsItsOwnViews() throws {
    let answer = try calibrate(SyntheticViews(Self.rational))
    // The eight coefficients trade with one another; only the projection is determined.
    #expect(answer.rms < 0.02)
    #expect(answer.camera.distortion.count == 8)
  }

  @Test func fisheyeIsRecovered() throws {
    let s = SyntheticViews(Self.fisheye, distance: 0.16)
    let answer = try calibrate(s)
    #expect(answer.rms < 1e-3)
    for (a, b) in zip(answer.camera.parameterVector, s.camera.parameterVector).prefix(4) {
      #expect(abs(a - b) < 0.05)
    }
  }

  @Test func heldCoefficientsStayZero() throws {
    let s = SyntheticViews(Self.pinhole)
    let answer = try calibrate(s, free: [true, false, false, false, false])
    #expect(answer.camera.distortion[0] < -0.1)
    #expect(answer.camera.distortion[1...].allSatisfy { $0 == 0 })
    // OpenCV frees both tangential coefficients or none.
    let one = try calibrate(s, free: [true, true, true, false, false])
    #expect(one.camera.distortion[2] == 0 && one.camera.distortion[3] == 0)
    let fisheye = try calibrate(
      SyntheticViews(Self.fisheye, distance: 0.16), free: [true, false, false, false])
    #expect(fisheye.camera.distortion[0] != 0)
    #expect(fisheye.camera.distortion[1...].allSatisfy { $0 == 0 })
  }

  @Test func startValuesAreUsedAndHeldOnRequest() throws {
    let s = SyntheticViews(Self.pinhole)
    var options = CameraCalibration.Options(
      freeCoefficients: [false, false, false, false, false], start: s.camera)
    options.fixesPrincipalPoint = true
    options.fixesFocalLength = true
    let answer = try CameraCalibration.calibrate(
      s.views, resolution: s.camera.resolution, lensModel: .pinhole, options: options)
    #expect(answer.camera == s.camera)
    #expect(answer.rms < 1e-3)
  }

  @Test func badArgumentsAreErrors() {
    let s = SyntheticViews(Self.pinhole, count: 3)
    func code(_ views: [BoardView], _ lens: LensModel, _ free: [Bool], _ start: CameraParameters?)
      -> OpenCVError.Code?
    {
      do {
        _ = try CameraCalibration.calibrate(
          views, resolution: s.camera.resolution, lensModel: lens,
          options: .init(freeCoefficients: free, start: start))
        return nil
      } catch { return error.code }
    }
    let five = [Bool](repeating: true, count: 5)
    #expect(code([], .pinhole, five, nil) == .noUsableView)
    #expect(code(s.views, .pinhole, [true], nil) == .invalidArgument)
    #expect(code(s.views, .rational, five, nil) == .invalidArgument)
    #expect(code(s.views, .pinhole, five, Self.fisheye) == .invalidArgument)
    var uneven = s.views
    uneven[1].pixels.removeLast()
    #expect(code(uneven, .pinhole, five, nil) == .invalidArgument)
    var notFinite = s.views
    notFinite[1].pixels[3].x = .nan
    #expect(code(notFinite, .pinhole, five, nil) == .invalidArgument)
  }

  @Test(arguments: [pinhole, rational, fisheye])
  func aPoseIsFoundFromNothingButThePoints(camera: CameraParameters) throws {
    let s = SyntheticViews(camera, distance: 0.25)
    #expect(!s.views.isEmpty)
    for (view, truth) in zip(s.views, s.poses) {
      let pose = try Pose(of: view, seenBy: camera)
      for point in view.boardPoints {
        let d = pose(point) - truth(point)
        // Iterated by OpenCV to single precision or better; a start needs far less.
        #expect((d * d).sum().squareRoot() < 1e-5)
      }
    }
  }

  /// A board that reaches beyond 90° from the axis, where ideal image coordinates end.
  @Test func aPoseIsFoundBeyondARightAngle() throws {
    let camera = Self.fisheye
    let board = (0..<54).map { SIMD3(Double($0 % 9) * 0.025, Double($0 / 9) * 0.025, 0) }
    let truth = Pose(rotation: SIMD3(0.1, 1.2, 0.2), translation: SIMD3(0.12, -0.05, 0.05))
    let points = board.map { truth($0) }
    #expect(points.contains { $0.z < 0 })
    let view = BoardView(boardPoints: board, pixels: points.compactMap { camera.project($0) })
    let pose = try Pose(of: view, seenBy: camera)
    let d = pose.translation - truth.translation
    #expect((d * d).sum().squareRoot() < 1e-5)
  }

  @Test func foldOverIsSeen() {
    var camera = Self.pinhole
    #expect(!camera.foldsOver)
    camera = CameraParameters(
      resolution: camera.resolution, intrinsics: camera.intrinsics, distortion: [-0.5])
    #expect(camera.foldsOver)
  }
}
