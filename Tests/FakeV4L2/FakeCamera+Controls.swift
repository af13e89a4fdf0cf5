internal import CV4L2
internal import Glibc

extension FakeCamera.State {
  private func index(of id: UInt32) -> Int? { description.controls.firstIndex { $0.id == id } }

  private func flags(of control: FakeDescription.Control) -> UInt32 {
    guard let ruler = control.ruler, let index = index(of: ruler.id),
      !ruler.activeValues.contains(description.controls[index].value)
    else { return control.flags }
    return control.flags | UInt32(V4L2_CTRL_FLAG_INACTIVE)
  }

  func query(_ answer: inout v4l2_queryctrl) -> Int32 {
    let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    let wanted = answer.id & 0x0FFF_FFFF
    let control =
      answer.id & next != 0
      ? description.controls.filter { $0.id > wanted }.min { $0.id < $1.id }
      : description.controls.first { $0.id == wanted }
    guard let control else { return EINVAL }
    answer.id = control.id
    answer.type = control.type
    write(control.title, to: &answer.name)
    answer.minimum = control.range.lowerBound
    answer.maximum = control.range.upperBound
    answer.step = control.step
    answer.default_value = control.defaultValue
    answer.flags = flags(of: control)
    return 0
  }

  func get(_ answer: inout v4l2_control) -> Int32 {
    guard let index = index(of: answer.id) else { return EINVAL }
    guard description.controls[index].flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) == 0 else {
      return EACCES
    }
    answer.value = description.controls[index].value
    return 0
  }

  /// As uvcvideo does: EACCES while an automatic rules the control.
  mutating func set(_ wish: inout v4l2_control) -> Int32 {
    guard let index = index(of: wish.id) else { return EINVAL }
    let control = description.controls[index]
    let barring = UInt32(V4L2_CTRL_FLAG_READ_ONLY) | UInt32(V4L2_CTRL_FLAG_INACTIVE)
    guard flags(of: control) & barring == 0 else { return EACCES }
    guard control.range.contains(wish.value) else { return ERANGE }
    set(wish.id, to: wish.value, tellsWriter: watchedByWriter.contains(wish.id))
    return 0
  }

  /// Sets a value and tells those who watch it; the writer only if it asked for that, as the kernel
  /// does.
  mutating func set(_ id: UInt32, to value: Int32, tellsWriter: Bool) {
    guard let index = index(of: id) else { return }
    description.controls[index].value = value
    guard tellsWriter, watched.contains(id) else { return }
    var event = v4l2_event()
    event.type = UInt32(V4L2_EVENT_CTRL)
    event.id = id
    event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
    event.u.ctrl.value = value
    events.append(event)
  }

  /// Tells that the source's mode is another one.
  mutating func changeSource() {
    guard watchesSource else { return }
    var event = v4l2_event()
    event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    event.u.src_change.changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
    events.append(event)
  }

  mutating func subscribe(_ subscription: v4l2_event_subscription) -> Int32 {
    if subscription.type == UInt32(V4L2_EVENT_SOURCE_CHANGE), description.tellsOfSource {
      watchesSource = true
      return 0
    }
    guard subscription.type == UInt32(V4L2_EVENT_CTRL), index(of: subscription.id) != nil else {
      return EINVAL
    }
    watched.insert(subscription.id)
    if subscription.flags & UInt32(V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK) != 0 {
      watchedByWriter.insert(subscription.id)
    }
    return 0
  }
}
