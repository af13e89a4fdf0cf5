import CameraModel
import Glibc

/// Cameras whose centre lies elsewhere, where the views hardly say where it lies.
///
/// A long lens with many coefficients has the centre of its distortion, and with it the sign of the
/// highest ones, in several places, each a minimum. Centres all around the image's middle are held until
/// the other parameters have followed.
struct ShiftedCentres {
  /// Problems with all parameters free, each from a place of its own.
  private(set) var starts: [SolverProblem] = []

  /// The share of the image's diagonal from which on a deviation of the centre is a large one.
  private static let largeShare = 0.005

  /// Centres around the image's middle; none where the minimum's own is well known, or where the lens is
  /// a spline, which is for wide ones.
  init(_ problem: SolverProblem, _ solution: Solution) {
    let camera = solution.camera
    let slots = solution.cameraSlots
    let n = solution.linearization.freeCount
    guard camera.lensModel != .spline,
      let x = slots.firstIndex(of: [2]), let y = slots.firstIndex(of: [3]),
      let covariance = SmallMatrix.inverse(solution.linearization.hessian, n)
    else { return }
    let deviation = solution.sigma * max(covariance[x * n + x], covariance[y * n + y]).squareRoot()
    guard deviation > Self.largeShare * camera.resolution.diagonal else { return }
    let quick = BundleAdjustment.Options(maximumIterations: 30, tolerance: 1e-2)
    for share in [0.04, 0.12] {
      for step in 0..<8 {
        let angle = Double(step) * .pi / 4
        let way = SIMD2(cos(angle), sin(angle)) * share * camera.resolution.diagonal
        let centre = camera.resolution.middle + way
        var vector = camera.parameterVector
        (vector[2], vector[3]) = (centre.x, centre.y)
        for slot in slots where slot[0] > 3 { vector[slot[0]] = 0 }
        var held = problem.started(from: solution)
        held.free[2] = false
        held.free[3] = false
        held.camera = CameraParameters(
          resolution: camera.resolution, lensModel: camera.lensModel, parameterVector: vector)
        guard let fit = try? BundleAdjustment.solve(held, options: quick) else { continue }
        starts.append(problem.started(from: fit))
      }
    }
  }
}
