import CalibrationFormats
import CalibrationStore
import CameraModel
import CommandLineTool
import Glibc
import StoreCommands

/// A calibration that an operand names: a file, or `DEVICE@WIDTHxHEIGHT#TIME` in the store.
struct CalibrationArgument {
  /// What `--store` says.
  var store: String?

  /// The calibration.
  ///
  /// - Throws: `CommandFailure` where there is none, or it can't be read.
  func record(_ text: String) throws -> IntrinsicsRecord {
    let parts = StoredName(text)
    // What a camera's device file holds is no calibration: its camera is meant.
    if text.hasPrefix("/dev/video") { return try stored(parts ?? StoredName(device: text), text) }
    if access(text, F_OK) == 0 || parts == nil && text.contains("/") { return try file(text) }
    guard let parts else { return try stored(StoredName(device: text), text) }
    return try stored(parts, text)
  }

  private func file(_ path: String) throws -> IntrinsicsRecord {
    let camera: ImportedCamera
    do throws(FormatError) {
      camera = try CalibrationFile.read(path)
    } catch {
      let status: ExitStatus =
        switch error.code {
        case .notFound, .unreadable, .tooLarge, .syntax: .sourceUnavailable
        case .noPermission: .noPermission
        case .missingSize, .ambiguousLens, .chooseCamera: .usage
        default: .noCalibration
        }
      let advice = status == .usage ? "; store it with import-calibration, which can be told" : ""
      throw CommandFailure(status, "\(error)\(advice)")
    }
    if let record = camera.record { return record }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return camera.record(
      for: .init(id: DeviceID(rawValue: "name:file"), name: name, identifiedBy: "file"),
      created: UTCTime.now.description, tool: "compare-calibrations \(packageVersion)",
      fileName: name)
  }

  private func stored(_ name: StoredName, _ text: String) throws -> IntrinsicsRecord {
    let roots = try asFailure { () throws(StoreError) in try StoreRoots(given: self.store) }
    let store = IntrinsicsStore(roots)
    let device = try asFailure { () throws(StoreError) in
      name.device.hasPrefix("/dev/")
        ? try AttachedCamera(deviceFile: name.device).identity.id
        : try store.device(matching: name.device)
    }
    guard let device else {
      throw CommandFailure(
        .noCalibration,
        "\(text.printable): no such file, and no device \"\(name.device.printable)\" in the store "
          + "\(roots); show-intrinsics lists what is stored")
    }
    if let time = name.time { return try past(device, name, time, store) }
    let all = try asFailure { () throws(StoreError) in try store.calibrations(of: device) }
    let entries = all.filter { name.size == nil || $0.resolution == name.size }
    guard let entry = entries.first else {
      throw CommandFailure(
        .noCalibration,
        "\(device) is not calibrated"
          + (name.size.map { " at \($0)" } ?? "")
          + (all.isEmpty ? "" : "; it is at \(sizes(all.map(\.resolution)))"))
    }
    guard entries.count == 1 else {
      throw UsageError(
        .invalidValue, subject: "CALIBRATION",
        message: "\(device) is calibrated at \(sizes(all.map(\.resolution))): say which, as in "
          + "\(name.device.printable)@\(entry.resolution)")
    }
    return try asFailure { () throws(StoreError) in try entry.record.get() }
  }

  /// A record of the history, or the current one where it is of that time.
  private func past(
    _ device: DeviceID, _ name: StoredName, _ time: String, _ store: IntrinsicsStore
  ) throws -> IntrinsicsRecord {
    let history = try asFailure { () throws(StoreError) in
      try store.history(of: device, resolution: name.size)
    }
    if let entry = history.first(where: { $0.time == time }) {
      return try asFailure { () throws(StoreError) in try entry.record.get() }
    }
    // The same moment in the other form is the same record.
    let moment = UTCTime(anyForm: time)
    func isMeant(_ created: String) -> Bool {
      created == time || moment != nil && UTCTime(created) == moment
    }
    let current = try asFailure { () throws(StoreError) in try store.calibrations(of: device) }
      .filter { $0.resolution == name.size ?? $0.resolution }
    let all = current.map { ("the current one", $0.record) } + history.map { ($0.time, $0.record) }
    let meant = all.compactMap { label, record in
      (try? record.get()).flatMap { isMeant($0.created) ? (label, $0) : nil }
    }
    if meant.count > 1 {
      throw UsageError(
        .invalidValue, subject: "CALIBRATION",
        message: "\(device) has several calibrations of \(time.printable): "
          + meant.map(\.0).joined(separator: ", ") + "; name a time of its history, and the size")
    }
    if let only = meant.first { return only.1 }
    let times = history.prefix(5).map(\.time).joined(separator: ", ")
    throw CommandFailure(
      .noCalibration,
      "\(device) has no calibration of \(time.printable)"
        + (times.isEmpty ? "; its history is empty" : "; its history has \(times)"))
  }

  private func sizes(_ all: [Resolution]) -> String {
    all.map(\.description).joined(separator: ", ")
  }
}

/// `DEVICE@WIDTHxHEIGHT#TIME` in its parts.
struct StoredName: Hashable {
  var device: String
  var size: Resolution?
  var time: String?

  init(device: String) { self.device = device }

  /// Nil where no size or time stands behind the device; names of devices may hold both signs.
  init?(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.lastIndex(of: "#"), hash > rest.startIndex {
      time = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
      guard time != "" else { return nil }
    }
    if let at = rest.lastIndex(of: "@"), at > rest.startIndex,
      let resolution = Resolution(String(rest[rest.index(after: at)...]))
    {
      size = resolution
      rest = rest[..<at]
    }
    guard size != nil || time != nil else { return nil }
    device = String(rest)
  }
}
