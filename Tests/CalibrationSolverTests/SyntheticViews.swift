import CalibrationSolver
import CameraModel
import Glibc

/// A seeded generator (SplitMix64), so that every run of a test sees the same numbers.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) {
    // Mixed once: streams of neighbouring seeds must not be the same stream, shifted.
    state = UInt64(bitPattern: Int64(seed)) &+ 0x632B_E59B_D9B4_E019
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly spread over low..<high.
  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  /// Normal with mean 0 and deviation 1 (Box–Muller).
  mutating func normal() -> Double {
    let u = 1 - uniform(0, 1)
    return (-2 * log(u)).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }
}

/// Boards seen by a known camera.
struct SyntheticViews {
  var camera: CameraParameters
  var boardPoints: [SIMD3<Double>]
  var poses: [Pose]
  var pixels: [[SIMD2<Double>]]

  /// Views of a board of `columns` x `rows` points, 30 mm apart, tilted by up to `tilt` degrees, all
  /// points inside the image.
  init(
    camera: CameraParameters, views: Int, columns: Int = 6, rows: Int = 4, tilt: Double = 40,
    distance: ClosedRange<Double> = 0.25...0.6, seed: Int = 1
  ) {
    var generator = SeededGenerator(seed: seed)
    let centre = SIMD3(Double(columns - 1), Double(rows - 1), 0) / 2
    self.camera = camera
    boardPoints = (0..<(columns * rows)).map {
      (SIMD3(Double($0 % columns), Double($0 / columns), 0) - centre) * 0.03
    }
    poses = []
    pixels = []
    while poses.count < views {
      // A board around a random pixel's ray, turned about a random axis.
      let pixel = SIMD2(
        generator.uniform(0.1, 0.9) * Double(camera.resolution.width),
        generator.uniform(0.1, 0.9) * Double(camera.resolution.height))
      let angle = generator.uniform(0.3, 1) * tilt * .pi / 180
      let around = generator.uniform(0, 2 * .pi)
      let depth = generator.uniform(distance.lowerBound, distance.upperBound)
      guard let ray = camera.unproject(pixel) else { continue }
      let pose = Pose(
        rotation: SIMD3(cos(around), sin(around), generator.uniform(-0.5, 0.5)) * angle,
        translation: ray * depth)
      if let seen = Self.image(of: boardPoints, pose: pose, camera: camera) {
        poses.append(pose)
        pixels.append(seen)
      }
    }
  }

  /// The exact image of a board; nil unless all of it lies inside the image.
  static func image(
    of points: [SIMD3<Double>], pose: Pose, camera: CameraParameters
  ) -> [SIMD2<Double>]? {
    var seen: [SIMD2<Double>] = []
    for point in points {
      guard let pixel = camera.project(pose(point)), pixel.x >= 0, pixel.y >= 0,
        pixel.x <= Double(camera.resolution.width) - 1,
        pixel.y <= Double(camera.resolution.height) - 1
      else { return nil }
      seen.append(pixel)
    }
    return seen
  }

  /// The views with normal noise of `sigma` pixels per axis.
  func observed(sigma: Double, seed: Int) -> [ObservedView] {
    var generator = SeededGenerator(seed: seed &+ 2_000_003)
    return pixels.map { view in
      ObservedView(
        boardPoints: boardPoints,
        pixels: view.map { $0 + SIMD2(generator.normal(), generator.normal()) * sigma })
    }
  }

  /// A problem that starts at the truth.
  func problem(sigma: Double, seed: Int, free: [Bool]? = nil) -> SolverProblem {
    SolverProblem(
      camera: camera, views: observed(sigma: sigma, seed: seed), poses: poses, free: free)
  }
}

/// Cameras that tests use, one for each lens model.
enum TestCamera {
  static let pinhole = CameraParameters(
    resolution: Resolution(width: 640, height: 480), lensModel: .pinhole,
    intrinsics: Intrinsics(fx: 520, fy: 525, cx: 325, cy: 236),
    distortion: [-0.25, 0.08, 0.0008, -0.0005, 0])
  static let rational = CameraParameters(
    resolution: Resolution(width: 640, height: 480), lensModel: .rational,
    intrinsics: Intrinsics(fx: 260, fy: 261, cx: 318, cy: 243),
    distortion: [0.4, 0.05, 0.0005, -0.0004, 0.002, 0.75, 0.15, 0.01])
  static let fisheye = CameraParameters(
    resolution: Resolution(width: 640, height: 480), lensModel: .fisheye,
    intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
    distortion: [0.05, -0.01, 0.004, -0.001])
  static let spline = CameraParameters(
    resolution: Resolution(width: 640, height: 480), lensModel: .spline,
    intrinsics: Intrinsics(fx: 240, fy: 241, cx: 322, cy: 238),
    distortion: [0.05, -0.01, 0.0008, -0.0005, 0.004, -0.001, 0.01, -0.003, 0.02, 1.9])
  static let all = [pinhole, rational, fisheye, spline]
}
