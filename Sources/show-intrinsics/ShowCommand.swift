import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

/// One run of `show-intrinsics`.
struct ShowCommand {
  let arguments: ParsedArguments
  let terminal: Terminal
  let roots: StoreRoots
  let store: IntrinsicsStore

  init(_ arguments: ParsedArguments, _ terminal: Terminal) throws {
    self.arguments = arguments
    self.terminal = terminal
    if arguments[Self.quiet] { terminal.verbosity = .quiet }
    roots = try asFailure { () throws(StoreError) in
      try StoreRoots(given: arguments[ShowCommand.store])
    }
    store = IntrinsicsStore(roots)
  }

  func run() throws -> ExitStatus {
    try checkOptions()
    guard let name = arguments.operands.first else { return try showAll() }
    let device = try asFailure { () throws(StoreError) in
      name.hasPrefix("/dev/")
        ? try AttachedCamera(deviceFile: name).identity.id : try store.device(matching: name)
    }
    guard let device else { throw try unknownDevice(name) }
    return historyOption == nil ? try show(device) : try changeHistory(of: device)
  }

  /// The size that was asked for.
  var resolution: Resolution? {
    arguments[Self.size].map { Resolution(width: $0.width, height: $0.height) }
  }

  var format: OutputFormat {
    arguments.isGiven(Self.hex) && !arguments.isGiven(Self.format)
      ? .float3x3 : arguments[Self.format]
  }

  private func checkOptions() throws {
    let format = self.format
    if arguments[Self.hex], format != .float3x3 {
      throw UsageError(
        .conflictingOptions, subject: "--hex", message: "--hex goes with --format float3x3 only")
    }
    if arguments[Self.origin] == .corner, format != .text, format != .float3x3 {
      throw UsageError(
        .conflictingOptions, subject: "--origin",
        message: "the format \(format.rawValue) fixes where the principal point is measured from: "
          + "--origin corner goes with --format text and float3x3 only")
    }
    try checkHistoryOptions()
    if arguments.operands.isEmpty, format != .text, format != .json {
      throw UsageError(
        .missingOperand, subject: "DEVICE",
        message:
          "--format \(format.rawValue) needs a DEVICE; without one, text and json are possible")
    }
  }

  /// Prints all that is stored.
  private func showAll() throws -> ExitStatus {
    var entries = try asFailure { () throws(StoreError) in try store.calibrations() }
    let total = entries.count
    if let resolution { entries.removeAll { $0.resolution != resolution } }
    let records = complainAboutUnreadable(entries)
    let past = try onlyHistory()
    if entries.isEmpty {
      throw CommandFailure(
        .noCalibration,
        total > 0
          ? "nothing is stored for frames of \(resolution.map(\.description) ?? "this size"); other "
            + "sizes are: run show-intrinsics without --size"
          : "no calibration is stored in \(rootsText); `calibrate --board 9x6 PHOTOS` makes one"
            + (past.map { "; \($0)" } ?? ""))
    }
    terminal.note("store: \(rootsText)")
    if format == .json {
      try write(JSONValue.array(records.map(\.jsonValue)).jsonText())
    } else if !records.isEmpty {
      try write(CalibrationTable(entries: entries, now: .now, origin: origin).text)
    }
    if format == .text, let past { terminal.note(past) }
    return failureStatus(entries)
  }

  /// What was removed and can be brought back; nil where nothing is.
  private func onlyHistory() throws -> String? {
    let devices = try asFailure { () throws(StoreError) in try store.devicesWithOnlyHistory() }
    guard let first = devices.first?.rawValue.printable else { return nil }
    return "only a history: " + devices.map(\.rawValue.printable).joined(separator: ", ")
      + " (show-intrinsics \(first) --history)"
  }

  /// Prints the records of a device.
  private func show(_ device: DeviceID) throws -> ExitStatus {
    let all = try asFailure { () throws(StoreError) in try store.calibrations(of: device) }
    let entries = all.filter { resolution == nil || $0.resolution == resolution }
    guard !entries.isEmpty else { throw try notCalibrated(device, stored: all) }
    let records = complainAboutUnreadable(entries)
    guard records.count == entries.count || (format == .text && !records.isEmpty) else {
      return failureStatus(entries)
    }
    terminal.note("store: \(rootsText)")
    if format == .text {
      let reports = entries.compactMap { entry -> String? in
        guard case .success(let record) = entry.record else { return nil }
        return RecordReport(record: record, path: entry.path, now: .now, origin: origin).text
      }
      try write(reports.joined(separator: "\n"))
    } else {
      guard let record = records.first, records.count == 1 else {
        throw UsageError(
          .missingOption, subject: "--size",
          message: "\(device) is calibrated at \(sizes(entries)): choose one with --size")
      }
      try write(record, as: format)
    }
    return failureStatus(entries)
  }

  private func notCalibrated(
    _ device: DeviceID, stored: [StoredCalibration]
  ) throws -> CommandFailure {
    if stored.isEmpty {
      let history = try asFailure { () throws(StoreError) in try store.history(of: device) }
      if history.isEmpty { return try unknownDevice(device.rawValue) }
      return CommandFailure(
        .noCalibration,
        "\(device) has no current calibration, only a history: --history lists it, --restore TIME "
          + "brings a record back")
    }
    return CommandFailure(
      .noCalibration,
      "\(device) is not calibrated at \(resolution.map(\.description) ?? "this size"); it is at "
        + "\(sizes(stored)). Numbers of one size are not right for another: modes of one camera "
        + "often see different fields of view")
  }

  private func sizes(_ entries: [StoredCalibration]) -> String {
    entries.map(\.resolution.description).joined(separator: ", ")
  }

  /// The records that can be read; says what is wrong with the others.
  private func complainAboutUnreadable(_ entries: [StoredCalibration]) -> [IntrinsicsRecord] {
    entries.compactMap { entry in
      switch entry.record {
      case .success(let record): return record
      case .failure(let error):
        terminal.complain("\(error)")
        return nil
      }
    }
  }

  private func failureStatus(_ entries: [StoredCalibration]) -> ExitStatus {
    for entry in entries {
      if case .failure(let error) = entry.record { return error.exitStatus }
    }
    return .success
  }

  private func unknownDevice(_ name: String) throws -> CommandFailure {
    let entries = (try? store.calibrations()) ?? []
    guard !entries.isEmpty else {
      return CommandFailure(
        .noCalibration,
        "no calibration is stored in \(rootsText); `calibrate --board 9x6 PHOTOS` makes one")
    }
    var candidates = entries.map(\.device.rawValue)
    for case .success(let record) in entries.map(\.record) { candidates.append(record.device.name) }
    // `left` may stand for name:left, a serial number for the id that ends with it.
    for id in candidates {
      if let last = id.split(separator: ":").last { candidates.append(String(last)) }
    }
    let hint = nearMiss(to: name, among: candidates).map { "; did you mean \"\($0.printable)\"?" }
    return CommandFailure(
      .noCalibration,
      "no calibration is stored for \"\(name.printable)\" in \(rootsText)"
        + (hint ?? "; show-intrinsics without DEVICE lists what is"))
  }

  var origin: PixelOrigin { arguments[Self.origin] }

  /// The folders that were read.
  var rootsText: String {
    roots.fallbacks.isEmpty
      ? roots.description : "\(roots), then \(roots.fallbacks.joined(separator: ", "))"
  }
}
