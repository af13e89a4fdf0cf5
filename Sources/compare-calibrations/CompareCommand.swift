import CalibrationComparison
import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

/// One run of `compare-calibrations`.
struct CompareCommand {
  let arguments: ParsedArguments
  let terminal: Terminal

  init(_ arguments: ParsedArguments, _ terminal: Terminal) {
    self.arguments = arguments
    self.terminal = terminal
    if arguments[Self.quiet] { terminal.verbosity = .quiet }
  }

  func run() throws -> ExitStatus {
    let reader = CalibrationArgument(store: arguments[Self.store])
    let a = try reader.record(arguments.operands[0])
    var b = try reader.record(arguments.operands[1])
    var notices: [String] = []
    let size = a.camera.resolution
    var judged: (IntrinsicsRecord, IntrinsicsRecord)?
    if arguments[Self.scale], size != b.camera.resolution {
      notices.append(
        "B was measured at \(b.camera.resolution) and is taken as resized to \(size)")
      // The verdict must not depend on which is called A: it is given at the smaller size.
      if b.camera.resolution.isSmaller(than: size) {
        judged = (a.scaled(to: b.camera.resolution), b)
      }
      b = b.scaled(to: size)
    }
    var comparison: Comparison
    do throws(ComparisonError) {
      comparison = try Comparison(a, b)
      if let (a, b) = judged { comparison.takeVerdict(of: try Comparison(a, b)) }
    } catch {
      let status: ExitStatus =
        switch error.code {
        case .otherSize: .usage
        case .nothingInCommon: .badData
        }
      throw CommandFailure(status, "\(error)")
    }
    comparison.notices = notices + comparison.notices
    let names = arguments.operands.map(\.printable)
    if arguments[Self.json] {
      for notice in comparison.notices { terminal.note(notice) }
      terminal.print(ComparisonJSON(a, b, names: names, comparison).text)
    } else if !arguments[Self.quiet] {
      terminal.print(ComparisonReport(a, b, names: names, comparison).text)
    }
    return comparison.differs ? .differs : .success
  }
}

extension Resolution {
  /// Whether it has fewer pixels than another one, or as many and is narrower.
  fileprivate func isSmaller(than other: Resolution) -> Bool {
    (Double(width) * Double(height), width) < (
      Double(other.width) * Double(other.height), other.width
    )
  }
}
