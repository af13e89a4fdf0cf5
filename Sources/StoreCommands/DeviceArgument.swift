package import CalibrationStore
import CommandLineTool

/// The DEVICE of a command line: `/dev/videoN`, a device id, or the name of a stored device or of an
/// attached camera.
package enum DeviceArgument {
  /// The camera that `text` names.
  ///
  /// - Throws: `CommandFailure` for a device file that is no known camera and for a name that several devices have,
  ///   `UsageError` for a text that is neither an id nor a stored name.
  package static func identity(
    _ text: String, in store: IntrinsicsStore, roots: StoreRoots
  ) throws -> IntrinsicsRecord.DeviceIdentity {
    if text.hasPrefix("/dev/") {
      return try asFailure { () throws(StoreError) in
        try AttachedCamera(deviceFile: text).identity
      }
    }
    let known = try asFailure { () throws(StoreError) in try store.device(matching: text) }
    if let known {
      let entries = try asFailure { () throws(StoreError) in try store.calibrations(of: known) }
      for case .success(let record) in entries.map(\.record) { return record.device }
      return .init(id: known, name: known.rawValue, identifiedBy: "given device id")
    }
    if let camera = try? AttachedCamera.matching(text) { return camera.identity }
    guard ["usb:", "bus:", "name:"].contains(where: { text.hasPrefix($0) && text != $0 }) else {
      throw UsageError(
        .invalidValue, subject: "--device",
        message: "no device \"\(text.printable)\" is in the store \(roots); a device id (usb:..., "
          + "bus:..., name:...) or a stored name was expected. --device-name files under a new name"
      )
    }
    let id = try asFailure { () throws(StoreError) in try GivenName.id(text, option: "--device") }
    return .init(id: id, name: text, identifiedBy: "given device id")
  }
}
