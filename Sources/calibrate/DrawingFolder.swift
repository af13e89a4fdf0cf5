import BoardDetection
import Calibration
import CalibrationStore
import CommandLineTool
import Frames
import Glibc
import Imaging

/// The folder of `--draw`: one picture a frame, with what was found drawn in.
struct DrawingFolder: Sendable {
  private let path: String
  private let terminal: Terminal

  /// Makes the folder where it is missing.
  init(_ path: String, _ terminal: Terminal) throws {
    self.path = path
    self.terminal = terminal
    var status = stat()
    if mkdir(path, 0o777) != 0 {
      let code = errno
      guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw Self.failure(code, path)
      }
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> any Error {
    let reason: String
    switch code {
    case EACCES, EPERM:
      return CommandFailure(
        .noPermission, "--draw \(path): no permission to make this folder; choose another")
    case EEXIST: reason = "is there already and is no folder; choose another name"
    case ENOENT: reason = "the folder that it lies in does not exist; make that first"
    case ENOTDIR: reason = "what it lies in is no folder; choose another"
    default: reason = "the folder can't be made: \(String(cString: strerror(code)))"
    }
    return UsageError(
      .invalidValue, subject: "--draw", message: "--draw \(path): \(reason)".printable)
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
