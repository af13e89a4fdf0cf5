import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

extension ShowCommand {
  /// The name of the option that lists or changes what is stored; nil where none is given.
  var historyOption: String? {
    let options: [any DeclaredOption] = [
      Self.history, Self.restore, Self.remove, Self.rename, Self.attach,
    ]
    return options.first { arguments.isGiven($0) }.map { "--" + $0.definition.name }
  }

  /// Refuses what does not go with the option: nothing that was asked for is passed over.
  func checkHistoryOptions() throws(UsageError) {
    guard let option = historyOption else { return }
    guard !arguments.operands.isEmpty else {
      throw UsageError(
        .missingOperand, subject: "DEVICE", message: "\(option) needs a DEVICE")
    }
    var others: [any DeclaredOption] = [Self.format, Self.hex]
    if !arguments.isGiven(Self.history) { others += [Self.output, Self.origin] }
    if arguments.isGiven(Self.rename) || arguments.isGiven(Self.attach) { others.append(Self.size) }
    for other in others where arguments.isGiven(other) {
      let name = "--" + other.definition.name
      throw UsageError(
        .conflictingOptions, subject: name,
        message: name == "--size"
          ? "\(option) is for all sizes of a device: leave --size out"
          : "\(name) is for what is printed of current records; \(option) has no use for it")
    }
  }

  /// Lists or changes what is stored for a device.
  func changeHistory(of device: DeviceID) throws -> ExitStatus {
    if arguments[Self.history] { return try listHistory(of: device) }
    if let time = arguments[Self.restore] { return try restore(time, of: device) }
    if arguments[Self.remove] { return try remove(device) }
    if let name = arguments[Self.rename] { return try rename(device, to: name) }
    if let camera = arguments[Self.attach] { return try attach(device, to: camera) }
    return .success
  }

  private func listHistory(of device: DeviceID) throws -> ExitStatus {
    let entries = try asFailure { () throws(StoreError) in
      try store.history(of: device, resolution: resolution)
    }
    guard !entries.isEmpty else {
      terminal.note("the history of \(device.rawValue.printable) is empty")
      return .success
    }
    try write(HistoryTable(entries: entries, now: .now, origin: origin).text)
    for case .failure(let error) in entries.map(\.record) { terminal.warn("\(error)") }
    return .success
  }

  private func restore(_ time: String, of device: DeviceID) throws -> ExitStatus {
    let size: Resolution
    if let resolution {
      size = resolution
    } else {
      let entries = try asFailure { () throws(StoreError) in try store.history(of: device) }
      let sizes = Set(entries.map(\.resolution))
      guard sizes.count <= 1 else {
        throw UsageError(
          .missingOption, subject: "--size",
          message: "the history of \(device.rawValue.printable) has several sizes: choose one of "
            + sizes.map(\.description).sorted().joined(separator: ", ") + " with --size")
      }
      guard let only = sizes.first else {
        throw CommandFailure(
          .noCalibration, "the history of \(device.rawValue.printable) is empty")
      }
      size = only
    }
    let outcome = try asFailure { () throws(StoreError) in
      try store.restore(time, of: device, resolution: size)
    }
    terminal.note("restored: \(outcome)")
    return .success
  }

  private func remove(_ device: DeviceID) throws -> ExitStatus {
    let entries = try asFailure { () throws(StoreError) in try store.calibrations(of: device) }
      .filter { resolution == nil || $0.resolution == resolution }
    guard !entries.isEmpty else {
      throw CommandFailure(
        .noCalibration,
        "\(device.rawValue.printable) has no current calibration"
          + (resolution.map { " at \($0)" } ?? ""))
    }
    for entry in entries {
      let kept = try asFailure { () throws(StoreError) in
        try store.remove(device, resolution: entry.resolution)
      }
      terminal.note(
        "removed \(device.rawValue.printable) \(entry.resolution); kept as "
          + "\((kept ?? "nothing").printable) (--restore brings it back; delete the file to lose it)"
      )
    }
    return .success
  }

  /// Renames a device that is known by its name only, or changes the name that people see of one that
  /// has an id of its own.
  private func rename(_ device: DeviceID, to name: String) throws -> ExitStatus {
    let named = try asFailure { () throws(StoreError) in
      try GivenName.identity(name, option: "--rename")
    }
    var identity = named
    if !device.isGivenName {
      identity =
        try self.identity(of: device) ?? .init(id: device, name: name, identifiedBy: "given name")
      identity.name = name
    }
    let target = identity
    let outcomes = try asFailure { () throws(StoreError) in
      try store.refile(device, as: target, keepingTargets: true)
    }
    report(outcomes, as: identity)
    return .success
  }

  private func attach(_ device: DeviceID, to camera: String) throws -> ExitStatus {
    guard device.isGivenName || device.rawValue.hasPrefix("bus:") else {
      throw CommandFailure(
        .usage,
        "\(device.rawValue.printable) is the id of one camera: its calibration is not right for "
          + "another. --attach is for records that are filed under a name or a bus position")
    }
    if camera.hasPrefix("/dev/") {
      return try file(
        device,
        byHandUnder: asFailure { () throws(StoreError) in
          try AttachedCamera(deviceFile: camera)
        })
    }
    guard camera.hasPrefix("usb:") || camera.hasPrefix("bus:") else {
      if let attached = try? AttachedCamera.matching(camera) {
        return try file(device, byHandUnder: attached)
      }
      throw UsageError(
        .invalidValue, subject: "--attach",
        message: "\"\(camera.printable)\" is no id of a camera and no name of an attached one: "
          + "usb:VENDOR:PRODUCT:SERIAL or bus:POSITION is expected; --rename gives another name")
    }
    let id = try asFailure { () throws(StoreError) in try GivenName.id(camera, option: "--attach") }
    let name = try identity(of: id)?.name ?? identity(of: device)?.name ?? device.rawValue
    let basis = camera.hasPrefix("usb:") ? "serial number" : "bus position"
    return try file(
      device, under: .init(id: id, name: name, identifiedBy: basis + ", attached by hand"))
  }

  private func file(
    _ device: DeviceID, byHandUnder camera: AttachedCamera
  ) throws -> ExitStatus {
    var identity = camera.identity
    identity.identifiedBy += ", attached by hand"
    return try file(device, under: identity)
  }

  private func file(
    _ device: DeviceID, under target: IntrinsicsRecord.DeviceIdentity
  ) throws -> ExitStatus {
    let outcomes = try asFailure { () throws(StoreError) in
      try store.refile(device, as: target, keepingTargets: false)
    }
    report(outcomes, as: target)
    return .success
  }

  /// How a stored device was recognised, by the first of its records that can be read.
  private func identity(of device: DeviceID) throws -> IntrinsicsRecord.DeviceIdentity? {
    let entries = try asFailure { () throws(StoreError) in try store.calibrations(of: device) }
    for case .success(let record) in entries.map(\.record) { return record.device }
    return nil
  }

  private func report(_ outcomes: [SaveOutcome], as identity: IntrinsicsRecord.DeviceIdentity) {
    terminal.note(
      "filed as \(identity.id.rawValue.printable) (\(identity.name.printable))"
        + (outcomes.isEmpty ? ": the history only" : ""))
    for outcome in outcomes { terminal.note(outcome.description.printable) }
  }
}

/// The table of `--history`.
struct HistoryTable {
  var entries: [HistoryEntry]
  var now: UTCTime
  var origin: PixelOrigin

  var text: String {
    var table = TextTable(
      header: ["SIZE", "TIME", "FX", "FY", "CX", "CY", "RMS", "VERDICT", "AGE"],
      alignments: [.left, .left] + Array(repeating: .right, count: 5) + [.left, .left])
    let shift = origin == .corner ? 0.5 : 0
    for entry in entries {
      let head = [entry.resolution.description, entry.time.printable]
      guard case .success(let record) = entry.record else {
        table.rows.append(head + Array(repeating: "–", count: 5) + ["unreadable", "–"])
        continue
      }
      let k = record.camera.intrinsics
      table.rows.append(
        head + [
          fixed(k.fx, 2), fixed(k.fy, 2), fixed(k.cx + shift, 2), fixed(k.cy + shift, 2),
          fixed(record.reprojectionError?.rms, 3), record.verdict.level.rawValue,
          age(since: UTCTime(record.created), now: now),
        ])
    }
    return table.text
  }
}
