internal import CalibrationStore
internal import CameraModel

/// How well a record's parameters are known.
struct CameraUncertainty: Sendable {
  /// The places of the free parameters in the lens model's order.
  var indices: [Int]
  /// The covariances that are known: noise, and perhaps view to view; row by row.
  var covariances: [[Double]]
  /// The number of views behind them, less one; what a view-to-view covariance is as uncertain as.
  var degreesOfFreedom: Int

  /// Nil where the record does not say.
  init?(_ record: IntrinsicsRecord) {
    guard let covariance = record.covariance, !covariance.parameters.isEmpty else { return nil }
    let names = record.camera.lensModel.parameterNames
    indices = covariance.parameters.compactMap { names.firstIndex(of: $0) }
    let count = indices.count
    covariances = [covariance.noise, covariance.viewToView].compactMap { rows in
      guard let rows, rows.count == count, rows.allSatisfy({ $0.count == count }) else {
        return nil
      }
      let flat = rows.flatMap(\.self)
      return flat.allSatisfy(\.isFinite) ? flat : nil
    }
    guard count == covariance.parameters.count, !covariances.isEmpty else { return nil }
    degreesOfFreedom = max(2, record.views.count { $0.used } - 1)
  }
}
