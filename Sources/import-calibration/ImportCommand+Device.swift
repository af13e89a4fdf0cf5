import CalibrationFormats
import CalibrationStore
import CommandLineTool
import StoreCommands

extension ImportCommand {
  /// Whose camera `--device` or `--device-name` says it is; nil without them.
  func givenIdentity() throws -> IntrinsicsRecord.DeviceIdentity? {
    if let text = arguments[Self.device] {
      return try DeviceArgument.identity(text, in: store, roots: roots)
    }
    return try arguments[Self.deviceName].map { name in
      try asFailure { () throws(StoreError) in
        try GivenName.identity(name, option: "--device-name")
      }
    }
  }

  /// Whose camera it is where the command line does not say: the record's own, the name in the file, or
  /// the file's name, in this order; says which.
  func identity(of camera: ImportedCamera) throws -> IntrinsicsRecord.DeviceIdentity {
    if let record = camera.record {
      terminal.note("device: \(record.device.id), as the record says".printable)
      return record.device
    }
    let identity: IntrinsicsRecord.DeviceIdentity
    if let name = camera.name, name.utf8.count <= GivenName.maximumLength,
      DeviceID(name: name) != nil
    {
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
    // What a file says is put right where a person would be asked.
    guard let id = DeviceID(name: name) else {
      throw UsageError(
        .invalidValue, subject: "--device-name",
        message:
          "the name \"\(name.clipped)\" has no letters or digits; give one with --device-name")
    }
    return .init(id: id, name: name, identifiedBy: reason)
  }
}
