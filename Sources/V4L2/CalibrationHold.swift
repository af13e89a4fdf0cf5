package import CalibrationStore
internal import Locking

/// Holds a camera's lens still for a calibration, and sets it back afterwards.
///
/// Autofocus is switched off and the focus held where it is, at once or, so that it may settle on the
/// board before, by `holdFocus`. Stabilisation is switched off, zoom and pan are noted. What was changed
/// is restored by `release`, by the end of the last reference, and by a guardian process where this one
/// is killed.
package final class CalibrationHold: Sendable {
  /// What is done with the exposure.
  package enum Exposure: Sendable, Hashable {
    /// It stays as it is.
    case untouched
    /// It is held, at most this long (100 µs units): a short one keeps a moving board sharp.
    case manual(atMost: Int)
  }

  private struct State: Sendable {
    var held: HoldPlan.Held
    var isSettling: Bool
    var isReleased = false
  }

  /// The lens controls as they are held, for the record; empty where the camera has none.
  package var lensControls: [String: IntrinsicsRecord.LensControl] {
    state.withLock { $0.held.controls }
  }
  /// What could not be held, for people.
  package var notes: [String] { state.withLock { $0.held.notes } }
  /// Whether autofocus still runs, until `holdFocus`.
  package var isFocusSettling: Bool { state.withLock { $0.isSettling && !$0.isReleased } }
  /// What was there before, in the order in which it is restored.
  package let before: [ControlValue]

  private let node: VideoNode
  private let guardian: ControlGuardian?
  private let plan: HoldPlan
  private let state: Lock<State>

  /// Holds the lens.
  ///
  /// - Parameter letsFocusSettle: Whether an autofocus that is on stays on until `holdFocus`.
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`, `outOfResources`. A control that the camera
  ///   refuses to hold is no error: it is in `lensControls` as not locked, and in `notes`.
  package init(
    _ node: VideoNode, exposure: Exposure = .untouched, letsFocusSettle: Bool = false
  ) throws(V4L2Error) {
    let plan = try HoldPlan(node, exposure: exposure)
    // Played drivers live in this process: no other can restore them.
    let guardian =
      plan.before.isEmpty || !node.calls.isSystem
      ? nil : try ControlGuardian(restoring: plan.before, of: node)
    self.node = node
    self.guardian = guardian
    self.plan = plan
    before = plan.before
    do {
      let isSettling = letsFocusSettle && plan.focusesByItself
      var held = try plan.holdAllButFocus(of: node)
      if !isSettling { held.add(try plan.holdFocus(of: node)) }
      state = Lock(State(held: held, isSettling: isSettling))
    } catch {
      // Not all is initialised, so deinit does not run: the guardian's own does.
      if guardian == nil { Self.restore(plan.before, node) }
      throw error
    }
  }

  deinit { release() }

  /// Switches an autofocus off that was let run, and holds the focus where it stands now; else does
  /// nothing.
  ///
  /// - Returns: What could not be held, for people.
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`.
  package func holdFocus() throws(V4L2Error) -> [String] {
    guard isFocusSettling else { return [] }
    let focus = try plan.holdFocus(of: node)
    state.withLock { state in
      state.held.add(focus)
      state.isSettling = false
    }
    return focus.notes
  }

  /// What a control says now; nil where it can't be read.
  package func currentValue(of id: UInt32) -> Int? { try? node.value(of: id) }

  /// Restores what was changed; a second time does nothing.
  ///
  /// - Returns: What could not be restored, for people.
  @discardableResult
  package func release() -> [String] {
    let wasReleased = state.withLock { state in
      defer { state.isReleased = true }
      return state.isReleased
    }
    guard !wasReleased else { return [] }
    let failures =
      guardian?.restore().compactMap(\.failure) ?? Self.restore(before, node)
    return failures.map { "\($0)" }
  }

  @discardableResult
  private static func restore(_ settings: [ControlValue], _ node: VideoNode) -> [V4L2Error] {
    var failures: [V4L2Error] = []
    for setting in settings {
      do throws(V4L2Error) {
        try node.setValue(setting.value, of: setting.id)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}
