import CalibrationSolver
import CameraModel
import Foundation

/// A seeded generator (SplitMix64): every run measures the same numbers.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x632B_E59B_D9B4_E019 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  mutating func normal() -> Double {
    let u = 1 - uniform(0, 1)
    return (-2 * log(u)).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }
}

/// Views of a 9x6 board by a known camera, corners with normal noise of 0.2 px.
struct BenchViews {
  static let columns = 9
  static let rows = 6
  static let square = 0.03
  static let sigma = 0.2

  var camera: CameraParameters
  var boardPoints: [SIMD3<Double>]
  var pixels: [[SIMD2<Double>]]

  static let pinhole = CameraParameters(
    resolution: Resolution(width: 1920, height: 1080), lensModel: .pinhole,
    intrinsics: Intrinsics(fx: 1400, fy: 1405, cx: 965.3, cy: 532.7),
    distortion: [-0.28, 0.07, 5e-4, -3e-4, 0])
  static let fisheye = CameraParameters(
    resolution: Resolution(width: 1920, height: 1080), lensModel: .fisheye,
    intrinsics: Intrinsics(fx: 700, fy: 702, cx: 965.3, cy: 532.7),
    distortion: [-0.02, 0.006, -0.003, 0.0006])

  /// Boards a quarter to three quarters of the image wide, tilted by up to 50°, wholly inside it.
  init(camera: CameraParameters, views: Int, seed: UInt64) {
    self.camera = camera
    let centre = SIMD3(Double(Self.columns - 1), Double(Self.rows - 1), 0) / 2
    boardPoints = (0..<(Self.columns * Self.rows)).map {
      (SIMD3(Double($0 % Self.columns), Double($0 / Self.columns), 0) - centre) * Self.square
    }
    pixels = []
    var generator = SeededGenerator(seed: seed)
    let width = Double(camera.resolution.width)
    let height = Double(camera.resolution.height)
    while pixels.count < views {
      let share = generator.uniform(0.25, 0.75)
      let depth = camera.intrinsics.fx * Self.square * Double(Self.columns) / (share * width)
      let place = SIMD2(generator.uniform(0.1, 0.9) * width, generator.uniform(0.1, 0.9) * height)
      let around = generator.uniform(-.pi, .pi)
      let tilt = generator.uniform(0, 50) * .pi / 180
      let roll = 0.3 * generator.normal()
      guard let ray = camera.unproject(place) else { continue }
      // Towards the camera's centre, turned in the plane, then tilted about an axis in it.
      let towards = SIMD3(-ray.y, ray.x, 0)
      let across = (towards * towards).sum().squareRoot()
      let angle = camera.lensModel == .fisheye ? atan2(across, ray.z) / max(across, 1e-12) : 0
      let rotation =
        RotationMatrix(rotationVector: towards * angle)
        * RotationMatrix(rotationVector: SIMD3(cos(around), sin(around), 0) * tilt)
        * RotationMatrix(rotationVector: SIMD3(0, 0, roll))
      let shift = camera.lensModel == .fisheye ? ray * depth : ray * (depth / ray.z)
      let seen = boardPoints.compactMap { point -> SIMD2<Double>? in
        let place = rotation * point + shift
        guard place.z > 0.05 * depth, let pixel = camera.project(place),
          pixel.x >= 15, pixel.y >= 15, pixel.x <= width - 16, pixel.y <= height - 16,
          camera.lensModel == .fisheye
            || (place.x * place.x + place.y * place.y) / (place.z * place.z) < 0.9
        else { return nil }
        return pixel
      }
      if seen.count == boardPoints.count {
        pixels.append(
          seen.map { $0 + SIMD2(generator.normal(), generator.normal()) * Self.sigma })
      }
    }
  }

  var observed: [ObservedView] {
    pixels.map { ObservedView(boardPoints: boardPoints, pixels: $0) }
  }
}
