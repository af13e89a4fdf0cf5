import BoardDetection
import Calibration
import CalibrationStore
import CommandLineTool
import Frames
import Imaging
import Locking

/// The folder of `--draw`: one picture a frame, with what was found drawn in.
struct DrawingFolder: Sendable {
  private let path: String
  private let state = Lock(State())

  private struct State {
    var count = 0
    var lost = 0
    /// Why the first of them could not be written.
    var reason = ""
  }

  /// Makes the folder where it is missing.
  init(_ folder: OutputFolder) throws {
    path = folder.path
    try folder.make()
  }

  /// Writes one picture.
  ///
  /// One that can't be written does not end the calibration: `loss` tells of all of them in the end.
  func draw(_ frame: Frame, _ image: GrayImage, _ board: DetectedBoard?) {
    var reason: String?
    do throws(ImagingError) {
      try BoardDrawing.picture(image, board).writeJPEG(toFileAt: "\(path)/\(name(of: frame)).jpg")
    } catch {
      reason = "\(error)"
    }
    state.withLock { state in
      state.count += 1
      guard let reason else { return }
      if state.lost == 0 { state.reason = reason }
      state.lost += 1
    }
  }

  /// How many pictures could not be written, and why; nil if all were.
  var loss: String? {
    state.withLock { state in
      guard state.lost > 0 else { return nil }
      return "--draw \(path): \(state.lost) of \(state.count) pictures could not be written: "
        .printable + state.reason
    }
  }

  /// The frame's number, which keeps equal names from different folders apart, and its file name.
  private func name(of frame: Frame) -> String {
    let base = frame.name.split(separator: "/").last.map(String.init) ?? frame.name
    let stem = base.lastIndex(of: ".").map { String(base[..<$0]) } ?? base
    let number = String(frame.index + 1)
    let zeros = String(repeating: "0", count: max(0, 4 - number.count))
    return "\(zeros)\(number)-\(stem.isEmpty ? base : stem)"
  }
}
