public import CameraModel

/// A record that is not current: replaced, removed or set aside for a better one.
public struct HistoryEntry: Sendable {
  /// The folder of the store.
  public var root: String
  /// Whose record it is.
  public var device: DeviceID
  /// The resolution of the history it stands in.
  public var resolution: Resolution
  /// What names it in its history: when it was made, with a number behind where two are of one time.
  public var time: String
  /// The file.
  public var path: String
  /// The record, or why it cannot be read.
  public var record: Result<IntrinsicsRecord, StoreError>
}

extension IntrinsicsStore {
  /// The records of a device that are not current, newest first; of one resolution or of all.
  public func history(
    of device: DeviceID, resolution: Resolution? = nil
  ) throws(StoreError) -> [HistoryEntry] {
    let folderName = try FileNames.folder(of: device)
    var entries: [HistoryEntry] = []
    for root in [root] + fallbackRoots {
      let folder = try checked(root) + "/" + folderName
      for name in try Disk.names(in: folder) {
        guard let size = FileNames.resolution(ofHistory: name), size == resolution ?? size else {
          continue
        }
        let current = folder + "/" + FileNames.record(size)
        for file in try Disk.names(in: folder + "/" + name) {
          let path = "\(folder)/\(name)/\(file)"
          guard file.hasSuffix(".json"), !file.hasSuffix(".points.json"),
            // A writer that was killed leaves the current record here, too.
            !Disk.isSameFile(path, current)
          else { continue }
          entries.append(
            HistoryEntry(
              root: root, device: device, resolution: size, time: String(file.dropLast(5)),
              path: path, record: Self.result(at: path, device: device, resolution: size)))
        }
      }
    }
    return entries.sorted {
      // Of records made in the same second, "…Z-10" came after "…Z-9".
      ($0.resolution.width, $0.resolution.height, $1.sortKey)
        < ($1.resolution.width, $1.resolution.height, $0.sortKey)
    }
  }

  /// The devices without a current record that have a history, by id.
  ///
  /// A device whose id does not fit into a folder's name has it in its records only, and is not among them.
  package func devicesWithOnlyHistory() throws(StoreError) -> [DeviceID] {
    var found: Set<DeviceID> = []
    for root in [root] + fallbackRoots {
      let root = try checked(root)
      for folder in try Disk.names(in: root) where Disk.isFolder(root + "/" + folder) {
        guard let device = FileNames.device(ofFolder: folder), !found.contains(device),
          try calibrations(of: device).isEmpty, try !history(of: device).isEmpty
        else { continue }
        found.insert(device)
      }
    }
    return found.sorted { $0.rawValue < $1.rawValue }
  }

  /// The same store with one root only: the one that is to be changed.
  func store(in root: String) -> IntrinsicsStore {
    var store = IntrinsicsStore(root: root)
    (store.disk, store.lockTimeout) = (disk, lockTimeout)
    return store
  }

  private static func result(
    at path: String, device: DeviceID, resolution: Resolution
  ) -> Result<IntrinsicsRecord, StoreError> {
    do throws(StoreError) {
      guard let record = try record(at: path, device: device, resolution: resolution) else {
        throw StoreError(code: .notFound, subject: path, message: "the file is gone")
      }
      return .success(record)
    } catch {
      return .failure(error)
    }
  }

  /// Makes a record of the history current; the current one takes its place in the history.
  ///
  /// - Parameter time: As in `HistoryEntry.time`, or when the record was made
  ///   (`2026-11-30T05:21:30Z`).
  /// - Returns: Where the restored record is now, and where the one before it is.
  /// - Throws: `StoreError`: `notFound`, `ambiguous`, the error of a record that cannot be read,
  ///   `notWritable`, `busy`.
  @discardableResult
  public func restore(
    _ time: String, of device: DeviceID, resolution: Resolution
  ) throws(StoreError) -> SaveOutcome {
    let entries = try history(of: device, resolution: resolution)
    let matches = entries.filter { entry in
      if entry.time == time { return true }
      if case .success(let record) = entry.record { return record.created == time }
      return false
    }
    // An exact name wins over others that were made in the same second.
    guard let entry = matches.first(where: { $0.time == time }) ?? matches.first else {
      throw StoreError(
        code: .notFound, subject: "history of \(device) at \(resolution)",
        message: "there is no record \"\(time.clipped)\" in it; "
          + (entries.isEmpty
            ? "it is empty" : "there are " + entries.map(\.time).joined(separator: ", ")))
    }
    guard matches.count == 1 || entry.time == time else {
      throw StoreError(
        code: .ambiguous, subject: "history of \(device) at \(resolution)",
        message: "several records were made at \(time.clipped): choose one of "
          + matches.map(\.time).joined(separator: ", "))
    }
    let store = store(in: entry.root)
    return try store.locked { () throws(StoreError) in try store.makeCurrent(entry) }
  }

  private func makeCurrent(_ entry: HistoryEntry) throws(StoreError) -> SaveOutcome {
    let folder = try folder(of: entry.device)
    try removeLeftovers(in: folder)
    guard
      let record = try Self.record(
        at: entry.path, device: entry.device, resolution: entry.resolution)
    else {
      throw StoreError(code: .notFound, subject: entry.path, message: "the file is gone")
    }
    let path = folder + "/" + FileNames.record(entry.resolution)
    let pointsPath = folder + "/" + FileNames.points(entry.resolution)
    let current = try? Self.record(at: path)
    let previous = try copyCurrentToHistory(entry.resolution, record: current, in: folder)
    // Points first, as in saving.
    if let points = try pointsFile(of: record, in: folder)?.path {
      if points != pointsPath { try disk.rename(points, to: pointsPath) }
    } else {
      try disk.remove(pointsPath)
    }
    try disk.rename(entry.path, to: path)
    try disk.synchronizeFolder(folder)
    try disk.synchronizeFolder(folder + "/" + FileNames.historyFolder(entry.resolution))
    return .stored(path: path, previous: previous)
  }

  /// Moves the current record of a device and resolution to the history, so that look-up finds none.
  ///
  /// `restore` brings it back; nothing is deleted. Also for a file that cannot be read.
  ///
  /// - Returns: Where the record is now; nil where there was none in any of the roots.
  @discardableResult
  public func remove(
    _ device: DeviceID, resolution: Resolution
  ) throws(StoreError) -> String? {
    for root in [root] + fallbackRoots {
      let store = store(in: root)
      guard Disk.exists(try store.path(for: device, resolution: resolution)) else { continue }
      return try store.locked { () throws(StoreError) in
        try store.moveCurrentToHistory(device, resolution)
      }
    }
    return nil
  }

  private func moveCurrentToHistory(
    _ device: DeviceID, _ resolution: Resolution
  ) throws(StoreError) -> String? {
    let folder = try folder(of: device)
    try removeLeftovers(in: folder)
    let path = folder + "/" + FileNames.record(resolution)
    let kept = try copyCurrentToHistory(resolution, record: try? Self.record(at: path), in: folder)
    try disk.remove(path)
    try disk.remove(folder + "/" + FileNames.points(resolution))
    try disk.synchronizeFolder(folder)
    return kept
  }
}

extension HistoryEntry {
  /// Time and number, so that they sort as such.
  fileprivate var sortKey: String {
    let parts = time.split(separator: "-", maxSplits: 1)
    guard parts.count == 2 else { return time + "-" + String(repeating: "0", count: 10) + "1" }
    return parts[0] + "-" + String(repeating: "0", count: max(0, 11 - parts[1].count)) + parts[1]
  }
}
