import CalibrationStore
package import CommandLineTool

/// The file that an option names for the result: `-` is standard output.
package enum OutputArgument {
  /// The name of standard output.
  package static let standardOutput = "-"

  /// Writes bytes to the file: complete or not at all; into a pipe or device as far as it takes them.
  ///
  /// - Throws: `CommandFailure` with the status 73 or 77; `Interrupted` where someone asked to stop
  ///   while a pipe took nothing.
  package static func write(_ bytes: [UInt8], to path: String, _ terminal: Terminal) throws {
    guard path != standardOutput else { return terminal.write(bytes) }
    let isWritten = try asFailure(.notStored) { () throws(StoreError) in
      try OutputFile.write(bytes, to: path, isCancelled: { Interruption.isRequested })
    }
    if !isWritten { try Interruption.check() }
  }
}
