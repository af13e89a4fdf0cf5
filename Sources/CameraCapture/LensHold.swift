internal import CalibrationStore
internal import Locking
internal import V4L2

/// A lens that is held still while a camera is measured, and watched in case it moves all the same.
final class LensHold: Sendable {
  private struct State: Sendable {
    var controls: [String: IntrinsicsRecord.LensControl]
    var notices: [String]
  }

  private let hold: CalibrationHold
  private let state: Lock<State>

  /// The longest exposure that is held, in 100 µs: a thirtieth of a second, so that frames keep coming
  /// at 30 a second.
  private static let longestExposure = 333

  /// Holds the lens where it is, and asks the driver to tell of changes.
  ///
  /// - Parameter letsFocusSettle: Whether an autofocus that is on stays on until `holdFocus`.
  /// - Throws: `V4L2Error`: unplugged, hardware, out of resources.
  init(_ node: VideoNode, locksExposure: Bool, letsFocusSettle: Bool) throws(V4L2Error) {
    let hold = try CalibrationHold(
      node, exposure: locksExposure ? .manual(atMost: Self.longestExposure) : .untouched,
      letsFocusSettle: letsFocusSettle)
    self.hold = hold
    var notices = hold.notes
    let automatic = hold.before.first { $0.id == LensControls.focusAutomatic.id }
    if hold.isFocusSettling {
      notices.append(
        "the camera focuses by itself: hold the board still before it at first; the focus is held "
          + "from when it has settled, and views count from then")
    } else if let automatic, automatic.value != 0,
      let focus = hold.lensControls[LensControls.focus.name]
    {
      notices.append("autofocus is off meanwhile: the focus stays at \(focus.value)")
    }
    state = Lock(State(controls: hold.lensControls, notices: notices))
    // Without events a change by another program goes unseen, as it does in every other tool.
    _ = try node.watchLensControls()
  }

  /// Whether the focus is still to be held.
  var isFocusSettling: Bool { hold.isFocusSettling }

  /// Holds the focus where it stands now; returns what is new to the user.
  func holdFocus() throws(V4L2Error) -> [String] {
    guard hold.isFocusSettling else { return [] }
    var news = try hold.holdFocus()
    let controls = hold.lensControls
    if news.isEmpty {
      let place = controls[LensControls.focus.name].map { " at \($0.value)" } ?? ""
      news = ["the focus is held\(place) from here on: views count now"]
    }
    state.withLock { $0.controls.merge(controls) { known, new in known.locked ? new : known } }
    return news
  }

  /// The controls that change the lens or its picture, and whether they were held all the time.
  var controls: [String: IntrinsicsRecord.LensControl] { state.withLock { $0.controls } }

  /// What could not be held, and what moved.
  var notices: [String] { state.withLock { $0.notices } }

  /// Takes what the driver tells of controls; returns what is new to the user.
  @discardableResult
  func take(_ events: [ControlEvent]) -> [String] {
    state.withLock { state in
      var news: [String] = []
      for event in events {
        guard let value = event.value, let name = LensControls.entry(event.id)?.name,
          let known = state.controls[name], known.value != value,
          // Autofocus may have told of where it was before it was switched off.
          hold.currentValue(of: event.id) ?? value != known.value
        else { continue }
        news.append(
          "\(name) changed from \(known.value) to \(value) while the camera was measured: another "
            + "program moves the lens, and the views do not belong together")
        state.controls[name] = .init(value: value, locked: false)
      }
      state.notices += news
      return news
    }
  }

  /// Puts everything back; returns what could not be.
  @discardableResult
  func restore() -> [String] { hold.release() }
}
