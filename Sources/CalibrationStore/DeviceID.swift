/// What a calibration is filed under: a name for one physical camera that is stable across reboots.
///
/// `usb:VENDOR:PRODUCT:SERIAL` where the serial number is present and unique, `bus:…` for a position on
/// a bus, `name:SLUG` for a name that a person or a file gave. Never `/dev/videoN`.
public struct DeviceID: RawRepresentable, Sendable, Hashable {
  /// The identifier's text, as printed and typed.
  public var rawValue: String

  /// Creates an identifier from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates the identifier `name:SLUG` of a camera that is known by a name only.
  ///
  /// The slug is the name in lower case, every run of other characters than letters and digits
  /// replaced by a hyphen. Nil where nothing is left of the name.
  public init?(name: String) {
    let words = name.lowercased().split { !($0.isLetter || $0.isNumber) }
    guard !words.isEmpty else { return nil }
    self.init(rawValue: "name:" + words.joined(separator: "-"))
  }

  /// Whether the identifier rests on a name that was given, not on the camera itself.
  public var isGivenName: Bool { rawValue.hasPrefix("name:") }
}

extension DeviceID: CustomStringConvertible {
  /// The identifier's text.
  public var description: String { rawValue }
}

extension DeviceID {
  /// The longest identifier in bytes of UTF-8.
  static let maximumLength = 1024

  /// Why nothing can be filed under this identifier; nil where it can.
  var invalidityReason: String? {
    if rawValue.isEmpty { return "the device id is empty" }
    if rawValue.utf8.count > Self.maximumLength {
      return
        "the device id has \(rawValue.utf8.count) bytes, at most \(Self.maximumLength) are allowed"
    }
    // The number that the kernel gives depends on the order of plugging in.
    if rawValue.hasPrefix("/dev/video") {
      return
        "\(rawValue.clipped) names a different camera after the next replug, it is no device id"
    }
    return nil
  }
}
