import BoardDetection
import Calibration
import CommandLineTool
import Frames
import Imaging

/// The folder of `--draw`: one picture a frame, with what was found drawn in.
struct DrawingFolder: Sendable {
  private let path: String
  private let terminal: Terminal

  /// Makes the folder where it is missing.
  init(_ folder: OutputFolder, _ terminal: Terminal) throws {
    path = folder.path
    self.terminal = terminal
    try folder.make()
  }

  /// Writes one picture.
  ///
  /// A picture that can't be written is a warning: the calibration goes on.
  func draw(_ frame: Frame, _ image: GrayImage, _ board: DetectedBoard?) {
    do throws(ImagingError) {
      try BoardDrawing.picture(image, board).writeJPEG(toFileAt: "\(path)/\(name(of: frame)).jpg")
    } catch {
      terminal.warn("\(error)")
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
