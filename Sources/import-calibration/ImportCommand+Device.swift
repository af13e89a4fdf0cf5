import CalibrationFormats
import CalibrationStore
import CommandLineTool

extension ImportCommand {
  /// Whose camera it is: `--device`, `--device-name`, the record's own, the name in the file, or the
  /// file's name, in this order; says which.
  func identity(of camera: ImportedCamera) throws -> IntrinsicsRecord.DeviceIdentity {
    if let text = arguments[Self.device] { return try identity(ofDevice: text) }
    if let name = arguments[Self.deviceName] {
      return try identity(named: name, by: "given name")
    }
    if let record = camera.record {
      terminal.note("device: \(record.device.id), as the record says".printable)
      return record.device
    }
    let identity: IntrinsicsRecord.DeviceIdentity
    if let name = camera.name, DeviceID(name: name) != nil {
      let several = camera.id.isEmpty || camera.id == name ? "" : " \(camera.id)"
      identity = try self.identity(named: name + several, by: "name in the file")
    } else {
      let stem = fileName.split(separator: ".", omittingEmptySubsequences: true).first
      let name = (stem.map(String.init) ?? fileName) + (camera.id.isEmpty ? "" : " \(camera.id)")
      identity = try self.identity(named: name, by: "file name")
    }
    terminal.note(
      "device: \(identity.id), from the \(identity.identifiedBy); --device-name gives another, "
        .printable
        + "show-intrinsics \(identity.id) --attach DEVICE files it under a camera"
        .printable)
    return identity
  }

  private func identity(named name: String, by reason: String) throws
    -> IntrinsicsRecord.DeviceIdentity
  {
    guard let id = DeviceID(name: name) else {
      throw UsageError(
        .invalidValue, subject: "--device-name",
        message:
          "the name \"\(name.clipped)\" has no letters or digits; give one with --device-name")
    }
    return .init(id: id, name: name, identifiedBy: reason)
  }

  private func identity(ofDevice text: String) throws -> IntrinsicsRecord.DeviceIdentity {
    guard !text.hasPrefix("/dev/") else {
      throw CommandFailure(
        .cameraUnavailable,
        "\(text.clipped): this version can't ask an attached camera who it is; give its device id "
          + "(usb:VENDOR:PRODUCT:SERIAL), the name of a stored device, or --device-name")
    }
    let known = try asFailure { () throws(StoreError) in try store.device(matching: text) }
    if let known {
      let entries = try asFailure { () throws(StoreError) in try store.calibrations(of: known) }
      for case .success(let record) in entries.map(\.record) { return record.device }
      return .init(id: known, name: known.rawValue, identifiedBy: "given device id")
    }
    guard let kind = text.split(separator: ":").first, text.contains(":"),
      ["usb", "bus", "name"].contains(kind)
    else {
      throw UsageError(
        .invalidValue, subject: "--device",
        message: "no device \"\(text.clipped)\" is in the store \(roots); expected a device id "
          + "(usb:…, bus:…, name:…) or a stored name; --device-name files it under a new name")
    }
    return .init(
      id: DeviceID(rawValue: text), name: text, identifiedBy: "given device id")
  }
}
