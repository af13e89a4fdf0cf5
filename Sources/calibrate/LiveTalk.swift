import Calibration
import CalibrationStore
import CommandLineTool
import Locking

/// Shows how a live calibration stands: lines that are redrawn on a terminal, plain ones elsewhere.
final class LiveTalk: Sendable {
  private struct State: Sendable {
    var lastLine: String?
    var lastTime: UInt64 = 0
    var damaged: Int = 0
  }

  private let terminal: Terminal
  private let hasEnterKey: Bool
  private let clock: @Sendable () -> UInt64
  private let state = Lock(State())

  /// Elsewhere than on a terminal advice is repeated at most this often, nanoseconds.
  private static let interval: UInt64 = 5_000_000_000

  init(
    _ terminal: Terminal, hasEnterKey: Bool,
    clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
  ) {
    self.terminal = terminal
    self.hasEnterKey = hasEnterKey
    self.clock = clock
  }

  /// A frame was looked at.
  func tell(_ status: LiveStatus) {
    var isKept = false
    if case .kept = status.finding { isKept = true }
    if case .damaged(let reason) = status.finding { tellDamage(reason) }
    if terminal.showsStatus {
      terminal.showStatus(lines(status), atOnce: isKept)
      return
    }
    let now = clock()
    let line =
      isKept ? "View \(status.viewCount): \(knowledge(status)). \(status.hint)" : status.hint
    let isDue = state.withLock { state in
      guard isKept || (state.lastLine != line && now &- state.lastTime >= Self.interval) else {
        return false
      }
      state.lastLine = isKept ? status.hint : line
      state.lastTime = now
      return true
    }
    if isDue { terminal.note(line) }
  }

  /// Damaged frames are told once, then by their number at the end.
  private func tellDamage(_ reason: String) {
    let isFirst = state.withLock { state in
      state.damaged += 1
      return state.damaged == 1
    }
    if isFirst { terminal.note("\(reason); such frames are never used") }
  }

  /// How it ended.
  func tellEnd(_ result: LiveSession.Result) {
    terminal.clearStatus()
    let count = result.kept.expectedCount ?? 0
    let reason =
      switch result.ending {
      case .goal: "the goal is met"
      case .viewCount: "as many as asked for"
      case .finished: "ended by Enter"
      case .gaveUp: "no new one for too long (--give-up)"
      case .sourceEnded: "there are no more frames"
      }
    terminal.note("\(count) views were kept: \(reason).")
    let frames = result.frames
    if frames.damaged > 0 {
      terminal.note("\(frames.damaged) frames arrived damaged and were not used.")
    }
    terminal.detail(
      "Frames: \(frames.captured) captured, \(frames.considered) looked at, \(frames.skipped) let go "
        + "meanwhile, \(frames.lost) lost before; what was said was at most \(frames.largestLag) "
        + "frames behind, and the capture was away from the camera for at most "
        + "\(fixed(Double(frames.longestAbsenceNanoseconds) / 1e6, 1)) ms.")
  }

  private func knowledge(_ status: LiveStatus) -> String {
    guard let p90 = status.p90 else {
      return status.viewCount < QuickFit.fewestAlone
        ? "too few to say how well the camera is known"
        : "they do not tell focal length and centre yet"
    }
    return "90 % of the image is known to \(fixed(p90, 2)) px (goal \(fixed(status.goal, 2)) px)"
  }

  private func lines(_ status: LiveStatus) -> [String] {
    let count = "\(status.viewCount) view\(status.viewCount == 1 ? "" : "s")"
    var lines = ["\(count): \(knowledge(status))"]
    if let coverage = status.coverage { lines += picture(coverage) }
    lines.append(words(status.finding))
    lines.append(status.hint)
    lines.append(
      hasEnterKey ? "Enter ends with these views, Ctrl-C without a result." : "Ctrl-C ends.")
    return lines
  }

  /// The image in 8x6 cells as the camera sees it, and beside it the views by tilt.
  private func picture(_ coverage: IntrinsicsRecord.Coverage) -> [String] {
    (0..<coverage.rows).map { row in
      let cells = coverage.cornerCounts[row * coverage.columns..<(row + 1) * coverage.columns]
      let picture = cells.map { $0 == 0 ? " ." : $0 < 10 ? " :" : $0 < 30 ? " +" : " #" }.joined()
      guard row < coverage.tiltHistogram.count else { return "  |\(picture) |" }
      let views = coverage.tiltHistogram[row]
      let range = "\(10 * row)-\(10 * row + 10)°"
      let padding = String(repeating: " ", count: max(0, 6 - range.count))
      return "  |\(picture) |  tilt \(padding)\(range) \(String(repeating: "#", count: views))"
    }
  }

  private func words(_ finding: FrameFinding) -> String {
    switch finding {
    case .alone: "Looking."
    case .damaged: "A frame arrived damaged."
    case .searching: "Looking for the board."
    case .checking: "Still: making sure of this view."
    case .focusing: "The camera focuses."
    case .noBoard: "No board in view."
    case .moving(let pixels?): "The board moves by \(fixed(pixels, 1)) px a frame."
    case .moving(nil): "The board moves."
    case .blurred(let sigma): "Too blurred: edges are \(fixed(sigma, 1)) px wide (1σ)."
    case .alike(let number): "As in view \(number): move the board."
    case .misfit: "This view does not fit the others."
    case .kept(let number): "View \(number) kept."
    }
  }
}
