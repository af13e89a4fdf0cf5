import CalibrationSolver
import CameraModel
import Testing

@Suite("bend of the board")
struct BoardBendTests {
  /// 9x6 points 30 mm apart: 240 mm from the first to the last in a row.
  static func views(
    bend: SIMD2<Double>, count: Int = 20, camera: CameraParameters = TestCamera.pinhole,
    seed: Int = 11
  ) throws -> (truth: SyntheticViews, flat: [SIMD3<Double>]) {
    var truth = SyntheticViews(
      camera: camera, views: count, columns: 9, rows: 6, distance: 0.35...0.8, seed: seed)
    let flat = truth.boardPoints
    let shape = try #require(BoardBend(over: flat, sagitta: bend))
    let bent = shape.applied(to: flat)
    truth.pixels = try truth.poses.map { pose in
      try bent.map { try #require(camera.project(pose($0))) }
    }
    return (truth, flat)
  }

  static let free = TestCamera.pinhole.freeWithoutHighTerms

  static func problem(
    _ truth: SyntheticViews, sigma: Double, seed: Int, shape: BoardShape?
  ) -> SolverProblem {
    var problem = truth.problem(
      sigma: sigma, seed: seed, free: truth.camera.freeWithoutHighTerms)
    problem.shape = shape
    return problem
  }

  @Test("half a millimetre: fx is right with it and wrong without", arguments: [0.0005, -0.0005])
  func halfMillimetre(bend: Double) throws {
    let (truth, flat) = try Self.views(bend: SIMD2(bend, bend / 2))
    let start = try BoardShape(#require(BoardBend(over: flat)))
    let with = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.1, seed: 1, shape: start))
    let without = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.1, seed: 1, shape: nil))
    func score(_ solution: Solution) throws -> Double {
      let deviation = try #require(
        ParameterCovariance(solution).standardDeviations["fx"])
      return abs(solution.camera.intrinsics.fx - truth.camera.intrinsics.fx) / deviation
    }
    let (right, wrong) = (try score(with), try score(without))
    print("measured bend \(bend): fx off by \(right) deviations with it, \(wrong) without")
    #expect(right < 3)
    #expect(wrong > 5)
    let found = try #require(with.bend).sagitta
    let deviations = try #require(ParameterCovariance(with).bendDeviations)
    #expect(abs(found.x - bend) < 3.5 * deviations.x)
    #expect(abs(found.y - bend / 2) < 3.5 * deviations.y)
    #expect(deviations.max() < 5e-5)
  }

  @Test("costs fx and fy of a flat board at most a tenth of their deviations")
  func flatBoard() throws {
    let (truth, flat) = try Self.views(bend: SIMD2())
    let shape = try BoardShape(#require(BoardBend(over: flat)))
    let with = try ParameterCovariance(
      BundleAdjustment.solve(Self.problem(truth, sigma: 0.1, seed: 2, shape: shape)))
    let without = try ParameterCovariance(
      BundleAdjustment.solve(Self.problem(truth, sigma: 0.1, seed: 2, shape: nil)))
    #expect(with.names == without.names)
    for index in 0..<2 {
      let growth = (with.noise[index][index] / without.noise[index][index]).squareRoot()
      print("measured \(with.names[index]): deviation \(growth) times as large with a bend")
      #expect(growth < 1.1)
      #expect(growth >= 1)
    }
  }

  @Test("the reported deviations are those of the scatter")
  func scatter() throws {
    let run = MonteCarlo(debug: 60, release: 400)
    let bend = SIMD2(0.0003, -0.0002)
    let (truth, flat) = try Self.views(bend: bend, count: 10, seed: 12)
    let start = try BoardShape(#require(BoardBend(over: flat)))
    var (errorX, errorY, reportedX, reportedY) = (Spread(), Spread(), Spread(), Spread())
    var (focal, reportedFocal) = (Spread(), Spread())
    for seed in 0..<run.seeds {
      let solution = try BundleAdjustment.solve(
        Self.problem(truth, sigma: 0.02, seed: seed, shape: start))
      let covariance = try ParameterCovariance(solution)
      let found = try #require(solution.bend).sagitta - bend
      errorX.add(found.x)
      errorY.add(found.y)
      focal.add(solution.camera.intrinsics.fx - truth.camera.intrinsics.fx)
      reportedFocal.add(covariance.noise[0][0].squareRoot())
      // The larger of two estimates: compared from above only.
      let deviations = try #require(covariance.bendDeviations)
      reportedX.add(deviations.x)
      reportedY.add(deviations.y)
    }
    let ratio = reportedFocal.rootMeanSquare / focal.rootMeanSquare
    print("measured fx with a bend: reported / seen \(ratio)")
    #expect(run.limits.contains(ratio))
    for (reported, error) in [(reportedX, errorX), (reportedY, errorY)] {
      let ratio = reported.rootMeanSquare / error.rootMeanSquare
      print("measured bend: reported / seen \(ratio)")
      #expect(ratio > run.limits.lowerBound && ratio < run.limits.upperBound + 0.4)
    }
  }

  @Test("gives the same bits for every number of threads")
  func jobs() throws {
    let (truth, flat) = try Self.views(bend: SIMD2(0.0003, 0.0001), count: 80)
    let shape = try BoardShape(
      #require(BoardBend(over: flat)), prior: ParameterPrior(mean: 0, deviation: 0.0003))
    let problem = Self.problem(truth, sigma: 0.2, seed: 3, shape: shape)
    let one = try BundleAdjustment.solve(problem, jobs: 1)
    for jobs in [2, 5] {
      let many = try BundleAdjustment.solve(problem, jobs: jobs)
      let isEqual =
        many.camera == one.camera && many.bend == one.bend && many.poses == one.poses
        && many.residuals == one.residuals
        && many.linearization.hessian == one.linearization.hessian
      #expect(isEqual, "\(jobs) threads")
    }
  }

  @Test("a bend that is known counts in poses, and is not estimated")
  func known() throws {
    let bend = SIMD2(0.002, 0.001)
    let (truth, flat) = try Self.views(bend: bend, count: 6)
    let known = try #require(BoardBend(over: flat, sagitta: bend))
    let view = truth.observed(sigma: 0, seed: 0)[0]
    let with = try PoseEstimation.refine(
      view, camera: truth.camera, bend: known, from: truth.poses[0])
    let without = try PoseEstimation.refine(view, camera: truth.camera, from: truth.poses[0])
    #expect(with.squares < 1e-12)
    #expect(without.squares > 1e-3)
    let solution = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0, seed: 0, shape: BoardShape(known, isFree: false)))
    let rms = solution.rms
    #expect(rms < 1e-6)
    #expect(try ParameterCovariance(solution).bendDeviations == nil)
  }

  @Test("a prior holds what views cannot tell; their own word is told apart from it")
  func prior() throws {
    // Nearly frontal at one distance: the bend and the focal length go together.
    var truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 8, columns: 9, rows: 6, tilt: 5, distance: 0.5...0.55,
      seed: 4)
    let flat = truth.boardPoints
    let bend = try #require(BoardBend(over: flat))
    let prior = ParameterPrior(mean: 0, deviation: 0.0003)
    let solution = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.1, seed: 5, shape: BoardShape(bend, prior: prior)))
    let held = try #require(ParameterCovariance(solution).bendDeviations)
    #expect(held.max() < 0.00035)
    if let unaided = ParameterCovariance.unaidedBend(solution)?.deviations {
      // Several times what a bend must be known to before it goes without the prior.
      #expect(unaided.max() > 0.00015)
    }
    truth = try Self.views(bend: SIMD2()).truth
    let good = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.1, seed: 5, shape: BoardShape(bend, prior: prior)))
    let unaided = try #require(ParameterCovariance.unaidedBend(good)).deviations
    let free = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.1, seed: 5, shape: BoardShape(bend)))
    let alone = try #require(ParameterCovariance(free).bendDeviations)
    // s² of both differs by what the prior pulls; 2 %.
    #expect(abs(unaided.x / alone.x - 1) < 0.02 && abs(unaided.y / alone.y - 1) < 0.02)
  }

  @Test(
    "what the prior may be off by is in the deviations, whatever its emphasis",
    arguments: [1.0, 25])
  func priorOff(emphasis: Double) throws {
    let run = MonteCarlo(debug: 60, release: 400)
    let sigma = 0.0003
    let truth = SyntheticViews(
      camera: TestCamera.pinhole, views: 8, columns: 9, rows: 6, tilt: 12, distance: 0.45...0.6,
      seed: 4)
    let flat = truth.boardPoints
    let shape = try BoardShape(
      #require(BoardBend(over: flat)),
      prior: ParameterPrior(mean: 0, deviation: sigma, emphasis: emphasis))
    var (errors, reported, focal, focalReported) = (Spread(), Spread(), Spread(), Spread())
    for seed in 0..<run.seeds {
      // Boards as the prior has them.
      var generator = SeededGenerator(seed: seed + 77)
      let bend = SIMD2(generator.normal(), generator.normal()) * sigma
      let bent = try #require(BoardBend(over: flat, sagitta: bend)).applied(to: flat)
      var views = truth
      views.pixels = try truth.poses.map { pose in
        try bent.map { try #require(truth.camera.project(pose($0))) }
      }
      let solution = try BundleAdjustment.solve(
        Self.problem(views, sigma: 0.1, seed: seed, shape: shape))
      let covariance = try ParameterCovariance(solution)
      let error = try #require(solution.bend).sagitta - bend
      let deviations = try #require(covariance.bendDeviations)
      for index in 0..<2 {
        errors.add(error[index])
        reported.add(deviations[index])
      }
      focal.add(solution.camera.intrinsics.fx - truth.camera.intrinsics.fx)
      focalReported.add(try #require(covariance.standardDeviations["fx"]))
    }
    for (name, reported, seen) in [("bend", reported, errors), ("fx", focalReported, focal)] {
      let ratio = reported.rootMeanSquare / seen.rootMeanSquare
      print("measured \(name) with a prior of emphasis \(emphasis): reported / seen \(ratio)")
      // The larger of two estimates, from eight views: never too small.
      #expect(ratio > run.limits.lowerBound && ratio < run.limits.upperBound + 0.5)
    }
  }

  @Test("the gain of a view is predicted with the bend as with the camera alone")
  func nextView() throws {
    let (truth, flat) = try Self.views(bend: SIMD2(0.0005, 0), count: 12)
    let shape = try BoardShape(#require(BoardBend(over: flat)))
    var problem = Self.problem(truth, sigma: 1e-5, seed: 6, shape: shape)
    let all = problem
    problem.views.removeLast(4)
    problem.poses.removeLast(4)
    let solution = try BundleAdjustment.solve(problem)
    let next = try #require(NextView(after: solution, of: problem))
    func meanVariance(_ solution: Solution) throws -> Double {
      let covariance = try ParameterCovariance(solution)
      let projection = try #require(ProjectionCovariance(solution, covariance: covariance))
      var sum = 0.0
      for row in 0..<ProjectionUncertainty.rows {
        for column in 0..<ProjectionUncertainty.columns {
          let pixel = ProjectionUncertainty.cellCentre(
            column: column, row: row, of: solution.camera.resolution)
          let noise = try #require(projection.matrices(at: pixel)?.first)
          sum += (noise.xx + noise.yy) / solution.variance
        }
      }
      return sum
    }
    let before = try meanVariance(solution)
    for candidate in 8..<12 {
      let predicted = try #require(
        next.share(leftBy: flat, at: truth.poses[candidate], weight: 1))
      var grown = problem
      grown.views.append(all.views[candidate])
      grown.poses.append(all.poses[candidate])
      let found = try meanVariance(try BundleAdjustment.solve(grown)) / before
      #expect(abs(found / predicted - 1) < 0.03, "\(candidate): \(predicted), found \(found)")
    }
  }

  @Test("views held out are judged on the bent board")
  func heldOut() throws {
    let (truth, flat) = try Self.views(bend: SIMD2(0.002, -0.001), count: 12)
    let shape = try BoardShape(#require(BoardBend(over: flat)))
    let problem = Self.problem(truth, sigma: 0.1, seed: 7, shape: shape)
    let solution = try BundleAdjustment.solve(problem)
    let heldOut = try #require(try HeldOutError.evaluate(problem, from: solution))
    // Measured 1.0; a flat board in the folds would leave 0.3 px.
    let ratio = heldOut.sigma / 0.1
    #expect((0.9...1.15).contains(ratio), "\(ratio)")
    let consistency = ViewConsistency(problem, solution: solution)
    #expect(consistency.movedFocus.isEmpty && consistency.distortedByMotion.isEmpty)
  }

  @Test("a round bend is one unknown")
  func round() throws {
    let (truth, flat) = try Self.views(bend: SIMD2(0.0004, 0.0004))
    let shape = try BoardShape(#require(BoardBend(over: flat, isRound: true)))
    let solution = try BundleAdjustment.solve(
      Self.problem(truth, sigma: 0.05, seed: 8, shape: shape))
    let found = try #require(solution.bend).sagitta
    #expect(found.x == found.y)
    #expect(abs(found.x - 0.0004) < 4e-5)
    let deviations = try #require(ParameterCovariance(solution).bendDeviations)
    #expect(deviations.x == deviations.y)
  }

  @Test("refuses a corner field without extent")
  func noField() {
    #expect(BoardBend(over: [SIMD3(0, 0, 0), SIMD3(1, 0, 0)]) == nil)
    #expect(BoardBend(over: []) == nil)
    #expect(BoardBend(over: [SIMD3(0, 0, 0), SIMD3(1, 1, 0)], sagitta: SIMD2(.nan, 0)) == nil)
  }
}
