import BoardDetection
import Calibration
import CalibrationStore
import CommandLineTool

/// Says what became of each frame, as it happens.
struct FrameTalk: Sendable {
  let terminal: Terminal

  /// One frame is through.
  func tell(_ event: DetectionEvent) {
    terminal.advanceProgress(event.source)
    switch event.outcome {
    case .found(let board):
      terminal.detail(
        "\(event.source): found (blur \(fixed(board.blurSigma, 1)) px, \(board.finder))")
    case .notFound(let reason):
      terminal.note("\(event.source): not found: \(reason)")
    case .unreadable(let reason):
      terminal.warn("\(event.source): \(reason)")
    }
  }
}
