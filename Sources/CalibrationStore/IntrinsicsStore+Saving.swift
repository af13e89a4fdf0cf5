import CameraModel
import Glibc

/// What became of a record that was to be saved.
public enum SaveOutcome: Sendable, Hashable {
  /// It is the current record at `path`; the one before it, where there was one, is at `previous`.
  case stored(path: String, previous: String?)
  /// It is poor and the current record at `path` is better: it went to the history, at `history`.
  case keptBetter(path: String, history: String)
}

extension SaveOutcome: CustomStringConvertible {
  /// One sentence that says where the record is and what it took the place of.
  public var description: String {
    switch self {
    case .stored(let path, nil): "stored in \(path)"
    case .stored(let path, let previous?):
      "stored in \(path); the record before it is now \(previous)"
    case .keptBetter(let path, let history):
      "this result is poor and the stored one is better: \(path) stays as it is, the new record is "
        + "in \(history) (--replace puts it in its place)"
    }
  }
}

extension IntrinsicsStore {
  /// Stores a record as the current one of its device and resolution; the one before goes to the
  /// history, with its points.
  ///
  /// Whenever the process ends, by `kill -9` or a power cut, the record before is still current or in
  /// the history, and the new one is current once this returns.
  ///
  /// - Parameters:
  ///   - points: The measured points behind the record.
  ///   - replace: Lets a poor record take the place of a better one, and any take the place of a file
  ///     that cannot be read (which goes to the history as it is).
  /// - Throws: `StoreError`: `invalidRecord` (also for a record that was scaled from another
  ///   resolution), `notWritable`, `busy`; the error of the current file where that cannot be read.
  ///   Nothing has changed then. `RecordRescue` keeps the record elsewhere.
  @discardableResult
  public func save(
    _ record: IntrinsicsRecord, points: CalibrationPoints? = nil, replace: Bool = false
  ) throws(StoreError) -> SaveOutcome {
    let text = try record.jsonText()
    if let measured = record.scaledFrom {
      throw StoreError(
        code: .invalidRecord, subject: record.device.id.rawValue,
        message: "the record was scaled from \(measured); only what was measured is stored")
    }
    let pointsText = try points?.jsonText(of: record)
    let folder = try folder(of: record.device.id)
    let new = NewRecord(
      record: record, json: Array(text.utf8), pointsJSON: pointsText.map { Array($0.utf8) })
    try disk.createFolder(root)
    return try locked { () throws(StoreError) in
      do throws(StoreError) {
        try disk.createFolder(folder)
        try removeLeftovers(in: folder)
        return try place(new, in: folder, replace: replace)
      } catch {
        removeEmptyFolders(of: folder, [record.camera.resolution])
        throw error
      }
    }
  }

  /// Removes a device's folder and those of its history where they are empty: one of which nothing
  /// could be stored has none.
  func removeEmptyFolders(of folder: String, _ resolutions: [Resolution]) {
    for resolution in resolutions {
      disk.removeEmptyFolder(folder + "/" + FileNames.historyFolder(resolution))
    }
    disk.removeEmptyFolder(folder)
  }

  /// Runs `body` while no other process or thread writes to the store.
  func locked<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try StoreLock.hold(root: root, seconds: lockTimeout, body)
  }

  /// A record on its way to the disk.
  struct NewRecord {
    var record: IntrinsicsRecord
    var json: [UInt8]
    var pointsJSON: [UInt8]?
  }

  /// Makes a record current, or puts it into the history where a better one is; under the lock.
  func place(
    _ new: NewRecord, in folder: String, replace: Bool
  ) throws(StoreError) -> SaveOutcome {
    let resolution = new.record.camera.resolution
    let path = folder + "/" + FileNames.record(resolution)
    let current: IntrinsicsRecord?
    do {
      current = try Self.record(at: path, device: new.record.device.id, resolution: resolution)
    } catch {
      guard replace, Disk.exists(path) else { throw error.refusingToOverwrite }
      current = nil
    }
    if !replace, new.record.verdict.level == .poor {
      let served =
        current.map { (path, $0) } ?? fallback(new.record.device.id, resolution: resolution)
      if let (better, record) = served, record.verdict.level != .poor {
        return .keptBetter(path: better, history: try addToHistory(new, in: folder))
      }
    }

    // Both files are complete and durable before either takes its place.
    let temporary = try writeTemporary(new.json, in: folder)
    var temporaryPoints: String?
    do {
      temporaryPoints = try new.pointsJSON.map { bytes throws(StoreError) in
        try writeTemporary(bytes, in: folder)
      }
      let previous = try copyCurrentToHistory(resolution, record: current, in: folder)
      // Points first: a kill in between leaves the old record current and its points in the history.
      let pointsPath = folder + "/" + FileNames.points(resolution)
      if let temporaryPoints {
        try disk.rename(temporaryPoints, to: pointsPath)
      } else {
        try disk.remove(pointsPath)
      }
      try disk.rename(temporary, to: path)
      try disk.synchronizeFolder(folder)
      return .stored(path: path, previous: previous)
    } catch {
      try? disk.remove(temporary)
      if let temporaryPoints { try? disk.remove(temporaryPoints) }
      throw error
    }
  }

  /// The record that look-up finds where `root` has none; a new one there would hide it.
  private func fallback(
    _ device: DeviceID, resolution: Resolution
  ) -> (path: String, record: IntrinsicsRecord)? {
    for root in fallbackRoots {
      let store = IntrinsicsStore(root: root)
      if let path = try? store.path(for: device, resolution: resolution),
        let record = try? Self.record(at: path, device: device, resolution: resolution)
      {
        return (path, record)
      }
    }
    return nil
  }

  /// Writes a file under a name that nothing else has; returns its path.
  func writeTemporary(_ bytes: [UInt8], in folder: String) throws(StoreError) -> String {
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    let path = "\(folder)/\(FileNames.temporaryPrefix)\(getpid())-\(random)"
    do {
      try disk.writeNewFile(path, bytes)
    } catch {
      // The temporary name says nothing to anybody.
      var error = error
      error.subject = folder
      throw error
    }
    return path
  }

  /// Removes what writers that were killed have left; under the lock no other writer is at work.
  func removeLeftovers(in folder: String) throws(StoreError) {
    for name in try Disk.names(in: folder) where name.hasPrefix(FileNames.temporaryPrefix) {
      try disk.remove(folder + "/" + name)
    }
  }
}

extension StoreError {
  /// The same error, saying that the file stays as it is.
  fileprivate var refusingToOverwrite: StoreError {
    var error = self
    error.message +=
      "; it is not overwritten: move it away, or keep it in the history with --replace"
    return error
  }
}
