import CalibrationSolver
import CameraModel
import Glibc

/// A random calibration that is hard to begin or to end: few views, a lens that bends strongly, boards
/// that hardly tilt, a wide angle, or hardly any perspective.
///
/// The seed says all.
struct HardProblem: Sendable {
  /// What makes it hard.
  enum Kind: Int, CaseIterable, Sendable {
    case fewViews, strongDistortion, hardlyTilted, wideAngle, longLens
    case rational
    case fisheye, fisheyeFewViews, fisheyeHardlyTilted
  }

  var seed: Int
  var kind: Kind
  var camera: CameraParameters
  var poses: [Pose]
  var views: [ObservedView]

  init(seed: Int) {
    self.seed = seed
    kind = Kind.allCases[seed % Kind.allCases.count]
    var generator = SeededGenerator(seed: 7_000_000 + seed)
    let resolution = Self.resolution(&generator)
    camera = Self.camera(kind, resolution, &generator)
    let plan = Self.plan(kind, &generator)
    let board = (0..<54).map { point -> SIMD3<Double> in
      let (column, row) = (Double(point % 9), Double(point / 9))
      return SIMD3(column - 4, row - 2.5, 0) * 0.03
    }
    let noise = generator.uniform(0.1, 0.6) * Double(resolution.width + resolution.height) / 2000
    var camera = camera
    var exact: [[SIMD2<Double>]] = []
    var found: [Pose] = []
    var attempts = 0
    while found.count < plan.views {
      attempts += 1
      // A lens that is too long or too wound for the boards: one that is less so.
      if attempts > 2000 {
        camera = CameraParameters(
          resolution: resolution, lensModel: camera.lensModel, intrinsics: camera.intrinsics,
          distortion: camera.distortion.map { $0 * 0.8 })
        attempts = 0
      }
      let pose = Self.pose(of: camera, plan, &generator)
      guard let pose, let seen = SyntheticViews.image(of: board, pose: pose, camera: camera),
        Self.isOneToOne(pose, board, camera)
      else { continue }
      found.append(pose)
      exact.append(seen)
    }
    self.camera = camera
    poses = found
    views = exact.map { seen in
      ObservedView(
        boardPoints: board,
        pixels: seen.map { $0 + SIMD2(generator.normal(), generator.normal()) * noise })
    }
  }

  /// The problem with all its parameters free, from the truth.
  var fromTruth: SolverProblem { SolverProblem(camera: camera, views: views, poses: poses) }

  /// The same from the package's own start values.
  func fromNothing() throws(SolverError) -> SolverProblem {
    let start = try CameraStart(
      views, resolution: camera.resolution, lensModel: camera.lensModel, free: fromTruth.free)
    // A view without a pose shows as a failure.
    return SolverProblem(camera: start.camera, views: views, poses: start.poses.compactMap { $0 })
  }

  /// The size of the board in the image and how far it tilts.
  private struct Plan {
    var views: Int
    /// Degrees.
    var tilt: ClosedRange<Double>
    /// The board's width over the image's longer side.
    var share: ClosedRange<Double>
  }

  private static func plan(_ kind: Kind, _ generator: inout SeededGenerator) -> Plan {
    func count(_ low: Int, _ high: Int) -> Int {
      low + Int(generator.next() % UInt64(high - low + 1))
    }
    return switch kind {
    case .fewViews: Plan(views: count(3, 5), tilt: 10...50, share: 0.25...0.7)
    case .strongDistortion: Plan(views: count(5, 12), tilt: 5...45, share: 0.3...0.8)
    case .hardlyTilted: Plan(views: count(6, 12), tilt: 1...8, share: 0.3...0.8)
    case .wideAngle: Plan(views: count(5, 12), tilt: 5...50, share: 0.3...0.9)
    case .longLens: Plan(views: count(6, 12), tilt: 15...50, share: 0.25...0.6)
    case .rational: Plan(views: count(12, 20), tilt: 5...50, share: 0.3...0.9)
    case .fisheye: Plan(views: count(6, 12), tilt: 5...50, share: 0.2...0.7)
    case .fisheyeFewViews: Plan(views: count(3, 5), tilt: 10...50, share: 0.2...0.7)
    case .fisheyeHardlyTilted: Plan(views: count(6, 12), tilt: 1...8, share: 0.2...0.7)
    }
  }

  private static func resolution(_ generator: inout SeededGenerator) -> Resolution {
    let sizes = [(640, 480), (1280, 720), (1920, 1080), (1280, 960), (2304, 2304)]
    let (width, height) = sizes[Int(generator.next() % UInt64(sizes.count))]
    return generator.next() % 4 == 0
      ? Resolution(width: height, height: width) : Resolution(width: width, height: height)
  }

  private static func camera(
    _ kind: Kind, _ resolution: Resolution, _ generator: inout SeededGenerator
  ) -> CameraParameters {
    let side = Double(max(resolution.width, resolution.height))
    var model = LensModel.pinhole
    var focal = generator.uniform(0.6, 1.6)
    var distortion = [generator.uniform(-0.3, 0.1), generator.uniform(-0.05, 0.1)]
    switch kind {
    case .fewViews, .hardlyTilted: break
    case .strongDistortion:
      // A barrel that still grows at the corner, or a pincushion.
      focal = generator.uniform(0.45, 0.9)
      let k1 =
        generator.next() % 4 == 0 ? generator.uniform(0.1, 0.4) : generator.uniform(-0.45, -0.25)
      distortion = [k1, k1 < 0 ? k1 * k1 * generator.uniform(0.5, 0.9) : 0]
    case .wideAngle:
      focal = generator.uniform(0.28, 0.45)
      let k1 = generator.uniform(-0.3, -0.05)
      distortion = [k1, k1 * k1 * generator.uniform(0.5, 0.9)]
    case .longLens:
      focal = generator.uniform(3, 7)
      distortion = [generator.uniform(-0.8, 0.8), 0]
    case .rational:
      model = .rational
      focal = generator.uniform(0.3, 0.5)
    case .fisheye, .fisheyeFewViews, .fisheyeHardlyTilted:
      model = .fisheye
      // Up to some 220° across the longer side.
      focal = generator.uniform(0.26, 0.6)
      distortion = [
        generator.uniform(-0.06, 0.06), generator.uniform(-0.015, 0.015),
        generator.uniform(-0.003, 0.003), generator.uniform(-0.0005, 0.0005),
      ]
    }
    if model == .rational {
      // Near an equidistant lens: tan θ becomes θ.
      let s = generator.uniform(0.6, 1)
      distortion = [
        0.42 * s, 0.03 * s, 0, 0, 0.001 * s, 0.75 * s, 0.13 * s, 0.006 * s,
      ]
    }
    if model != .fisheye {
      while distortion.count < 4 { distortion.append(0) }
      distortion[2] = generator.uniform(-1e-3, 1e-3)
      distortion[3] = generator.uniform(-1e-3, 1e-3)
    }
    let f = focal * side
    return CameraParameters(
      resolution: resolution, lensModel: model,
      intrinsics: Intrinsics(
        fx: f, fy: f * generator.uniform(0.97, 1.03),
        cx: Double(resolution.width) * generator.uniform(0.46, 0.54),
        cy: Double(resolution.height) * generator.uniform(0.46, 0.54)), distortion: distortion)
  }

  private static func pose(
    of camera: CameraParameters, _ plan: Plan, _ generator: inout SeededGenerator
  ) -> Pose? {
    let width = Double(camera.resolution.width)
    let height = Double(camera.resolution.height)
    let pixel = SIMD2(generator.uniform(0.1, 0.9) * width, generator.uniform(0.1, 0.9) * height)
    let share = generator.uniform(plan.share.lowerBound, plan.share.upperBound)
    let tilt = generator.uniform(plan.tilt.lowerBound, plan.tilt.upperBound) * .pi / 180
    let around = generator.uniform(-.pi, .pi)
    let roll = generator.uniform(-.pi, .pi)
    guard let ray = camera.unproject(pixel) else { return nil }
    let depth = camera.intrinsics.fx * 0.24 / (share * max(width, height))
    var rotation =
      RotationMatrix(rotationVector: SIMD3(cos(around), sin(around), 0) * tilt)
      * RotationMatrix(rotationVector: SIMD3(0, 0, roll))
    if camera.lensModel == .fisheye {
      // Towards the camera.
      let across = SIMD3(-ray.y, ray.x, 0)
      let sine = (across * across).sum().squareRoot()
      let angle = atan2(sine, ray.z) / max(sine, 1e-12)
      rotation = RotationMatrix(rotationVector: across * angle) * rotation
    }
    let shift = camera.lensModel == .fisheye ? ray * depth : ray * (depth / max(ray.z, 0.1))
    return Pose(rotation: rotation.rotationVector, translation: shift)
  }

  /// Whether each point is the first that its pixel sees, and no image of one beyond a fold.
  private static func isOneToOne(
    _ pose: Pose, _ board: [SIMD3<Double>], _ camera: CameraParameters
  ) -> Bool {
    board.allSatisfy { point in
      let place = pose(point)
      let distance = (place * place).sum().squareRoot()
      guard let pixel = camera.project(place), let ray = camera.unproject(pixel),
        // Beyond 65° the rational lenses of this test hardly grow any more.
        camera.lensModel != .rational || place.z > 0.4226 * distance
      else { return false }
      return (ray * place).sum() / distance > 1 - 1e-9
    }
  }
}
