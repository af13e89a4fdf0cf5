internal import CameraModel

extension Pose {
  /// The pose nearby that explains the pixels best, by Levenberg–Marquardt with derivatives by
  /// differences; this pose if it can't be improved.
  ///
  /// Rotations are changed in the camera's frame, so that no rotation is special.
  func refined(for view: BoardView, seenBy camera: CameraParameters, iterations: Int = 10)
    -> Pose
  {
    var best = self
    guard var cost = CameraCalibration.meanSquaredError(of: view, pose: best, camera: camera) else {
      return self
    }
    var damping = 1e-4
    for _ in 0..<iterations {
      guard let step = best.step(for: view, seenBy: camera, damping: damping) else { break }
      let next = best.moved(by: step)
      if let new = CameraCalibration.meanSquaredError(of: view, pose: next, camera: camera),
        new < cost
      {
        let gain = cost - new
        (best, cost) = (next, new)
        damping = max(damping * 0.1, 1e-12)
        if gain < 1e-10 * cost + 1e-20 { break }
      } else {
        damping *= 10
        if damping > 1e3 { break }
      }
    }
    return best
  }

  /// Turned by the first three numbers (rotation vector in the camera's frame, about the board's
  /// origin), then shifted by the others.
  private func moved(by step: [Double]) -> Pose {
    let turn = RotationMatrix(rotationVector: SIMD3(step[0], step[1], step[2]))
    return Pose(
      rotation: (turn * RotationMatrix(rotationVector: rotation)).rotationVector,
      translation: translation + SIMD3(step[3], step[4], step[5]))
  }

  private func step(for view: BoardView, seenBy camera: CameraParameters, damping: Double)
    -> [Double]?
  {
    let reach = (translation * translation).sum().squareRoot()
    let sizes = [1e-6, 1e-6, 1e-6, 1e-6 * reach, 1e-6 * reach, 1e-6 * reach]
    guard reach > 0 else { return nil }
    let varied = (0..<6).map { index in
      moved(by: (0..<6).map { $0 == index ? sizes[index] : 0 })
    }
    // Rows: 6 columns of JᵀJ, then Jᵀr.
    var system = [Double](repeating: 0, count: 42)
    for (point, pixel) in zip(view.boardPoints, view.pixels) {
      guard let here = camera.project(self(point)) else { return nil }
      let residual = pixel - here
      var jacobian: [SIMD2<Double>] = []
      for index in 0..<6 {
        guard let there = camera.project(varied[index](point)) else { return nil }
        jacobian.append((there - here) / sizes[index])
      }
      for i in 0..<6 {
        for j in 0..<6 { system[7 * i + j] += (jacobian[i] * jacobian[j]).sum() }
        system[7 * i + 6] += (jacobian[i] * residual).sum()
      }
    }
    for i in 0..<6 { system[8 * i] *= 1 + damping }
    return solveLinear(&system, size: 6)
  }
}

/// Solves a system of `size` equations by elimination with row pivots.
///
/// Each row of `system` has the right-hand side behind its `size` coefficients. Nil if it is singular.
func solveLinear(_ system: inout [Double], size: Int) -> [Double]? {
  let width = size + 1
  for pivot in 0..<size {
    var best = pivot
    for row in pivot..<size
    where abs(system[row * width + pivot]) > abs(system[best * width + pivot]) {
      best = row
    }
    guard abs(system[best * width + pivot]) > 1e-300 else { return nil }
    if best != pivot {
      for column in 0..<width { system.swapAt(best * width + column, pivot * width + column) }
    }
    for row in 0..<size where row != pivot {
      let factor = system[row * width + pivot] / system[pivot * width + pivot]
      for column in pivot..<width {
        system[row * width + column] -= factor * system[pivot * width + column]
      }
    }
  }
  let result = (0..<size).map { system[$0 * width + size] / system[$0 * width + $0] }
  return result.allSatisfy(\.isFinite) ? result : nil
}
