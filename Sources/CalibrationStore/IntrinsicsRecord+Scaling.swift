public import CameraModel

extension IntrinsicsRecord {
  /// The record for images that are this record's images resized to `resolution`, marked as scaled.
  ///
  /// Right only for a resize of the whole image. Another *mode* of the same camera often sees another
  /// field of view: calibrate it. Focal lengths, principal point, their deviations and covariances
  /// follow the resize; what is in pixels of the measured images and does not (errors, projection
  /// uncertainty, coverage, comparison of lens models) is left out. The verdict is at best usable. A scaled record is never stored.
  public func scaled(to resolution: Resolution) -> IntrinsicsRecord {
    guard resolution != camera.resolution else { return self }
    let measured = scaledFrom ?? camera.resolution
    let sx = Double(resolution.width) / Double(camera.resolution.width)
    let sy = Double(resolution.height) / Double(camera.resolution.height)
    let factors = ["fx": sx, "cx": sx, "fy": sy, "cy": sy]

    var result = self
    result.camera = camera.scaled(to: resolution)
    result.scaledFrom = measured == resolution ? nil : measured
    for (name, factor) in factors {
      if let deviation = standardDeviations[name] {
        result.standardDeviations[name] = deviation * factor
      }
    }
    result.covariance = covariance.map { covariance in
      let scale = covariance.parameters.map { factors[$0] ?? 1 }
      func scaled(_ rows: [[Double]]) -> [[Double]] {
        zip(rows, scale).map { row, factor in zip(row, scale).map { $0 * factor * $1 } }
      }
      return ParameterCovariance(
        parameters: covariance.parameters, noise: scaled(covariance.noise),
        viewToView: covariance.viewToView.map(scaled))
    }
    result.reprojectionError = nil
    result.projectionUncertainty = nil
    result.residualPatterns = nil
    result.coverage = nil
    result.lensComparison = nil
    result.verdict.level = verdict.level == .good ? .usable : verdict.level
    result.verdict.reasons.insert(
      "scaled from \(measured) to \(resolution), not measured: right only where both show the same "
        + "field of view; calibrate at \(resolution) to be sure", at: 0)
    return result
  }
}
