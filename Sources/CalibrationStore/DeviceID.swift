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
}

extension DeviceID: CustomStringConvertible {
  /// The identifier's text.
  public var description: String { rawValue }
}
