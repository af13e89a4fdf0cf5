import CameraModel
import Glibc

extension IntrinsicsStore {
  /// Puts a record that is not to become current into the history; returns its path.
  func addToHistory(_ new: NewRecord, in folder: String) throws(StoreError) -> String {
    let history = folder + "/" + FileNames.historyFolder(new.record.camera.resolution)
    try disk.createFolder(history)
    let stem = try freeStem(history, time: new.record.created)
    if let points = new.pointsJSON {
      try disk.rename(writeTemporary(points, in: folder), to: history + "/\(stem).points.json")
    }
    let path = history + "/\(stem).json"
    try disk.rename(writeTemporary(new.json, in: folder), to: path)
    try disk.synchronizeFolder(history)
    return path
  }

  /// Gives the current record and its points a second name in the history; returns the record's
  /// path there, nil where there is no current record.
  ///
  /// - Parameter record: The current record; nil where it cannot be read.
  func copyCurrentToHistory(
    _ resolution: Resolution, record: IntrinsicsRecord?, in folder: String
  ) throws(StoreError) -> String? {
    let path = folder + "/" + FileNames.record(resolution)
    let points = folder + "/" + FileNames.points(resolution)
    let (hasRecord, hasPoints) = (Disk.exists(path), Disk.exists(points))
    guard hasRecord || hasPoints else { return nil }
    let history = folder + "/" + FileNames.historyFolder(resolution)
    try disk.createFolder(history)
    // A writer that was killed may have done this already.
    let names = try Disk.names(in: history)
    let existing = hasRecord ? names.first { Disk.isSameFile(history + "/" + $0, path) } : nil
    let stem: String
    if let existing {
      stem = String(existing.dropLast(".json".count))
    } else {
      stem = try freeStem(history, time: record?.created ?? UTCTime.now.description)
    }
    if hasPoints, !names.contains(where: { Disk.isSameFile(history + "/" + $0, points) }) {
      // Points that a killed writer left beside another record have no place under its name.
      let isTaken = names.contains(stem + ".points.json")
      let pointsStem = isTaken ? try freeStem(history, time: UTCTime.now.description) : stem
      try copy(points, to: history + "/\(pointsStem).points.json", by: folder)
    }
    let copyPath = history + "/\(stem).json"
    if hasRecord, existing == nil { try copy(path, to: copyPath, by: folder) }
    try disk.synchronizeFolder(history)
    return hasRecord ? copyPath : nil
  }

  /// Gives a file a second name; where the file system has no hard links, or the file belongs to
  /// another user (protected_hardlinks), a second file.
  private func copy(_ path: String, to newPath: String, by folder: String) throws(StoreError) {
    let status = disk.link(path, as: newPath)
    switch status {
    case 0: return
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EACCES, EXDEV:
      guard let bytes = try Disk.contents(of: path, limit: CalibrationPoints.maximumFileSize) else {
        return
      }
      try disk.rename(writeTemporary(bytes, in: folder), to: newPath)
    default: throw .system(status, .notWritable, "cannot keep the record in the history", newPath)
    }
  }

  /// A file name without `.json` that nothing in a history has: the time, with a number behind it
  /// where two records have the same; under the lock.
  func freeStem(_ history: String, time: String) throws(StoreError) -> String {
    let taken = Set(try Disk.names(in: history))
    let stem = (UTCTime(time) ?? .now).fileName
    var candidate = stem
    var number = 1
    while taken.contains(candidate + ".json") || taken.contains(candidate + ".points.json") {
      number += 1
      candidate = "\(stem)-\(number)"
    }
    return candidate
  }
}
