package import CalibrationStore
internal import Locking

/// Holds a camera's lens still for a calibration, and sets it back afterwards.
///
/// Autofocus is switched off and the focus held where it is, stabilisation is switched off, zoom and
/// pan are noted. What was changed is restored by `release`, by the end of the last reference, and by a
/// guardian process where this one is killed.
package final class CalibrationHold: Sendable {
  /// What is done with the exposure.
  package enum Exposure: Sendable, Hashable {
    /// It stays as it is.
    case untouched
    /// It is held, at most this long (100 µs units): a short one keeps a moving board sharp.
    case manual(atMost: Int)
  }

  /// The lens controls as they are held, for the record; empty where the camera has none.
  package let lensControls: [String: IntrinsicsRecord.LensControl]
  /// What could not be held, for people.
  package let notes: [String]
  /// What was there before, in the order in which it is restored.
  package let before: [ControlValue]

  private let node: VideoNode
  private let guardian: ControlGuardian?
  private let isReleased = Lock(false)

  /// Holds the lens.
  ///
  /// - Throws: `V4L2Error`: `unplugged`, `hardware`, `outOfResources`. A control that the camera
  ///   refuses to hold is no error: it is in `lensControls` as not locked, and in `notes`.
  package init(_ node: VideoNode, exposure: Exposure = .untouched) throws(V4L2Error) {
    let plan = try HoldPlan(node, exposure: exposure)
    // Played drivers live in this process: no other can restore them.
    let guardian =
      plan.before.isEmpty || !node.calls.isSystem
      ? nil : try ControlGuardian(restoring: plan.before, of: node)
    self.node = node
    self.guardian = guardian
    before = plan.before
    do {
      (lensControls, notes) = try plan.apply(to: node)
    } catch {
      // Not all is initialised, so deinit does not run: the guardian's own does.
      if guardian == nil { Self.restore(plan.before, node) }
      throw error
    }
  }

  deinit { release() }

  /// Restores what was changed; a second time does nothing.
  ///
  /// - Returns: What could not be restored, for people.
  @discardableResult
  package func release() -> [String] {
    let wasReleased = isReleased.withLock { isReleased in
      defer { isReleased = true }
      return isReleased
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
