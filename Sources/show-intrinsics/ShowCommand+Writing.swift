import CalibrationFormats
import CalibrationStore
import CommandLineTool
import StoreCommands

extension ShowCommand {
  /// Writes a record in a format for programs.
  func write(_ record: IntrinsicsRecord, as format: OutputFormat) throws {
    switch format {
    case .json:
      try write(asFailure { () throws(StoreError) in try record.jsonText() })
    case .float3x3:
      let bytes = record.matrixBytes(origin: origin)
      try write(arguments[Self.hex] ? Array(hexadecimal(bytes).utf8) : bytes)
    case .opencv: try write(record, as: ExportFormat.opencv)
    case .ros: try write(record, as: ExportFormat.ros)
    case .kalibr: try write(record, as: ExportFormat.kalibr)
    case .colmap: try write(record, as: ExportFormat.colmap)
    case .text: break
    }
  }

  private func write(_ record: IntrinsicsRecord, as format: ExportFormat) throws {
    let text: String
    do {
      text = try format.text(for: record)
    } catch {
      throw CommandFailure(.noCalibration, "\(error)")
    }
    try write(text)
  }

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes to standard output or to the file of --output.
  func write(_ bytes: [UInt8]) throws {
    guard let path = arguments[Self.output] else { return terminal.write(bytes) }
    try OutputArgument.write(bytes, to: path, terminal)
    if path != OutputArgument.standardOutput { terminal.note("written to \(path.printable)") }
  }

  /// Four floats a line, eight digits each.
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if index > 0, index % 4 == 0 { text += index % 16 == 0 ? "\n" : " " }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text + "\n"
  }
}
