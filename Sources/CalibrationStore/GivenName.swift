/// The one rule for what people call cameras on command lines, whichever command asks.
package enum GivenName {
  /// The longest name in bytes of UTF-8.
  package static let maximumLength = 255

  /// The identity that a name gives: `name:SLUG`, found by the name.
  ///
  /// - Throws: `StoreError` with the code `invalidDevice`, about `option`.
  package static func identity(
    _ name: String, option: String
  ) throws(StoreError) -> IntrinsicsRecord.DeviceIdentity {
    if let reason = objection(to: name) { throw error(reason, name, option) }
    guard let id = DeviceID(name: name) else {
      throw error("a device name needs at least one letter or digit", name, option)
    }
    return .init(id: id, name: name, identifiedBy: "given name")
  }

  /// The id that somebody wrote out.
  ///
  /// - Throws: As `identity(_:option:)`, where it is none that anything can be filed under.
  package static func id(_ text: String, option: String) throws(StoreError) -> DeviceID {
    if text.hasPrefix("name:") {
      let name = String(text.dropFirst("name:".count))
      _ = try identity(name, option: option)
    } else if hasControl(text) {
      throw error("a device id can't hold control characters", text, option)
    }
    let id = DeviceID(rawValue: text)
    if let reason = id.invalidityReason { throw error(reason, text, option) }
    return id
  }

  private static func objection(to name: String) -> String? {
    let count = name.utf8.count
    if count > maximumLength {
      return "a device name can't have more than \(maximumLength) bytes, and this one has \(count)"
    }
    // Two names that differ in these alone would be one camera, and one calibration replace the other.
    if name.contains(where: { $0 == "/" || $0 == "\\" }) {
      return "a device name can't hold / or \\: write - or a blank, which stand for the same"
    }
    if hasControl(name) { return "a device name can't hold control characters or line breaks" }
    return nil
  }

  private static func hasControl(_ text: String) -> Bool { text.printable != text }

  private static func error(_ reason: String, _ text: String, _ option: String) -> StoreError {
    StoreError(
      code: .invalidDevice, subject: "\(option) \"\(text.clipped)\"", message: reason)
  }
}
