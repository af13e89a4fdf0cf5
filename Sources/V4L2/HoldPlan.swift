internal import CalibrationStore

/// What holding a lens still changes, and what was there before.
struct HoldPlan: Sendable {
  /// What was there, in the order in which it is to be restored: automatics after what they rule.
  private(set) var before: [ControlValue] = []
  private let exposure: CalibrationHold.Exposure

  /// Reads the camera's controls.
  init(_ node: VideoNode, exposure: CalibrationHold.Exposure) throws(V4L2Error) {
    self.exposure = exposure
    var changed = [LensControls.focus, LensControls.stabilization, LensControls.focusAutomatic]
    if exposure != .untouched {
      changed += [
        LensControls.exposureTime, LensControls.exposureLowersRate,
        LensControls.exposureAutomatic,
      ]
    }
    for entry in changed {
      guard let control = try node.control(entry.id), control.canBeHeld else { continue }
      before.append(ControlValue(id: entry.id, value: try node.value(of: entry.id)))
    }
  }

  /// Whether the camera focuses by itself now and can be kept from it.
  var focusesByItself: Bool {
    before.contains { $0.id == LensControls.focusAutomatic.id && $0.value != 0 }
  }

  /// What is held, for the record, and what could not be, for people.
  struct Held: Sendable {
    var controls: [String: IntrinsicsRecord.LensControl] = [:]
    var notes: [String] = []

    /// Adds what is held besides.
    mutating func add(_ other: Held) {
      controls.merge(other.controls) { _, new in new }
      notes += other.notes
    }

    /// Holds a control at a value, or where it is.
    fileprivate mutating func hold(
      _ entry: LensControls.Entry, at value: Int?, on node: VideoNode
    ) throws(V4L2Error) {
      guard let control = try node.control(entry.id), !control.isWriteOnly else { return }
      let wanted = if let value { value } else { try node.value(of: entry.id) }
      let reason = try HoldPlan.set(control, to: wanted, on: node)
      let found = try node.value(of: entry.id)
      let isHeld = reason == nil && found == wanted
      controls[entry.name] = .init(value: found, locked: isHeld)
      guard !isHeld else { return }
      notes.append(
        "\(entry.name) stays at \(found) and may change" + (reason.map { " (\($0))" } ?? ""))
    }
  }

  /// Switches automatics off and holds what they ruled, but for the focus.
  func holdAllButFocus(of node: VideoNode) throws(V4L2Error) -> Held {
    var held = Held()
    try held.hold(LensControls.stabilization, at: 0, on: node)
    // These do not move by themselves: it is enough to know where they are.
    for entry in [LensControls.zoom, LensControls.pan, LensControls.tilt] {
      guard let control = try node.control(entry.id), !control.isWriteOnly else { continue }
      held.controls[entry.name] = .init(value: try node.value(of: entry.id), locked: true)
    }
    if case .manual(let longest) = exposure {
      held.notes += try holdExposure(of: node, atMost: longest)
    }
    return held
  }

  /// Switches autofocus off and holds the focus where it stands.
  func holdFocus(of node: VideoNode) throws(V4L2Error) -> Held {
    var held = Held()
    try held.hold(LensControls.focusAutomatic, at: 0, on: node)
    try held.hold(LensControls.focus, at: nil, on: node)
    return held
  }

  private func holdExposure(
    of node: VideoNode, atMost longest: Int
  ) throws(V4L2Error) -> [String] {
    var notes: [String] = []
    func hold(_ entry: LensControls.Entry, _ value: (Int) -> Int) throws(V4L2Error) {
      guard let control = try node.control(entry.id), control.canBeHeld else { return }
      let wanted = value(try node.value(of: entry.id))
      let inRange = min(max(wanted, control.range.lowerBound), control.range.upperBound)
      guard let reason = try Self.set(control, to: inRange, on: node) else { return }
      notes.append("\(entry.name) cannot be held (\(reason))")
    }
    // V4L2_EXPOSURE_MANUAL.
    try hold(LensControls.exposureAutomatic) { _ in 1 }
    try hold(LensControls.exposureLowersRate) { _ in 0 }
    try hold(LensControls.exposureTime) { min($0, longest) }
    return notes
  }

  /// Sets a control; returns why the camera refused, nil where it took the value.
  fileprivate static func set(
    _ control: VideoControl, to value: Int, on node: VideoNode
  ) throws(V4L2Error) -> String? {
    do {
      try node.setValue(value, of: control.id)
      return nil
    } catch {
      switch error.code {
      case .unplugged, .hardware: throw error
      default: return error.message
      }
    }
  }
}

extension VideoControl {
  /// Whether it can be read and set, now or after its automatic has been switched off.
  fileprivate var canBeHeld: Bool { !isReadOnly && !isWriteOnly && !isDisabled }
}
