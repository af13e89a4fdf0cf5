import CameraModel

extension IntrinsicsRecord {
  /// Makes sure that the record holds together: what does not would not be read back, or would
  /// deliver a matrix that no camera has.
  ///
  /// - Parameter source: The file's name, for messages; the device where there is none.
  /// - Throws: `StoreError` with the code `invalidRecord`; the message names the key.
  public func validate(source: String? = nil) throws(StoreError) {
    if let (key, message) = firstInconsistency {
      throw StoreError(
        code: .invalidRecord, subject: source ?? device.id.rawValue, message: "\(key): \(message)")
    }
  }

  private var firstInconsistency: (key: String, message: String)? {
    deviceInconsistency ?? cameraInconsistency ?? statisticsInconsistency
      ?? lensComparisonInconsistency ?? dateInconsistency
  }

  private var deviceInconsistency: (key: String, message: String)? {
    device.id.invalidityReason.map { ("device.id", $0) }
  }

  private var cameraInconsistency: (key: String, message: String)? {
    let size = camera.resolution
    guard (1...65535).contains(size.width), (1...65535).contains(size.height) else {
      return ("resolution", "found \(size), expected sides from 1 to 65535")
    }
    for (name, value) in zip(camera.lensModel.parameterNames, camera.parameterVector) {
      let key =
        ["fx", "fy", "cx", "cy"].contains(name) ? "intrinsics.\(name)" : "distortion.\(name)"
      guard value.isFinite else { return (key, "found \(value), expected a finite number") }
      // The matrix that is delivered consists of floats.
      guard abs(value) < Double(Float.greatestFiniteMagnitude) else {
        return (key, "found \(value), expected a number within the range of a float")
      }
    }
    if camera.lensModel == .spline, let limit = camera.distortion.last,
      !(limit > 0 && limit <= .pi)
    {
      return ("distortion.thetaMax", "found \(limit), expected an angle above 0 and at most π")
    }
    for (name, value) in [("fx", camera.intrinsics.fx), ("fy", camera.intrinsics.fy)]
    where Float(value) <= 0 {
      return ("intrinsics.\(name)", "found \(value), expected a focal length above 0")
    }
    return nil
  }

  private var statisticsInconsistency: (key: String, message: String)? {
    if let covariance {
      let count = covariance.parameters.count
      for (key, rows) in [("noise", covariance.noise), ("viewToView", covariance.viewToView ?? [])]
      where !(key == "viewToView" && covariance.viewToView == nil) {
        guard rows.count == count, rows.allSatisfy({ $0.count == count }) else {
          return ("covariance.\(key)", "expected \(count) rows of \(count) numbers, as parameters")
        }
        if let index = rows.indices.first(where: { rows[$0][$0] < 0 }) {
          return ("covariance.\(key)[\(index)][\(index)]", "a variance is negative")
        }
      }
      guard Set(covariance.parameters).count == count else {
        return ("covariance.parameters", "a parameter is named twice")
      }
      let unknown = covariance.parameters.first { !camera.lensModel.parameterNames.contains($0) }
      if let unknown {
        return ("covariance.parameters", "\"\(unknown.clipped)\" is no parameter of the lens model")
      }
    }
    if let name = standardDeviations.first(where: { $0.value < 0 })?.key {
      return ("standardDeviations.\(name)", "a standard deviation is negative")
    }
    if let grid = projectionUncertainty {
      guard (1...4096).contains(grid.columns), (1...4096).contains(grid.rows),
        grid.sigma.count == grid.columns * grid.rows
      else {
        return ("projectionUncertainty.sigma", "expected columns·rows numbers")
      }
    }
    if let coverage {
      guard (1...4096).contains(coverage.columns), (1...4096).contains(coverage.rows),
        coverage.cornerCounts.count == coverage.columns * coverage.rows
      else { return ("coverage.cornerCounts", "expected columns·rows numbers") }
    }
    if let board {
      guard (1...4096).contains(board.columns), (1...4096).contains(board.rows) else {
        return ("board", "expected from 1 to 4096 columns and rows")
      }
      if let bend = board.bend {
        guard [bend.x, bend.y, bend.deviationX, bend.deviationY].allSatisfy(\.isFinite) else {
          return ("board.bend", "expected finite numbers; a board taken for flat has none")
        }
        guard bend.deviationX >= 0, bend.deviationY >= 0 else {
          return ("board.bend.standardDeviations", "a standard deviation is negative")
        }
      }
    }
    for (index, view) in views.enumerated() {
      guard let pose = view.pose else { continue }
      let numbers = [
        pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translation.x,
        pose.translation.y, pose.translation.z,
      ]
      guard numbers.allSatisfy(\.isFinite) else {
        return ("views[\(index)].pose", "expected finite numbers; a view without a pose has null")
      }
    }
    return nil
  }

  private var dateInconsistency: (key: String, message: String)? {
    UTCTime(created) == nil
      ? ("created", "found \"\(created.clipped)\", expected a UTC time as 2026-11-30T05:21:30Z")
      : nil
  }
}
