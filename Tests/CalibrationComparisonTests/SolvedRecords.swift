import BoardRendering
import CalibrationSolver
import CalibrationStore
import CameraModel

/// Records of cameras that were solved from made-up corners.
enum SolvedRecord {
  static let board = PrintedBoard(columns: 9, rows: 6)

  /// What a calibration of `truth` from so many views with 0.1 px of noise comes to.
  static func make(
    _ truth: CameraParameters = .example(.pinhole), as lensModel: LensModel? = nil, views: Int = 15,
    freeCount: Int = 9, poseSeed: UInt64, noiseSeed: UInt64
  ) throws -> IntrinsicsRecord {
    let synthetic = try SyntheticViews(
      camera: truth, board: board, count: views, seed: poseSeed)
    let start =
      lensModel.map {
        CameraParameters(
          resolution: truth.resolution, lensModel: $0, intrinsics: truth.intrinsics,
          distortion: Array(repeating: 0, count: $0.coefficientNames.count))
      } ?? truth
    let observed = synthetic.noisy(sigma: 0.1, seed: noiseSeed).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    let poses = try observed.map { try PoseEstimation.start($0, camera: truth) }
    let solution = try BundleAdjustment.solve(
      SolverProblem(
        camera: start, views: observed, poses: poses,
        free: start.lensModel.parameterNames.indices.map { $0 < freeCount }))
    return try record(solution, views: observed.count)
  }

  static func record(_ solution: Solution, views: Int) throws -> IntrinsicsRecord {
    let covariance = try ParameterCovariance(solution)
    var record = IntrinsicsRecord(
      device: .init(id: DeviceID(rawValue: "name:test"), name: "test", identifiedBy: "test"),
      camera: solution.camera, verdict: .init(level: .good, reasons: []),
      created: "2026-11-30T12:00:00Z", tool: "test")
    record.covariance = .init(
      parameters: covariance.names, noise: covariance.noise, viewToView: covariance.viewToView)
    let grid = ProjectionUncertainty(solution, covariance: covariance)
    record.projectionUncertainty = .init(
      columns: ProjectionUncertainty.columns, rows: ProjectionUncertainty.rows, sigma: grid.sigma,
      median: grid.median, p90: grid.p90, worst: grid.worst, share: [:])
    record.views = (0..<views).map { .init(source: "view\($0)", used: true) }
    return record
  }
}

extension CameraParameters {
  /// The camera with its focus moved: both focal lengths times a factor.
  func focused(_ factor: Double) -> CameraParameters {
    var moved = self
    moved.intrinsics.fx *= factor
    moved.intrinsics.fy *= factor
    return moved
  }
}

extension IntrinsicsRecord {
  /// The same calibration, known worse by a factor.
  func lessCertain(_ factor: Double) -> IntrinsicsRecord {
    func larger(_ rows: [[Double]]) -> [[Double]] { rows.map { $0.map { $0 * factor * factor } } }
    var record = self
    record.covariance = covariance.map {
      ParameterCovariance(
        parameters: $0.parameters, noise: larger($0.noise), viewToView: $0.viewToView.map(larger))
    }
    record.projectionUncertainty = projectionUncertainty.map {
      var grid = $0
      grid.sigma = grid.sigma.map { $0.map { $0 * factor } }
      return grid
    }
    return record
  }
}
