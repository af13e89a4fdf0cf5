import CommandLineTool

/// The folders that the options of a run name for pictures; both are checked before the work begins.
struct OutputFolders {
  /// Of `--draw`.
  let drawings: OutputFolder?
  /// Of `--keep-frames`.
  let frames: OutputFolder?

  /// - Throws: `CommandFailure` without permission, `UsageError` for a folder that won't do.
  init(_ arguments: ParsedArguments, _ source: SourceArgument) throws {
    drawings = try arguments[CalibrateCommand.draw].map { try OutputFolder($0, for: "--draw") }
    frames = try arguments[CalibrateCommand.keepFrames].map {
      try OutputFolder($0, for: "--keep-frames")
    }
    if source == .files { try drawings?.checkIsApart(from: arguments.operands) }
    try frames?.checkIsEmpty()
    if let drawings, let frames { try drawings.checkIsApart(from: frames) }
  }
}
