import BoardRendering
import CalibrationSolver
import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import Testing

/// What goes wrong between corners and a camera.
@Suite struct SolvingPains {
  /// Pain 29: a rational model fitted to central views has poles inside the image, and pictures that
  /// are rectified with it a ring of garbage.
  @Test func aRationalModelOfCentralViewsFoldsOver() throws {
    let camera = CameraParameters.example(.pinhole)
    let scenes = try (0..<20).map { index in
      let angle = Double(index) * 2.399963  // the golden angle: every direction of tilt
      let pose = try #require(
        BoardPose.aimed(
          at: SIMD2(320 + 25 * cos(angle), 240 + 20 * sin(angle)), cover: 0.3,
          tiltDegrees: 5 + 2 * Double(index), towardsDegrees: angle * 180 / .pi, rollDegrees: 3,
          camera: camera, board: Scenes.board))
      return BoardScene(camera: camera, board: Scenes.board, pose: pose)
    }
    let photographs = try RenderedPhotographs(scenes)
    for choice in [["--coefficients", "8"], ["--coefficients", "6"], []] {
      let run = try CalibrateRun(
        ["--board", "9x6", "--lens", "rational", photographs.path] + choice)
      let record = try #require(run.record, "\(run.messages)")
      #expect(FoldOver(record.camera) == nil)
      let free = try #require(record.covariance).parameters
      for name in record.camera.lensModel.coefficientNames where !free.contains(name) {
        #expect(record.held[name]?.isEmpty == false, "\(name) is held without a word")
      }
      #expect(record.verdict.level != .good, "\(record.reasons)")
      #expect(record.misses(camera, deviations: 4.5).filter { $0.hasPrefix("f") } == [])
    }
  }

  /// Pain 30: asking for more than three radial coefficients, or for a combination of flags, gives
  /// distortion that is all zero.
  @Test(arguments: LensModel.allCases)
  func distortionIsSilentlyZero(lens: LensModel) throws {
    let camera = CameraParameters.example(lens)
    // Near the axis the fisheye's views are found soon.
    let scenes = try Scenes.random(
      7, camera: camera,
      ranges: PoseRanges(
        cover: 0.4...0.7, tiltDegrees: 0...35, margin: lens.isAngular ? 60 : 6), seed: 30)
    let photographs = try RenderedPhotographs(scenes)
    let names = lens.coefficientNames
    let counts =
      runsLongTests
      ? Array(0...lens.estimatedCoefficientCount) : [lens.estimatedCoefficientCount]
    for count in [nil] + counts.map(Optional.some) {
      let run = try CalibrateRun(
        ["--board", "9x6", "--lens", lens.rawValue, photographs.path]
          + (count.map { ["--coefficients", String($0)] } ?? []))
      // Eight coefficients that the views do not tell apart: as many as they do.
      let record = try #require(run.record, "\(run.messages)")
      for (name, value) in zip(names, record.camera.distortion) {
        if let reason = record.held[name] {
          #expect(!reason.isEmpty && record.standardDeviations[name] == nil)
        } else {
          #expect(value != 0, "\(name) is zero without a word")
          #expect(record.standardDeviations[name] != nil)
        }
      }
      // Those that were asked for are estimated, or it is said why not.
      let free = names.filter { record.held[$0] == nil }
      if let count, free.count != count {
        let refused = names.prefix(count).compactMap { record.held[$0] }
        #expect(refused.count == count - free.count)
        #expect(refused.allSatisfy { !$0.contains("--coefficients") }, "\(refused)")
      }
      // k1 alone may fold over, and is held then.
      if count ?? 2 >= 2 { #expect(!free.isEmpty) }
    }
  }

  /// Pain 32: `fisheye::calibrate` stops with an assertion on right corners, with the board through the
  /// principal axis and near 90°, or ends beyond 20 px.
  @Test func aFisheyeOf130DegreesStopsTheSolver() throws {
    // 130° across: 640 px / 2 / (65° in radians).
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 282, fy: 282.5, cx: 324, cy: 237),
      distortion: [-0.01, 0.003, 0, 0])
    var scenes = try Scenes.random(
      10, camera: camera, ranges: PoseRanges(cover: 0.25...0.6, tiltDegrees: 0...25, margin: 25),
      seed: 32)
    // Straight ahead, and at the sides.
    for pixel in [SIMD2(325.0, 237), SIMD2(110, 240), SIMD2(540, 130)] {
      let pose = try #require(
        BoardPose.aimed(
          at: pixel, cover: 0.24, tiltDegrees: 0, towardsDegrees: 0, rollDegrees: 0,
          camera: camera, board: Scenes.board))
      scenes.append(BoardScene(camera: camera, board: Scenes.board, pose: pose))
    }
    let photographs = try RenderedPhotographs(scenes)
    let run = try CalibrateRun(["--board", "9x6", "--lens", "fisheye", photographs.path])
    let record = try #require(run.record, "\(run.messages)")
    #expect((record.reprojectionError?.rms ?? 9) < 0.2)
    #expect(record.misses(camera, deviations: 4.5) == [])
    // Small boards far from the axis are at the edge of what OpenCV's finders see.
    #expect(record.views.count { $0.used } >= 12, "\(record.views.filter { !$0.used })")
    #expect(record.views[10].used, "the board on the axis")
  }

  /// Pain 36: RMS 0.14 px, and every parameter is uncertain beyond use: the user cannot tell.
  @Test func aSmallRMSHidesThatNothingIsKnown() throws {
    let camera = CameraParameters.example(.pinhole)
    let scenes = try (0..<6).map { index in
      let step = Double(index)
      let pose = try #require(
        BoardPose.aimed(
          at: SIMD2(300 + 9 * step, 250 - 7 * step), cover: 0.22 + 0.004 * step,
          tiltDegrees: 3 + 0.3 * step, towardsDegrees: 30 + 5 * step, rollDegrees: step - 3,
          camera: camera, board: Scenes.board))
      return BoardScene(camera: camera, board: Scenes.board, pose: pose)
    }
    let photographs = try RenderedPhotographs(scenes)
    let run = try CalibrateRun(["--board", "9x6", photographs.path])
    let record = try #require(run.record, "\(run.messages)")
    #expect((record.reprojectionError?.rms ?? 9) < 0.2)
    #expect(record.verdict.level == .poor && run.status == 2, "\(record.reasons)")
    #expect(record.reasons.contains("ilt the board"), "\(record.reasons)")
    #expect(record.misses(camera, deviations: 4.5) == [])
  }

  /// Pain 38: autofocus was on; each view has a focal length of its own.
  @Test func autofocusMakesTheCameraAbsurd() throws {
    let camera = CameraParameters.example(.pinhole)
    var random = SeededGenerator(seed: 38)
    let scenes = try Scenes.random(12, camera: camera, seed: 38).map { scene in
      var scene = scene
      let factor = random.uniform(0.97...1.03)
      scene.camera.intrinsics.fx *= factor
      scene.camera.intrinsics.fy *= factor
      return scene
    }
    let photographs = try RenderedPhotographs(scenes)
    let run = try CalibrateRun(["--board", "9x6", photographs.path])
    let record = try #require(run.record, "\(run.messages)")
    #expect(record.verdict.level == .poor && run.status == 2, "\(record.reasons)")
    #expect(record.reasons.contains("focus"), "\(record.reasons)")
    // Wrong by per cents, not absurd.
    #expect(abs(record.camera.intrinsics.fx / camera.intrinsics.fx - 1) < 0.05)
  }

  /// Pain 41: only near-frontal views through a strong lens: "initialization of focal length failed",
  /// NaN, and a question that nobody is there to answer.
  @Test(arguments: [LensModel.pinhole, .fisheye])
  func frontalViewsEndInAQuestion(lens: LensModel) throws {
    let camera = CameraParameters.example(.fisheye)
    let scenes = try Scenes.random(
      8, camera: camera,
      ranges: PoseRanges(cover: 0.3...0.34, tiltDegrees: 0...1, rollDegrees: -2...2, margin: 110),
      seed: 41)
    let photographs = try RenderedPhotographs(scenes)
    // Its standard input is open and silent: a question would end in status 124.
    let run = try CalibrateRun(
      ["--board", "9x6", "--lens", lens.rawValue, photographs.path])
    #expect([0, 1, 2].contains(run.status), "\(run.status) \(run.messages)")
    #expect(!(run.output + run.messages).lowercased().contains("nan"))
    if let record = run.record {
      #expect(record.verdict.level != .good, "\(record.reasons)")
      #expect(!record.verdict.reasons.isEmpty)
    } else {
      #expect(run.messages.contains("tilt"), "\(run.messages)")
    }
  }

  /// Pain 43: corners of something else are accepted at 232 px RMS.
  ///
  /// Here it is a photograph of another camera, which slipped into the folder.
  @Test func aViewOfAnotherCameraIsAccepted() throws {
    let camera = CameraParameters.example(.pinhole)
    var scenes = try Scenes.random(11, camera: camera, seed: 43)
    scenes[4].camera.intrinsics = Intrinsics(fx: 610, fy: 540, cx: 300, cy: 250)
    let photographs = try RenderedPhotographs(scenes)
    let run = try CalibrateRun(["--board", "9x6", photographs.path])
    let record = try #require(run.record, "\(run.messages)")
    #expect(record.views.filter { !$0.used }.map { $0.source.suffix(10) } == ["view05.pgm"])
    #expect(record.views[4].reason?.isEmpty == false)
    #expect(record.misses(camera, deviations: 4.5) == [])
    #expect(run.output.contains("view05.pgm"))
  }
}
