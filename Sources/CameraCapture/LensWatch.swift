internal import CalibrationStore
internal import V4L2

/// Whether the lens is as it was when the calibration was made.
///
/// Fed with the controls' values once, and from then on by events: no system call a frame.
struct LensWatch: Sendable {
  /// The controls that move the lens or cut the picture, autofocus before the focus it rules.
  static let controlNames = LensControls.lens.map(\.name)
  private static let autofocus = LensControls.focusAutomatic.name
  private static let focus = LensControls.focus.name
  private static let zoom = LensControls.zoom.name
  private static let stabilization = LensControls.stabilization.name

  /// The name by which a control stands in `controlNames`; older kernels have other names.
  static func canonical(_ name: String) -> String {
    LensControls.id(named: name).flatMap { LensControls.entry($0)?.name } ?? name
  }

  private let recorded: [String: Int]?
  private var current: [String: Int] = [:]
  private var defaults: [String: Int] = [:]

  /// - Parameters:
  ///   - record: The controls at the time of the calibration; nil where they are not known.
  ///   - controls: What the camera says now.
  init(
    record: [String: IntrinsicsRecord.LensControl]?, controls: [CaptureDevice.Control]
  ) {
    recorded = record.map { record in
      Dictionary(
        record.map { (Self.canonical($0.key), $0.value.value) },
        uniquingKeysWith: { first, _ in first }
      ).filter { Self.controlNames.contains($0.key) }
    }
    for control in controls {
      let name = Self.canonical(control.name)
      guard Self.controlNames.contains(name) else { continue }
      current[name] = control.value
      defaults[name] = control.defaultValue
    }
  }

  /// Whether the record says how the lens stood.
  var isKnown: Bool { recorded != nil }

  /// Takes a control's new value; false where it changes nothing.
  mutating func update(_ name: String, to value: Int) -> Bool {
    let name = Self.canonical(name)
    guard Self.controlNames.contains(name), current[name] != value else { return false }
    current[name] = value
    return true
  }

  /// Why no calibration can hold with these settings; nil where none of them stands against it.
  var obstacle: String? {
    if let value = current[Self.stabilization], value != 0 {
      return "image stabilisation is on, which moves the picture against the sensor: set "
        + "\(Self.stabilization) to 0"
    }
    // Where the record knows the zoom, it is compared; where it does not, anything but the zoom that
    // the driver begins with is taken as one that nobody calibrated.
    if let zoom = current[Self.zoom], let unmoved = defaults[Self.zoom],
      recorded?[Self.zoom] == nil, zoom != unmoved
    {
      return "the camera zooms (\(Self.zoom) is \(zoom)) and the calibration does not say at which "
        + "zoom it was made: set \(Self.zoom) to \(unmoved)"
    }
    return nil
  }

  /// How the lens differs from the calibration; nil where it does not, or where the record does not
  /// know how it stood.
  var movement: String? {
    guard let recorded else { return nil }
    if let value = current[Self.autofocus], value != 0 {
      let focus = recorded[Self.focus].map { " and \(Self.focus) to \($0)" } ?? ""
      return "autofocus is on, so the focus is not that of the calibration: set "
        + "\(Self.autofocus) to 0\(focus)"
    }
    for name in Self.controlNames {
      guard name != Self.autofocus, let wanted = recorded[name] else { continue }
      guard let found = current[name] else {
        return "the calibration was made at \(name) \(wanted), and the camera has no such control "
          + "now: calibrate again"
      }
      if found != wanted {
        return "\(name) is \(found) and was \(wanted) when the camera was calibrated: set it back, "
          + "or calibrate again"
      }
    }
    return nil
  }
}
