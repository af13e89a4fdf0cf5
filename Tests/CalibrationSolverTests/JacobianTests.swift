import CameraModel
import Testing

@testable import CalibrationSolver

/// Every product that the solver's loop adds up, against differences of residuals.
@Suite("normal equations of a view")
struct JacobianTests {
  /// Parameters, the board's bend, turn and shift, one after the other; what moves each.
  private struct Probe {
    var problem: SolverProblem
    var width: Int

    init(_ problem: SolverProblem) {
      self.problem = problem
      width = problem.freeParameters.slots.count + 7
    }

    func evaluated(_ problem: SolverProblem) throws -> LinearizedViews {
      let views = LinearizedViews(PackedViews(problem.views), problem: problem)
      try #require(views.evaluate(jobs: 1) == nil)
      return views
    }

    /// Residuals where one column's number was moved by `step`.
    func residuals(column: Int, step: Double) throws -> [Double] {
      var moved = problem
      let slots = problem.freeParameters.slots
      let count = problem.free.count
      if column < slots.count {
        var vector = problem.camera.parameterVector
        for index in slots[column] {
          if index < count {
            vector[index] += step
          } else {
            moved.shape?.bend.sagitta[index - count] += step
          }
        }
        moved.camera = CameraParameters(
          resolution: problem.camera.resolution, lensModel: problem.camera.lensModel,
          parameterVector: vector)
      } else {
        var pose = problem.poses[0]
        var delta = SIMD3<Double>()
        let k = column - slots.count
        delta[k % 3] = step
        if k < 3 {
          let turned =
            RotationMatrix(rotationVector: delta) * RotationMatrix(rotationVector: pose.rotation)
          pose.rotation = turned.rotationVector
        } else {
          pose.translation += delta
        }
        moved.poses[0] = pose
      }
      let views = try evaluated(moved)
      return (0..<(2 * problem.views[0].pixels.count)).map { views.residuals[$0] }
    }

    /// The largest deviation of a product from that of central differences, relative to the columns'
    /// lengths.
    func worst() throws -> Double {
      let views = try evaluated(problem)
      let weights = problem.views[0].pixels.indices.flatMap { point -> [Double] in
        let weight = problem.views[0].isUsed[point] ? problem.views[0].weight(point) : 0
        return [weight, weight]
      }
      var columns: [[Double]] = try (0..<(width - 1)).map { column in
        let step = 1e-6 * scale(column)
        let high = try residuals(column: column, step: step)
        let low = try residuals(column: column, step: -step)
        return zip(high, low).map { ($0 - $1) / (2 * step) }
      }
      columns.append((0..<weights.count).map { views.residuals[$0] })
      func product(_ i: Int, _ j: Int) -> Double {
        weights.indices.reduce(0) { $0 + weights[$1] * columns[i][$1] * columns[j][$1] }
      }
      var worst = 0.0
      for i in 0..<width {
        for j in i..<width {
          let found = views.block(0)[i * width + j]
          let unit = (product(i, i) * product(j, j)).squareRoot()
          worst = max(worst, abs(found - product(i, j)) / unit)
        }
      }
      return worst
    }

    /// About what a column's number is in size.
    private func scale(_ column: Int) -> Double {
      let slots = problem.freeParameters.slots
      guard column < slots.count else { return 0.3 }
      let index = slots[column][0]
      return index < 2 ? 500 : index < 4 ? 300 : 0.1
    }
  }

  private func problem(_ camera: CameraParameters, bend: BoardBend?) throws -> SolverProblem {
    // Two portions of the loop, the last odd; some points without a say, some with another weight.
    let truth = SyntheticViews(
      camera: camera, views: 1, columns: 11, rows: 7, distance: 0.5...0.6, seed: 5)
    var problem = truth.problem(sigma: 0.5, seed: 4)
    problem.shape = bend.map { BoardShape($0) }
    for point in [3, 20, 70] { problem.views[0].isUsed[point] = false }
    problem.views[0].weights = problem.views[0].pixels.indices.map { 0.5 + Double($0 % 4) }
    return problem
  }

  @Test("without a bend", arguments: TestCamera.all)
  func flat(camera: CameraParameters) throws {
    let worst = try Probe(problem(camera, bend: nil)).worst()
    // Central differences over 1e-6 of a parameter: rounding of residuals of 1e2 px, 1e-14/1e-6.
    #expect(worst < 1e-6)
  }

  @Test("with a bend of the board", arguments: TestCamera.all)
  func bent(camera: CameraParameters) throws {
    let flat = try problem(camera, bend: nil)
    let bend = try #require(
      BoardBend(over: flat.views[0].boardPoints, sagitta: SIMD2(0.004, -0.002)))
    let probe = Probe(try problem(camera, bend: bend))
    let (width, worst) = (probe.width, try probe.worst())
    #expect(width == probe.problem.free.count { $0 } + 9)
    #expect(worst < 1e-6)
  }

  @Test("with a round bend and square pixels", arguments: TestCamera.all)
  func shared(camera: CameraParameters) throws {
    var camera = camera
    camera.intrinsics.fy = camera.intrinsics.fx
    let flat = try problem(camera, bend: nil)
    let bend = try #require(
      BoardBend(
        over: flat.views[0].boardPoints, sagitta: SIMD2(0.003, 0.003), isRound: true))
    var shared = try problem(camera, bend: bend)
    shared.hasSquarePixels = true
    let probe = Probe(shared)
    let (width, worst) = (probe.width, try probe.worst())
    #expect(width == probe.problem.free.count { $0 } + 7)
    #expect(worst < 1e-6)
  }
}
