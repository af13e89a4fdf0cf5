internal import CV4L2
internal import Glibc

extension VideoNode {
  /// All controls of the camera, in the order of their numbers.
  ///
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`.
  package func controls() throws(V4L2Error) -> [VideoControl] {
    var controls: [VideoControl] = []
    var id: UInt32 = 0
    // 1024: a driver whose list never ends must not hang us.
    while controls.count < 1024 {
      var answer = v4l2_queryctrl()
      answer.id = id | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
      guard try enumerate(CV4L2_QUERYCTRL, &answer, during: .readControl), answer.id > id else {
        break
      }
      id = answer.id
      // A heading, not a control.
      if answer.type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue { continue }
      controls.append(VideoControl(answer))
    }
    return controls
  }

  /// One control; nil where the camera has none of that number.
  package func control(_ id: UInt32) throws(V4L2Error) -> VideoControl? {
    var answer = v4l2_queryctrl()
    answer.id = id
    guard try enumerate(CV4L2_QUERYCTRL, &answer, during: .readControl),
      answer.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
    else { return nil }
    return VideoControl(answer)
  }

  /// The control of a name, as `v4l2-ctl` prints it on this kernel or on an older or newer one
  /// (`focus_auto` is `focus_automatic_continuous`).
  ///
  /// - Throws: `V4L2Error` with the code `controlUnknown`, whose message lists what there is.
  package func control(named name: String) throws(V4L2Error) -> VideoControl {
    if let id = LensControls.id(named: name), let control = try control(id) { return control }
    let all = try controls()
    if let control = all.first(where: { $0.name == name || $0.title == name }) { return control }
    throw V4L2Error(
      code: .controlUnknown, subject: path,
      message: "the camera has no control \(name); it has "
        + (all.isEmpty ? "none" : all.map(\.name).joined(separator: ", ")))
  }

  /// A control's value.
  ///
  /// - Throws: `V4L2Error`: `controlUnknown`, `controlRefused`, `unplugged`, `hardware`.
  package func value(of id: UInt32) throws(V4L2Error) -> Int {
    var control = v4l2_control()
    control.id = id
    try performOnControl(CV4L2_G_CTRL, &control, during: .readControl)
    return Int(control.value)
  }

  /// Sets a control.
  ///
  /// - Throws: `V4L2Error`: `controlUnknown`, `controlRefused` (out of range, read-only, or ruled by an
  ///   automatic that is on), `unplugged`, `hardware`.
  package func setValue(_ value: Int, of id: UInt32) throws(V4L2Error) {
    var control = v4l2_control()
    control.id = id
    guard let number = Int32(exactly: value) else {
      throw V4L2Error(
        code: .controlRefused, subject: path,
        message: "cannot set the control \(name(of: id)) to \(value): the value is too large")
    }
    control.value = number
    try performOnControl(CV4L2_S_CTRL, &control, during: .setControl)
  }

  /// A control's value by name.
  package func value(ofControl name: String) throws(V4L2Error) -> Int {
    try value(of: control(named: name).id)
  }

  /// Sets a control by name.
  ///
  /// - Throws: As `setValue(_:of:)`; a value out of range is told with the range.
  package func setValue(_ value: Int, ofControl name: String) throws(V4L2Error) {
    let control = try control(named: name)
    guard control.range.contains(value) || control.kind == .button else {
      throw V4L2Error(
        code: .controlRefused, subject: path,
        message: "cannot set the control \(control.name) to \(value): it takes "
          + "\(control.range.lowerBound) to \(control.range.upperBound)")
    }
    try setValue(value, of: control.id)
  }

  /// The values of the controls that change the intrinsics, by the names that records use; those that
  /// the camera has and that can be read.
  ///
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`.
  package func lensControlValues() throws(V4L2Error) -> [String: Int] {
    var values: [String: Int] = [:]
    for entry in LensControls.lens {
      guard let control = try control(entry.id), !control.isWriteOnly else { continue }
      values[entry.name] = try value(of: entry.id)
    }
    return values
  }

  /// Asks the driver to tell of changes of all controls that change the intrinsics.
  ///
  /// - Returns: Whether it will: some drivers have no events.
  package func watchLensControls() throws(V4L2Error) -> Bool {
    for entry in LensControls.lens where try control(entry.id) != nil {
      do {
        try watchControl(entry.id)
      } catch {
        switch error.code {
        case .unplugged, .hardware: throw error
        default: return false
        }
      }
    }
    return true
  }

  private func name(of id: UInt32) -> String {
    LensControls.entry(id)?.name ?? "0x" + String(id, radix: 16)
  }

  private func performOnControl(
    _ request: UInt, _ control: inout v4l2_control, during step: V4L2Step
  ) throws(V4L2Error) {
    do {
      try perform(request, &control, during: step)
    } catch {
      var named = error
      named.message = "control \(name(of: control.id)): \(error.message)"
      throw named
    }
  }
}

extension VideoControl {
  init(_ answer: v4l2_queryctrl) {
    func has(_ flag: Int32) -> Bool { answer.flags & UInt32(flag) != 0 }
    id = answer.id
    title = text(answer.name)
    name = LensControls.name(fromTitle: title)
    kind =
      switch answer.type {
      case V4L2_CTRL_TYPE_INTEGER.rawValue: .integer
      case V4L2_CTRL_TYPE_BOOLEAN.rawValue: .boolean
      case V4L2_CTRL_TYPE_MENU.rawValue: .menu
      case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: .integerMenu
      case V4L2_CTRL_TYPE_BUTTON.rawValue: .button
      default: .other
      }
    range = Int(answer.minimum)...Int(max(answer.minimum, answer.maximum))
    step = Int(answer.step)
    defaultValue = Int(answer.default_value)
    isReadOnly = has(V4L2_CTRL_FLAG_READ_ONLY)
    isWriteOnly = has(V4L2_CTRL_FLAG_WRITE_ONLY)
    isInactive = has(V4L2_CTRL_FLAG_INACTIVE)
    isDisabled = has(V4L2_CTRL_FLAG_DISABLED) || has(V4L2_CTRL_FLAG_GRABBED)
  }
}
