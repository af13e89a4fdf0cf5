internal import CV4L2
internal import Glibc
internal import Locking

extension VideoNode {
  /// Asks the driver to tell of changes of a control, whoever makes them.
  ///
  /// Changes through this node are told, too, where `ownChanges` is set.
  ///
  /// - Throws: `V4L2Error`: `controlUnknown`, `unsupportedDevice` (the driver has no events).
  package func watchControl(_ id: UInt32, ownChanges: Bool = false) throws(V4L2Error) {
    var subscription = v4l2_event_subscription()
    subscription.type = UInt32(V4L2_EVENT_CTRL)
    subscription.id = id
    subscription.flags = ownChanges ? UInt32(V4L2_EVENT_SUB_FL_ALLOW_FEEDBACK) : 0
    try perform(CV4L2_SUBSCRIBE_EVENT, &subscription, during: .subscribe)
  }

  /// Asks the driver to tell when what it takes frames of becomes another: HDMI and analog grabbers, whose
  /// source may change its mode at any time, do; a camera has no such event.
  package func watchSource() {
    var subscription = v4l2_event_subscription()
    subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    _ = calls.ioctl(descriptor, CV4L2_SUBSCRIBE_EVENT, &subscription)
  }

  /// The next change of a watched control; nil where there is none.
  ///
  /// - Throws: `V4L2Error`: `sourceChanged`, `unplugged`, `hardware`.
  package func nextControlEvent() throws(V4L2Error) -> ControlEvent? {
    while true {
      var event = v4l2_event()
      let status = calls.ioctl(descriptor, CV4L2_DQEVENT, &event)
      if status == -ENOENT || status == -EAGAIN || status == -EINVAL { return nil }
      guard status >= 0 else { throw V4L2Error(-status, during: .readEvent, of: path) }
      if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE),
        event.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
      {
        throw V4L2Error(
          code: .sourceChanged, subject: path,
          message:
            "the size or rate of the picture changed while frames were taken: what comes now is "
            + "not what was asked for. Where it comes over a cable (HDMI, analog), see that the source "
            + "keeps its mode and the cable its place, and start again")
      }
      guard event.type == UInt32(V4L2_EVENT_CTRL) else { continue }
      let change = event.u.ctrl
      let hasValue = change.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0
      return ControlEvent(id: event.id, value: hasValue ? Int(change.value) : nil)
    }
  }
}

extension VideoStream {
  /// The most events that are read at a time: a control that never rests must not keep frames away.
  private static let mostEvents = 64

  /// Reads what the driver tells of controls; whether it told anything.
  func readEvents() throws(V4L2Error) -> Bool {
    var events: [ControlEvent] = []
    while events.count < Self.mostEvents, let event = try node.nextControlEvent() {
      events.append(event)
    }
    guard !events.isEmpty else { return false }
    state.withLock { $0.events += events }
    return true
  }
}
