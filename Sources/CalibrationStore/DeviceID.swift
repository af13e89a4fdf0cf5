/// What a calibration is filed under: a name for one physical camera that is stable across reboots.
///
/// `usb:VENDOR:PRODUCT:SERIAL` where the serial number is present and unique, `bus:…` for a position on
/// a bus, `name:SLUG` for a name that a person or a file gave, as is the label of a loopback device.
/// Never `/dev/videoN`.
public struct DeviceID: RawRepresentable, Sendable, Hashable {
  /// The identifier's text, as printed and typed.
  public var rawValue: String

  /// Creates an identifier from its text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates the identifier `name:SLUG` of a camera that is known by a name only.
  ///
  /// The slug is the name in lower case. Letters and digits of any script stay, and `.` and `_`
  /// between them; every run of anything else becomes one `-`; none stand at the ends. Nil where the
  /// name has no letter or digit.
  public init?(name: String) {
    var slug = ""
    var isPending = false
    for character in name.lowercased() {
      if character.isLetter || character.isNumber {
        if isPending { slug += "-" }
        isPending = false
        slug.append(character)
      } else if character == "." || character == "_", !slug.isEmpty, !isPending {
        slug.append(character)
      } else {
        isPending = !slug.isEmpty
      }
    }
    while let last = slug.last, last == "." || last == "_" { slug.removeLast() }
    guard !slug.isEmpty else { return nil }
    self.init(rawValue: "name:" + slug)
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
