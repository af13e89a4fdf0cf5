import CalibrationSolver
import CameraModel
import Testing

/// What least squares begin with, from nothing but the points.
@Suite struct CameraStartTests {
  private func start(
    _ truth: SyntheticViews, views: [ObservedView]? = nil, seed: Int = 1
  ) throws -> CameraStart {
    try CameraStart(
      views ?? truth.observed(sigma: 0.2, seed: seed), resolution: truth.camera.resolution,
      lensModel: truth.camera.lensModel)
  }

  /// Solves from a start and from the truth; the same minimum.
  private func expectSameMinimum(
    _ start: CameraStart, _ truth: SyntheticViews, _ views: [ObservedView], free: [Bool],
    _ comment: Comment
  ) throws {
    let poses = start.poses.compactMap { $0 }
    try #require(poses.count == views.count, comment)
    let own = try BundleAdjustment.solve(
      SolverProblem(camera: start.camera, views: views, poses: poses, free: free))
    let best = try BundleAdjustment.solve(
      SolverProblem(camera: truth.camera, views: views, poses: truth.poses, free: free))
    // The bound of what counts as the same: a cost within a millionth.
    #expect(own.rms * own.rms <= best.rms * best.rms * (1 + 1e-6), comment)
  }

  @Test(arguments: TestCamera.all)
  func leadsToTheMinimum(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 12)
    let views = truth.observed(sigma: 0.2, seed: 5)
    let start = try start(truth, views: views)
    #expect(start.camera.lensModel == camera.lensModel)
    var free = camera.lensModel.parameterNames.map { _ in true }
    // k4 to k6 beside k3 have long valleys from two coefficients on: that is the climb's business.
    if camera.lensModel == .rational { for index in 9..<12 { free[index] = false } }
    // A spline's knots lie where its own start has them.
    if camera.lensModel != .rational, camera.lensModel != .spline {
      try expectSameMinimum(start, truth, views, free: free, "\(camera.lensModel)")
    }
    #expect(abs(start.camera.intrinsics.fx / camera.intrinsics.fx - 1) < 0.1)
  }

  /// Strong barrels, wide and narrow, upright and across.
  @Test(arguments: [0.5, 0.8, 1.5, 3.5])
  func standsStrongDistortion(focal: Double) throws {
    for resolution in [Resolution(width: 1280, height: 720), Resolution(width: 720, height: 1280)] {
      let f = focal * 1280
      let camera = CameraParameters(
        resolution: resolution,
        intrinsics: Intrinsics(
          fx: f, fy: f * 1.004, cx: Double(resolution.width) / 2 + 21,
          cy: Double(resolution.height) / 2 - 13),
        distortion: [-0.4, 0.08, 3e-4, -2e-4])
      let truth = SyntheticViews(
        camera: camera, views: 10, distance: (0.25 * focal)...(0.6 * focal))
      let views = truth.observed(sigma: 0.2, seed: 3)
      let start = try start(truth, views: views)
      var free = camera.lensModel.parameterNames.map { _ in true }
      free[8] = false
      try expectSameMinimum(start, truth, views, free: free, "\(focal) \(resolution)")
    }
  }

  /// Boards of another camera among the others move the start a little, and no further.
  @Test(arguments: [TestCamera.pinhole, TestCamera.fisheye])
  func wrongBoardsDoNotLeadAstray(camera: CameraParameters) throws {
    let truth = SyntheticViews(camera: camera, views: 12)
    var other = camera
    other.intrinsics.fx *= 1.6
    other.intrinsics.fy *= 1.6
    let wrong = SyntheticViews(camera: other, views: 3, distance: 0.5...0.9, seed: 9)
    var views = truth.observed(sigma: 0.2, seed: 5)
    for (index, view) in wrong.observed(sigma: 0.2, seed: 6).enumerated() {
      views[4 * index + 1] = view
    }
    let start = try start(truth, views: views)
    #expect(abs(start.camera.intrinsics.fx / camera.intrinsics.fx - 1) < 0.1)
    let hasAll = start.poses.allSatisfy { $0 != nil }
    #expect(hasAll)
  }

  /// Frontal boards say nothing of the focal length; what is chosen is a focal length all the same.
  @Test func frontalViewsGiveNoAbsurdFocalLength() throws {
    for seed in 0..<20 {
      let truth = SyntheticViews(
        camera: TestCamera.pinhole, views: 6, tilt: 0.05, seed: seed)
      let k = try start(truth, seed: seed).camera.intrinsics
      for focal in [k.fx, k.fy] { #expect(focal > 0.2 * 480 && focal < 10 * 640, "\(seed): \(k)") }
    }
  }

  /// Whatever the views, focal lengths are positive and finite, and no pose is absurd.
  @Test func neverNegativeNorInfinite() throws {
    var generator = SeededGenerator(seed: 4)
    for seed in 0..<200 {
      let focal = generator.uniform(250, 2500)
      let camera = CameraParameters(
        resolution: Resolution(width: 640, height: 480),
        intrinsics: Intrinsics(
          fx: focal, fy: focal * generator.uniform(0.9, 1.1), cx: 320, cy: 240))
      let scale = focal / 520
      let truth = SyntheticViews(
        camera: camera, views: 3, tilt: generator.uniform(1, 60),
        distance: (0.3 * scale)...(0.7 * scale), seed: seed)
      let start = try start(truth, seed: seed)
      #expect(start.camera.intrinsics.fx > 0 && start.camera.intrinsics.fy > 0, "\(seed)")
      let isFinite = start.camera.parameterVector.allSatisfy { $0.isFinite }
      #expect(isFinite, "\(seed)")
      for pose in start.poses { #expect((pose?.translation.z ?? 0) > 0, "\(seed)") }
    }
  }

  @Test func refusesWhatSaysNothing() throws {
    let size = Resolution(width: 640, height: 480)
    #expect(throws: SolverError.self) { try CameraStart([], resolution: size, lensModel: .pinhole) }
    let line = (0..<9).map { SIMD3(Double($0), 0, 0) }
    let view = ObservedView(boardPoints: line, pixels: line.map { SIMD2(100 + 20 * $0.x, 200) })
    for model in LensModel.allCases {
      #expect(throws: SolverError.self) {
        try CameraStart([view, view, view], resolution: size, lensModel: model)
      }
    }
  }

  /// More points than one thread is left alone with.
  @Test func manyViewsGiveTheSameBitsWithAnyNumberOfThreads() throws {
    let truth = SyntheticViews(camera: TestCamera.pinhole, views: 180)
    let views = truth.observed(sigma: 0.2, seed: 5)
    func calibrated(_ jobs: Int) throws -> (
      start: CameraStart, solution: Solution, covariance: ParameterCovariance,
      grid: ProjectionUncertainty
    ) {
      let start = try CameraStart(
        views, resolution: truth.camera.resolution, lensModel: .pinhole, jobs: jobs)
      let problem = SolverProblem(
        camera: start.camera, views: views, poses: start.poses.compactMap { $0 })
      let solution = try BundleAdjustment.solve(problem, jobs: jobs)
      let covariance = try ParameterCovariance(solution, jobs: jobs)
      return (
        start, solution, covariance,
        ProjectionUncertainty(solution, covariance: covariance, jobs: jobs)
      )
    }
    let one = try calibrated(1)
    for jobs in [2, 3, 7] {
      let other = try calibrated(jobs)
      #expect(other.start.camera == one.start.camera && other.start.poses == one.start.poses)
      let (a, b) = (other.solution, one.solution)
      #expect(a.camera == b.camera && a.poses == b.poses && a.residuals == b.residuals, "\(jobs)")
      #expect(a.linearization.hessian == b.linearization.hessian, "\(jobs)")
      #expect(a.linearization.alignment == b.linearization.alignment, "\(jobs)")
      #expect(a.linearization.medianDepth == b.linearization.medianDepth, "\(jobs)")
      #expect(other.covariance.noise == one.covariance.noise, "\(jobs)")
      #expect(other.covariance.viewToView == one.covariance.viewToView, "\(jobs)")
      #expect(other.grid.sigma == one.grid.sigma, "\(jobs)")
    }
  }
}
