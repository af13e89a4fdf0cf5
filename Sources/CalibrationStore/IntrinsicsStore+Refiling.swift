import CameraModel

extension IntrinsicsStore {
  /// Files all records of a device, with their history, under another identity.
  ///
  /// Saved as by `save`: the target's own records go to its history, a poor record does not take the
  /// place of a better one. Killed in between, the records stand under both; running it again
  /// completes it and makes no second copies.
  ///
  /// - Parameter keepingTargets: Refuses where the target has another current record of a size.
  /// - Returns: What became of each current record.
  /// - Throws: `StoreError`: `notFound`, `alreadyExists`, the error of a current record that cannot be
  ///   read, `notWritable`, `busy`.
  @discardableResult
  public func refile(
    _ device: DeviceID, as identity: IntrinsicsRecord.DeviceIdentity, keepingTargets: Bool
  ) throws(StoreError) -> [SaveOutcome] {
    if let reason = identity.id.invalidityReason {
      throw StoreError(
        code: .invalidDevice, subject: "device \"\(identity.id.rawValue.clipped)\"",
        message: reason)
    }
    var outcomes: [SaveOutcome] = []
    var isFound = false
    for root in [root] + fallbackRoots {
      let store = store(in: root)
      let folder = try store.folder(of: device)
      guard Disk.isFolder(folder) else { continue }
      isFound = true
      outcomes += try store.locked { () throws(StoreError) in
        try store.move(device, from: folder, to: identity, keepingTargets: keepingTargets)
      }
    }
    guard isFound else {
      throw StoreError(
        code: .notFound, subject: "device \"\(device.rawValue.clipped)\"",
        message: "nothing is stored for it")
    }
    return outcomes
  }

  private func move(
    _ device: DeviceID, from source: String, to identity: IntrinsicsRecord.DeviceIdentity,
    keepingTargets: Bool
  ) throws(StoreError) -> [SaveOutcome] {
    try removeLeftovers(in: source)
    let entries = try Disk.names(in: source)
    // All is read before anything is changed: an unreadable current record stops it.
    var current: [NewRecord] = []
    for resolution in entries.compactMap(FileNames.resolution(ofRecord:)) {
      if let record = try refiled(resolution, of: device, in: source, as: identity) {
        current.append(record)
      }
    }
    if device == identity.id {
      return try rewrite(current, in: source)
    }
    let target = try folder(of: identity.id)
    if keepingTargets { try checkFree(target, for: current) }
    let histories = entries.compactMap(FileNames.resolution(ofHistory:))
    var outcomes: [SaveOutcome] = []
    do throws(StoreError) {
      try disk.createFolder(target)
      try removeLeftovers(in: target)
      for resolution in histories {
        try refileHistory(resolution, from: source, to: target, as: identity, of: device)
      }
      for new in current {
        let path = target + "/" + FileNames.record(new.record.camera.resolution)
        let isDone = try Disk.contents(of: path, limit: Self.maximumRecordSize) == new.json
        outcomes.append(
          isDone
            ? .stored(path: path, previous: nil) : try place(new, in: target, replace: false))
      }
    } catch {
      let resolutions = histories + current.map(\.record.camera.resolution)
      removeEmptyFolders(of: target, resolutions)
      throw error
    }
    try removeAll(in: source)
    return outcomes
  }

  /// The current record of a size with another identity and its points.
  private func refiled(
    _ resolution: Resolution, of device: DeviceID, in folder: String,
    as identity: IntrinsicsRecord.DeviceIdentity
  ) throws(StoreError) -> NewRecord? {
    let path = folder + "/" + FileNames.record(resolution)
    guard let record = try Self.record(at: path, device: device, resolution: resolution),
      let bytes = try Disk.contents(of: path, limit: Self.maximumRecordSize)
    else { return nil }
    let points = try pointsFile(of: record, in: folder)
    return try NewRecord(
      record: record.with(identity), json: Self.refiled(bytes, as: identity, source: path),
      pointsJSON: points.flatMap { file throws(StoreError) in
        try Disk.contents(of: file.path, limit: CalibrationPoints.maximumFileSize)
      })
  }

  /// A record's bytes with another identity; keys that this version does not know stay.
  private static func refiled(
    _ bytes: [UInt8], as identity: IntrinsicsRecord.DeviceIdentity, source: String
  ) throws(StoreError) -> [UInt8] {
    var value = try JSONValue(storedBytes: bytes, source: source)
    value["device"] = identity.jsonValue
    return Array(value.jsonText().utf8)
  }

  /// Changes current records where they are.
  private func rewrite(
    _ records: [NewRecord], in folder: String
  ) throws(StoreError) -> [SaveOutcome] {
    var outcomes: [SaveOutcome] = []
    for new in records {
      let path = folder + "/" + FileNames.record(new.record.camera.resolution)
      try disk.rename(writeTemporary(new.json, in: folder), to: path)
      outcomes.append(.stored(path: path, previous: nil))
    }
    try disk.synchronizeFolder(folder)
    return outcomes
  }

  private func checkFree(_ target: String, for records: [NewRecord]) throws(StoreError) {
    for new in records {
      let path = target + "/" + FileNames.record(new.record.camera.resolution)
      guard Disk.exists(path),
        try Disk.contents(of: path, limit: Self.maximumRecordSize) != new.json
      else { continue }
      throw StoreError(
        code: .alreadyExists, subject: path,
        message: "another record already stands under this name; remove it first (it goes to the "
          + "history), or choose another name")
    }
  }

  private func refileHistory(
    _ resolution: Resolution, from source: String, to target: String,
    as identity: IntrinsicsRecord.DeviceIdentity, of device: DeviceID
  ) throws(StoreError) {
    let from = source + "/" + FileNames.historyFolder(resolution)
    let to = target + "/" + FileNames.historyFolder(resolution)
    let current = source + "/" + FileNames.record(resolution)
    try disk.createFolder(to)
    // Points first, as everywhere: where there is a record, its points are.
    let names = try Disk.names(in: from)
    let pointsNames = names.filter { $0.hasSuffix(".points.json") }
    for name in pointsNames + names.filter({ !$0.hasSuffix(".points.json") }) {
      let path = from + "/" + name
      guard name.hasSuffix(".json"), !Disk.isSameFile(path, current),
        var bytes = try Disk.contents(of: path, limit: CalibrationPoints.maximumFileSize)
      else { continue }
      let isPoints = name.hasSuffix(".points.json")
      // What cannot be read moves as it is.
      if !isPoints, (try? IntrinsicsRecord(jsonBytes: bytes, source: path))?.device.id == device {
        bytes = try Self.refiled(bytes, as: identity, source: path)
      }
      let suffix = isPoints ? ".points.json" : ".json"
      let stem = String(name.dropLast(suffix.count))
      if try isFile(with: bytes, in: to) { continue }
      // Points are found by what they say, not by their name: the two may part here.
      let isTaken = Disk.exists(to + "/" + stem + suffix)
      let newStem = isTaken ? try freeStem(to, time: UTCTime.now.description) : stem
      try disk.rename(writeTemporary(bytes, in: target), to: to + "/" + newStem + suffix)
    }
    try disk.synchronizeFolder(to)
  }

  private func isFile(with bytes: [UInt8], in folder: String) throws(StoreError) -> Bool {
    for name in try Disk.names(in: folder) {
      let path = folder + "/" + name
      if try Disk.contents(of: path, limit: CalibrationPoints.maximumFileSize) == bytes {
        return true
      }
    }
    return false
  }

  /// Removes a device's files after they were filed elsewhere; foreign files stay.
  private func removeAll(in folder: String) throws(StoreError) {
    var (records, points, histories): ([String], [String], [String]) = ([], [], [])
    for name in try Disk.names(in: folder) {
      let path = folder + "/" + name
      if FileNames.resolution(ofHistory: name) != nil {
        histories.append(path)
        for file in try Disk.names(in: path) where file.hasSuffix(".json") {
          if file.hasSuffix(".points.json") {
            points.append(path + "/" + file)
          } else {
            records.append(path + "/" + file)
          }
        }
      } else if FileNames.resolution(ofRecord: name) != nil {
        records.append(path)
      } else if FileNames.resolution(ofPoints: name) != nil {
        points.append(path)
      }
    }
    for path in records + points { try disk.remove(path) }
    for path in histories + [folder] { disk.removeEmptyFolder(path) }
  }
}

extension IntrinsicsRecord {
  /// The same record of another device.
  fileprivate func with(_ identity: DeviceIdentity) -> IntrinsicsRecord {
    var record = self
    record.device = identity
    return record
  }
}
