internal import CalibrationStore
internal import CameraModel

/// Whether a store has what can be delivered with a camera's frames.
enum IntrinsicsLookup {
  /// The record, or why there is none that can be delivered.
  enum Answer: Sendable {
    case record(IntrinsicsRecord)
    case unavailable(String)
  }

  /// Reads one small file; the store's listing, too, where there is nothing, to say what there is.
  static func answer(
    in store: Result<IntrinsicsStore, StoreError>, device: DeviceID, resolution: Resolution,
    allowsPoor: Bool
  ) -> Answer {
    let record: IntrinsicsRecord?
    let found: IntrinsicsStore
    do {
      found = try store.get()
      record = try found.intrinsics(for: device, resolution: resolution)
    } catch {
      return .unavailable("the calibration cannot be read: \(error)")
    }
    guard let record else {
      return .unavailable(
        "\(device) was not calibrated at \(resolution) (\(others(in: found, of: device))); another "
          + "size's numbers do not hold, as modes often see different fields of view: run `calibrate` "
          + "at this size")
    }
    if record.verdict.level == .poor, !allowsPoor {
      let reason = record.verdict.reasons.first.map { " (\($0))" } ?? ""
      return .unavailable(
        "the calibration of \(device) at \(resolution) is poor\(reason): calibrate again, or set "
          + "allowsPoorCalibration")
    }
    return .record(record)
  }

  private static func others(in store: IntrinsicsStore, of device: DeviceID) -> String {
    let sizes = (try? store.calibrations(of: device))?.map { "\($0.resolution)" } ?? []
    return sizes.isEmpty
      ? "there is no calibration of it in \(store.root)"
      : "calibrated in \(store.root): \(sizes.joined(separator: ", "))"
  }
}
