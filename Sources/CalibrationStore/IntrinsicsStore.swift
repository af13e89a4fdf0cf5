public import CameraModel

/// Calibrations on disk: one record per device and resolution, older ones in a history.
///
/// Records lie in `ROOT/<device id>/<width>x<height>.json`. A value of this type holds paths only;
/// it may be used from several threads and several processes at once: files change by rename, and
/// writers hold a lock.
public struct IntrinsicsStore: Sendable {
  /// The folder that is written to and read first.
  public let root: String
  /// Further folders that are read where `root` has no record.
  public let fallbackRoots: [String]

  /// The system calls by which the disk changes.
  var disk = Disk()
  /// How long a writer waits for other writers, in seconds.
  var lockTimeout = 10.0

  /// Creates a store in a folder, which need not exist yet.
  ///
  /// - Parameter fallbackRoots: Folders that are read, in this order, where `root` has no record.
  public init(root: String, fallbackRoots: [String] = []) {
    self.root = root
    self.fallbackRoots = fallbackRoots
  }

  /// The calibration of a device at a resolution; nil where there is none for exactly this one.
  ///
  /// Nothing is ever scaled from another resolution: modes of one camera often see different fields
  /// of view (`IntrinsicsRecord.scaled(to:)` is for those who know that theirs do not).
  ///
  /// Reads one small file; does not read points and residuals.
  ///
  /// - Throws: `StoreError` where there is a record that cannot be read, or that says it belongs to
  ///   another device or resolution: that is not the same as no record.
  public func intrinsics(
    for device: DeviceID, resolution: Resolution
  ) throws(StoreError) -> IntrinsicsRecord? {
    let name = try FileNames.folder(of: device) + "/" + FileNames.record(resolution)
    for root in [root] + fallbackRoots {
      let path = try checked(root) + "/" + name
      if let record = try Self.record(at: path, device: device, resolution: resolution) {
        return record
      }
    }
    return nil
  }

  /// The file in which the record of a device and resolution stands in `root`, or will stand.
  public func path(for device: DeviceID, resolution: Resolution) throws(StoreError) -> String {
    try folder(of: device) + "/" + FileNames.record(resolution)
  }

  /// The points and residuals behind the record of a device and resolution in `root`; nil where
  /// none were stored with it.
  ///
  /// Points of another record are never returned: when a writer was killed between the renames of
  /// the two files, the record's own points are found in the history.
  public func points(
    for device: DeviceID, resolution: Resolution
  ) throws(StoreError) -> CalibrationPoints? {
    let folder = try folder(of: device)
    guard
      let record = try Self.record(
        at: folder + "/" + FileNames.record(resolution), device: device, resolution: resolution)
    else { return nil }
    return try pointsFile(of: record, in: folder).map { $0.points }
  }
}

extension IntrinsicsStore {
  /// The largest record that is read.
  static let maximumRecordSize = 1 << 26

  /// The folder of a device in `root`.
  func folder(of device: DeviceID) throws(StoreError) -> String {
    try checked(root) + "/" + FileNames.folder(of: device)
  }

  /// A root as a path that system calls take as it is.
  func checked(_ root: String) throws(StoreError) -> String {
    guard !root.isEmpty, !root.utf8.contains(0) else {
      throw StoreError(
        code: .noRoot, subject: "store \"\(root.clipped)\"",
        message: "the path of a folder was expected")
    }
    return root
  }

  /// Reads a record; nil where there is no file.
  static func record(at path: String) throws(StoreError) -> IntrinsicsRecord? {
    guard let bytes = try Disk.contents(of: path, limit: maximumRecordSize) else { return nil }
    return try IntrinsicsRecord(jsonBytes: bytes, source: path)
  }

  /// The device of the record that a file of points lies beside; nil where it does not.
  package static func device(
    ofPoints path: String
  ) throws(StoreError) -> IntrinsicsRecord.DeviceIdentity? {
    let end = ".points.json"
    guard path.hasSuffix(end) else { return nil }
    return try record(at: String(path.dropLast(end.count)) + ".json")?.device
  }

  /// Reads the record that belongs at a path; nil where there is no file.
  static func record(
    at path: String, device: DeviceID, resolution: Resolution
  ) throws(StoreError) -> IntrinsicsRecord? {
    guard let record = try record(at: path) else { return nil }
    guard record.device.id == device else {
      throw StoreError(
        code: .mismatch, subject: path,
        message: "the record in this file belongs to the device "
          + "\"\(record.device.id.rawValue.clipped)\", not to \"\(device.rawValue.clipped)\"; "
          + "it was not used")
    }
    guard record.camera.resolution == resolution, record.scaledFrom == nil else {
      throw StoreError(
        code: .mismatch, subject: path,
        message: record.scaledFrom.map { "the record was scaled from \($0), not measured" }
          ?? "the record in this file is for \(record.camera.resolution), not for \(resolution); it was not used"
      )
    }
    return record
  }

  /// The file with the points of a record, wherever a killed writer has left it.
  func pointsFile(
    of record: IntrinsicsRecord, in folder: String
  ) throws(StoreError) -> (path: String, points: CalibrationPoints)? {
    let resolution = record.camera.resolution
    let stamp = PointsStamp(record)
    let current = folder + "/" + FileNames.points(resolution)
    if let points = try Self.points(at: current, stamp: stamp) { return (current, points) }
    let history = folder + "/" + FileNames.historyFolder(resolution)
    for name in try Disk.names(in: history) where name.hasSuffix(".points.json") {
      let path = history + "/" + name
      if let points = try? Self.points(at: path, stamp: stamp) { return (path, points) }
    }
    return nil
  }

  /// Reads a points file; nil where there is none or it belongs to another record.
  private static func points(
    at path: String, stamp: PointsStamp
  ) throws(StoreError) -> CalibrationPoints? {
    guard let bytes = try Disk.contents(of: path, limit: CalibrationPoints.maximumFileSize) else {
      return nil
    }
    let root = JSONField(try JSONValue(storedBytes: bytes, source: path))
    try root.checkSchema(IntrinsicsRecord.schemaVersion, source: path)
    return try reading(path) { () throws(JSONError) in
      try PointsStamp(root) == stamp ? CalibrationPoints(root) : nil
    }
  }
}
