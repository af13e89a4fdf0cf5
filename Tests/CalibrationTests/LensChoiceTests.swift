import BoardRendering
import CalibrationSolver
import CalibrationStore
import CameraModel
import Glibc
import Testing

@testable import Calibration

@Suite("Choice of the lens model")
struct LensChoiceTests {
  private static func views(
    _ camera: CameraParameters, count: Int = 14, seed: UInt64 = 3
  ) throws -> [ObservedView] {
    try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: count, seed: seed
    ).noisy(sigma: 0.1, seed: seed + 1).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
  }

  private static func fitting(
    _ views: [ObservedView], _ resolution: Resolution, _ model: LensModel = .pinhole
  ) -> LensFitting {
    LensFitting(
      views: views, resolution: resolution, lensModel: model, coefficientCount: nil, jobs: 2)
  }

  private static func choice(_ views: [ObservedView], _ resolution: Resolution) throws -> LensChoice
  {
    try LensChoice(fitting(views, resolution), sample: Array(views.indices))
  }

  @Test(
    "The model that made the views is chosen, and its fit is the one that it gives when asked for",
    arguments: [LensModel.pinhole, .fisheye, .spline])
  func makersModel(model: LensModel) throws {
    var camera = CameraParameters.example(model)
    if model == .fisheye {
      camera.intrinsics.fx = 0.28 * 640
      camera.intrinsics.fy = 0.28 * 640
    }
    if model == .spline {
      // No Kannala–Brandt lens comes nearer than 4 px to it.
      camera = CameraParameters(
        resolution: camera.resolution, lensModel: model,
        intrinsics: Intrinsics(fx: 150, fy: 150, cx: 322, cy: 238),
        distortion: [-0.015, 0.004, 0.002, -0.002, 0, 0, 0.3, -0.02, 0, 1.7])
    }
    let views = try Self.views(camera)
    let choice = try Self.choice(views, camera.resolution)
    let fit = choice.settled.fit
    #expect(fit.solution.camera.lensModel == model)
    let asked = try Self.fitting(views, camera.resolution, model).fit(sample: Array(views.indices))
    #expect(
      asked.solution.camera.parameterVector.map(\.bitPattern)
        == fit.solution.camera.parameterVector.map(\.bitPattern))

    #expect(choice.candidates.map(\.lensModel) == LensComparison.simplicity.map(\.rawValue))
    #expect(choice.candidates.filter(\.isChosen).map(\.lensModel) == [model.rawValue])
    let chosen = try #require(choice.candidates.first { $0.isChosen })
    #expect(chosen.parameterCount == fit.solution.freeNames.count)
    #expect(try #require(chosen.standardErrorsBehindBest) <= 1)
    #expect(try #require(chosen.heldOutSigma) < 0.13)
    // What is not compared says why.
    for candidate in choice.candidates where candidate.standardErrorsBehindBest == nil {
      #expect(candidate.note != nil, "\(candidate)")
    }
    if model == .spline {
      #expect(fit.solution.freeNames.contains("s1"), "\(fit.selection.steps)")
      try expectReach(fit)
    }
    let pinhole = try #require(choice.candidates.first)
    if model == .fisheye {
      #expect(try #require(pinhole.standardErrorsBehindBest) > 2)
      #expect(try #require(pinhole.sigma) > 1)
    }
  }

  /// The lens ends just beyond the outermost corner, says so, and knows nothing farther out.
  private func expectReach(_ fit: LensFit) throws {
    let camera = fit.solution.camera
    let limit = try #require(camera.distortion.last)
    let largest = try zip(fit.views, fit.solution.poses).flatMap { view, pose in
      try zip(view.boardPoints, view.isUsed).filter(\.1).map { point, _ in
        let ray = RotationMatrix(rotationVector: pose.rotation) * point + pose.translation
        // Every point that took part is one that the camera shows.
        _ = try #require(camera.project(ray))
        return acos(ray.z / (ray * ray).sum().squareRoot())
      }
    }.max()
    let share = limit / (try #require(largest))
    #expect(share > 1.005 && share < 1.035, "\(share)")
    #expect(fit.selection.held["thetaMax"]?.contains("largest angle") == true)
    let covariance = try ParameterCovariance(fit.solution)
    #expect(!covariance.names.contains("thetaMax"))
    let grid = ProjectionUncertainty(fit.solution, covariance: covariance)
    for (index, sigma) in grid.sigma.enumerated() {
      let pixel = ProjectionUncertainty.cellCentre(
        column: index % ProjectionUncertainty.columns, row: index / ProjectionUncertainty.columns,
        of: camera.resolution)
      #expect((sigma == nil) == (camera.unproject(pixel) == nil), "\(pixel)")
    }
  }

  @Test("Asked for all coefficients, no model is said to have none that earns its place")
  func askedCoefficients() throws {
    let camera = CameraParameters.example(.pinhole)
    let views = try Self.views(camera, count: 8)
    for count in [nil, 4, 9] {
      var fitting = Self.fitting(views, camera.resolution)
      fitting.coefficientCount = count
      let choice = try LensChoice(fitting, sample: Array(views.indices))
      let notes = choice.candidates.compactMap(\.note)
      #expect(
        notes.contains { $0.contains("earns its place") } == (count == nil),
        "\(count ?? 0): \(notes)")
      if count == 4 {
        #expect(
          notes.contains {
            $0
              == "without k4, k5 and k6 it is the pinhole lens, and they are held at 0: --coefficients"
          }, "\(notes)")
      }
    }
  }

  @Test("The chosen lens's figures are those of the result, or it is said what those are")
  func chosenFigures() throws {
    var camera = CameraParameters.example(.fisheye)
    camera.intrinsics.fx = 1.1 * 640
    camera.intrinsics.fy = 1.1 * 640
    var differing = 0
    for seed in [3, 11, 19, 27] as [UInt64] {
      var views = try Self.views(camera, seed: seed)
      for view in views.indices { views[view].pixels[5 * (view % 4)] += SIMD2(0.33, -0.3) }
      let choice = try Self.choice(views, camera.resolution)
      let row = try #require(choice.candidates.first { $0.isChosen })
      let fit = choice.settled.fit
      let own = try #require(fit.selection.heldOut?.sigma)
      let isSame =
        fixed(row.heldOutSigma, 4) == fixed(own, 4)
        && fixed(row.sigma, 4) == fixed(fit.solution.sigma, 4)
      if !isSame { differing += 1 }
      #expect(isSame || row.note?.contains("held out \(fixed(own, 4))") == true, "\(row)")
      #expect(!isSame || row.note == nil, "\(row)")
    }
    // Else the test shows nothing.
    #expect(differing > 0)
  }

  @Test("A point that is far off costs every model alike: it is left out for all of them")
  func wrongPoints() throws {
    let camera = CameraParameters.example(.fisheye)
    var views = try Self.views(camera)
    for view in views.indices { views[view].pixels[7 + view] += SIMD2(6, -5) }
    let choice = try Self.choice(views, camera.resolution)
    #expect(choice.settled.fit.solution.camera.lensModel == .fisheye)
    let chosen = try #require(choice.candidates.first { $0.isChosen })
    #expect(try #require(chosen.heldOutSigma) < 0.14)
  }

  @Test("With too few views to hold one out, the simplest model that is not far off is taken")
  func fewViews() throws {
    let narrow = CameraParameters.example(.pinhole)
    let few = try Self.choice(try Self.views(narrow, count: 4), narrow.resolution)
    #expect(few.settled.fit.solution.camera.lensModel == .pinhole)
    #expect(few.candidates.allSatisfy { $0.heldOutSigma == nil })
    #expect(few.candidates.count { $0.isChosen } == 1)
    var wide = CameraParameters.example(.fisheye)
    wide.intrinsics.fx = 0.28 * 640
    wide.intrinsics.fy = 0.28 * 640
    let other = try Self.choice(try Self.views(wide, count: 4), wide.resolution)
    #expect(other.settled.fit.solution.camera.lensModel == .fisheye)
  }

  @Test("What no lens explains is an error, and so is an interruption")
  func noChoice() throws {
    let camera = CameraParameters.example(.pinhole)
    let views = try Self.views(camera, count: 5)
    #expect(throws: CalibrationError.self) {
      _ = try Self.choice(Array(views.prefix(2)), camera.resolution)
    }
    do {
      _ = try LensChoice(
        Self.fitting(views, camera.resolution), sample: Array(views.indices),
        isCancelled: { true })
      Issue.record("it went on")
    } catch {
      #expect(error.code == .interrupted)
    }
  }
}
