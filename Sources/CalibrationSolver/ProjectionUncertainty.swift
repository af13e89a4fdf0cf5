package import CameraModel
import Locking

/// How far the image of a fixed direction (or of a point at a distance) may be off, over the image.
///
/// Two calibrations of one camera differ also by a turn and a shift of the camera frame, which the
/// poses take up; what counts is the difference that is left. With C the covariance of the shared
/// parameters, J_q = ∂π/∂q and T = ∂π/∂(turn, shift of the camera frame) at the point that a pixel
/// sees, and M the motion that best takes up a change of parameters (`Linearization.alignment`),
/// Cov(u) = (J_q + T·M)·C·(J_q + T·M)ᵀ. At infinity only the turn counts.
package struct ProjectionUncertainty: Sendable {
  /// The number of cells in a row of the grid over the image.
  package static let columns = 32
  /// The number of rows of cells.
  package static let rows = 18
  /// The levels of `share`, in hundredths of the image's diagonal.
  package static let levels = [0.1, 0.2, 0.4]

  /// 1σ at each cell's centre, row by row, pixels: the root of the larger eigenvalue, from the
  /// larger of noise and view-to-view covariance; nil where the model can't be inverted ("no data").
  package var sigma: [Double?]
  /// The level that half of the area stays within, pixels; nil when that area has no data.
  package var median: Double?
  /// The level that 90 % of the area stays within, pixels; nil when that area has no data.
  package var p90: Double?
  /// The largest value, pixels; nil when a cell has no data.
  package var worst: Double?
  /// The share of the area within each of `levels`.
  package var share: [Double]

  /// The uncertainty over the image of a solution.
  ///
  /// - Parameters:
  ///   - distance: The depth (Z) of the points in the unit of the board points; nil for infinity.
  ///   - jobs: The number of threads; the result does not depend on it.
  package init(
    _ solution: Solution, covariance: ParameterCovariance, distance: Double? = nil, jobs: Int = 1
  ) {
    let camera = solution.camera
    let size = camera.resolution
    let predictor = ProjectionCovariance(solution, covariance: covariance, distance: distance)
    let cells = Self.cellCentres(of: size)
    let hasFold = camera.hasFold(within: cells)
    sigma = Parallel.map(Self.rows, jobs: jobs) { row in
      let cells = Array(cells[(row * Self.columns)..<((row + 1) * Self.columns)])
      return camera.unproject(cells, hasFold: hasFold).map { ray in
        ray.flatMap { predictor?.sigma(along: $0) }
      }
    }.flatMap { $0 }
    let sorted = sigma.map { $0 ?? .infinity }.sorted()
    func level(_ value: Double) -> Double? { value.isFinite ? value : nil }
    let middle = sorted.count / 2
    median = level((sorted[middle - 1] + sorted[middle]) / 2)
    // The smallest level that at least 90 % of the cells stay within.
    p90 = level(sorted[(sorted.count * 9 + 9) / 10 - 1])
    worst = level(sorted[sorted.count - 1])
    share = Self.levels.map { percent in
      let limit = percent / 100 * size.diagonal
      return Double(sorted.count { $0 <= limit }) / Double(sorted.count)
    }
  }

  /// The share of the cells whose centre the lens model gives a direction to.
  package static func shareWithData(of camera: CameraParameters) -> Double {
    let rays = camera.unproject(cellCentres(of: camera.resolution))
    return Double(rays.count { $0 != nil }) / Double(rays.count)
  }

  /// The centres of all cells, row by row.
  static func cellCentres(of size: Resolution) -> [SIMD2<Double>] {
    (0..<(rows * columns)).map { cellCentre(column: $0 % columns, row: $0 / columns, of: size) }
  }

  /// The centre of a cell in the pixel-centre convention; the grid spans the whole image, from −0.5.
  package static func cellCentre(column: Int, row: Int, of size: Resolution) -> SIMD2<Double> {
    SIMD2(
      (Double(column) + 0.5) * Double(size.width) / Double(columns) - 0.5,
      (Double(row) + 0.5) * Double(size.height) / Double(rows) - 0.5)
  }
}
