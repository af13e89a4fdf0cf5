/// A control of a camera, as its driver describes it.
package struct VideoControl: Sendable, Hashable {
  /// What kind of value it has.
  package enum Kind: String, Sendable, Hashable {
    case integer, boolean, menu, integerMenu, button, other
  }

  /// The kernel's number (`V4L2_CID_…`).
  package var id: UInt32
  /// The driver's name, for example `Focus, Automatic Continuous`.
  package var title: String
  /// The name as `v4l2-ctl` writes it, for example `focus_automatic_continuous`.
  package var name: String
  /// What kind of value it has.
  package var kind: Kind
  /// The range of values.
  package var range: ClosedRange<Int>
  /// The distance of two values.
  package var step: Int
  /// The value after plugging in.
  package var defaultValue: Int
  /// Whether it cannot be set.
  package var isReadOnly: Bool
  /// Whether it cannot be read.
  package var isWriteOnly: Bool
  /// Whether it does nothing now, because another control (an automatic) rules it.
  package var isInactive: Bool
  /// Whether it does nothing at all in this camera, or is held by another program.
  package var isDisabled: Bool
}

/// A control and a value of it.
package struct ControlValue: Sendable, Hashable {
  /// The kernel's number.
  package var id: UInt32
  /// The value, in the driver's unit.
  package var value: Int

  /// Creates a control's value.
  package init(id: UInt32, value: Int) {
    self.id = id
    self.value = value
  }
}

/// A change of a control, by whomever.
package struct ControlEvent: Sendable, Hashable {
  /// The kernel's number of the control.
  package var id: UInt32
  /// Its value now; nil where something other than the value changed (its range, whether it is
  /// active).
  package var value: Int?
}
