import CameraModel
import Glibc

/// From ranked guesses to one camera, on a handful of views.
struct StartFit {
  let views: [ObservedView]
  /// The handful, indices into `views`.
  let few: [Int]
  let resolution: Resolution
  let lensModel: LensModel
  /// The number of threads; the outcome does not depend on it.
  let jobs: Int
  private let centre: SIMD2<Double>
  /// Half the image's diagonal, pixels: the unit of the guesses.
  private let unit: Double

  init(
    _ views: [ObservedView], _ few: [Int], resolution: Resolution, lensModel: LensModel, jobs: Int
  ) {
    self.views = views
    self.few = few
    self.resolution = resolution
    self.lensModel = lensModel
    self.jobs = jobs
    centre = resolution.middle
    unit = resolution.diagonal / 2
  }

  /// A camera, the views that it rests on, and their poses.
  struct Outcome {
    var camera: CameraParameters
    var views: [Int]
    var poses: [Pose]
    /// Of the views that it rests on, pixels; infinite where least squares had no answer.
    var rms: Double
    var isPlausible: Bool

    /// Whether the lens has a denominator.
    var isRational: Bool {
      camera.lensModel == .rational && camera.distortion[5...].contains { $0 != 0 }
    }

    /// Whether it is likely to be a wrong minimum.
    var isSuspect: Bool { !isPlausible || rms > 1 }

    /// A plausible answer beats one that is not; then the smaller error wins.
    func isBetter(than other: Outcome) -> Bool {
      isPlausible != other.isPlausible ? isPlausible : rms < other.rms
    }
  }

  /// The first sound camera, else the best one; nil where no guess sees any view.
  ///
  /// - Parameter free: The parameters that will be estimated in the end; nil for the usual.
  func run(free: [Bool]?) -> Outcome? {
    let plane = run()
    guard let free, CameraStart.hasDenominator(lensModel, free) else { return plane }
    // Both ways to all coefficients: from a plane's two, and from an angle's four. A few steps tell
    // which is nearer; but what they lead to fits the handful, and may have a pole beyond.
    let indices = Set(free.indices.filter { free[$0] })
    let angle = rational()
    let fromPlane = plane.flatMap { refined($0, free: indices) }?.rms ?? .infinity
    let fromAngle = angle.flatMap { refined($0, free: indices) }?.rms ?? .infinity
    return fromAngle < 1.01 * fromPlane ? angle : plane
  }

  /// The rational camera that follows a fisheye's fit to the handful.
  private func rational() -> Outcome? {
    let angles = StartFit(views, few, resolution: resolution, lensModel: .fisheye, jobs: jobs)
    guard let first = angles.run(),
      let fit = angles.refined(first, free: [0, 1, 2, 3, 4, 5, 6, 7]),
      let camera = RationalStart(like: fit.camera, over: views)?.closest()
    else { return nil }
    var outcome = fit
    outcome.camera = camera
    return outcome
  }

  private func run() -> Outcome? {
    let points = StartPoints(views, few, origin: centre, unit: SIMD2(repeating: unit))
    let search = FirstCameraSearch(points: points, sides: sides, jobs: jobs)
    let ranked = lensModel == .fisheye ? search.angles() : search.planes()
    var best: Outcome?
    var tried: [Double] = []
    for guess in ranked {
      guard let start = outcome(guess) else { continue }
      // A guess near one that was followed leads to the same place.
      let focal = start.camera.intrinsics.fx
      guard !tried.contains(where: { abs(log(focal / $0)) < 0.15 }) else { continue }
      // From a far guess all parameters at once run away: first the focal lengths and k1.
      let near = tried.isEmpty ? start : refined(start, free: [0, 1, 4]) ?? start
      tried.append(focal)
      let answer = refined(near, free: [0, 1, 2, 3, 4, 5]) ?? start
      if best.map({ answer.isBetter(than: $0) }) ?? true { best = answer }
      let isSound = best.map { !$0.isSuspect } ?? false
      let enough =
        !isSound
        ? CameraStart.attempts
        : few.count > CameraStart.fewViews ? 1 : CameraStart.attemptsWithFewViews
      if tried.count >= enough { break }
    }
    return best
  }

  private var sides: (shorter: Double, longer: Double) {
    let (width, height) = (Double(resolution.width) / unit, Double(resolution.height) / unit)
    return (min(width, height), max(width, height))
  }

  /// A guess in pixels, with the views that it explains.
  private func outcome(_ guess: FirstCamera) -> Outcome? {
    // A view five times as far off as the median one is none of this camera's.
    var used = few.indices.filter { view in
      guess.views[view].map { $0.meanSquares <= 25 * guess.score } ?? false
    }
    if used.count < min(3, few.count) { used = few.indices.filter { guess.views[$0] != nil } }
    guard !used.isEmpty else { return nil }
    let focal: SIMD2<Double>
    var distortion: [Double] = []
    switch guess.curve {
    case .angle(let one, _, _): focal = SIMD2(repeating: one * unit)
    case .division(let lambda):
      focal = guess.focal * unit
      distortion = Self.coefficients(lambda, reach: 1 / guess.focal.x)
    case .plane: focal = guess.focal * unit
    }
    return Outcome(
      camera: CameraParameters(
        resolution: resolution, lensModel: lensModel,
        intrinsics: Intrinsics(fx: focal.x, fy: focal.y, cx: centre.x, cy: centre.y),
        distortion: distortion),
      views: used.map { few[$0] }, poses: used.compactMap { guess.views[$0]?.pose },
      rms: .infinity, isPlausible: false)
  }

  /// k1 and k2 that bend much as λ does, out to three quarters of the way to the corner; `reach` is the
  /// corner's distorted radius.
  private static func coefficients(_ lambda: Double, reach: Double) -> [Double] {
    guard lambda != 0 else { return [] }
    var terms = RadialTerms()
    for step in 1...12 {
      let radius = Double(step) / 16
      let distorted = radius * reach
      terms.add(distorted / (1 + lambda * radius * radius), distorted: distorted)
    }
    return terms.coefficients
  }

  /// A few steps of least squares; nil where they have no answer.
  private func refined(_ start: Outcome, free indices: Set<Int>) -> Outcome? {
    let problem = SolverProblem(
      camera: start.camera, views: start.views.map { views[$0] }, poses: start.poses,
      free: lensModel.parameterNames.indices.map(indices.contains))
    let options = BundleAdjustment.Options(
      jobs: jobs, maximumIterations: 25, tolerance: 0.1)
    guard var solution = try? BundleAdjustment.solve(problem, options: options) else { return nil }
    if let mended = PoseFlips.mended(problem, solution),
      let again = try? BundleAdjustment.solve(mended, options: options)
    {
      solution = again
    }
    let camera = solution.camera
    let focal = [camera.intrinsics.fx / unit, camera.intrinsics.fy / unit]
    return Outcome(
      camera: camera, views: start.views, poses: solution.poses, rms: solution.rms,
      isPlausible: focal.allSatisfy { FirstCameraSearch.isPlausible($0, sides: sides) }
        && FoldOver.alongRadius(camera) == nil)
  }
}
