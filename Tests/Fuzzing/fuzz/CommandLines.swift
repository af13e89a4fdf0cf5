import CameraModel

@testable import CommandLineTool

// The option tables are the commands' own: links in Tables lead to their files, as an executable can't
// be imported here. What they extend is all that is missing.
enum ShowCommand {}
enum ImportCommand {}
enum CompareCommand {}

/// Command lines: arguments that end in a zero byte each, as the system hands them over, the first of
/// them the command's name.
func fuzzOptions(_ bytes: [UInt8]) -> Bool {
  let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
  var arguments: [String] = []
  for word in words.dropFirst() {
    // Bytes that are not UTF-8 are refused before parsing.
    guard let text = String(validating: word, as: UTF8.self) else { return false }
    arguments.append(text)
  }
  switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
  case "calibrate":
    check(CalibrateCommand.description, arguments) { parsed in
      require(parsed[CalibrateCommand.board].columns >= 3, "a board has columns")
      require(parsed[CalibrateCommand.square].map { $0 > 0 && $0 <= 100 } ?? true, "a length")
      require(parsed[CalibrateCommand.size].map { $0.width > 0 } ?? true, "a size")
      require(parsed[CalibrateCommand.every] >= 1, "every Nth frame")
      _ = parsed[CalibrateCommand.lens]
      for prior in parsed[CalibrateCommand.prior].joined() {
        require(prior.deviation > 0 && prior.value.isFinite, "a prior")
      }
      for fixed in parsed[CalibrateCommand.fix].joined() {
        require(fixed.value?.isFinite ?? true, "a finite value")
      }
    }
  case "show-intrinsics":
    check(ShowCommand.description, arguments) { parsed in
      _ = (parsed[ShowCommand.format], parsed[ShowCommand.origin])
      require(parsed.operands.count <= 1, "one device")
    }
  case "import-calibration":
    check(ImportCommand.description, arguments) { parsed in
      _ = parsed[ImportCommand.lens]
      require(parsed.operands.count == 1, "one file")
    }
  case "compare-calibrations":
    check(CompareCommand.description, arguments) { parsed in
      require(parsed.operands.count == 2, "two calibrations")
    }
  default: return false
  }
  return true
}

/// A command line is refused with a message, or what was understood of it, typed out in full, is
/// understood in the same way.
private func check(
  _ command: CommandDescription, _ arguments: [String], _ read: (ParsedArguments) -> Void
) {
  do throws(UsageError) {
    switch try command.parse(arguments) {
    case .show(let text): require(text.hasSuffix("\n"), "help ends in a line feed")
    case .run(let parsed):
      read(parsed)
      let again = try command.parse(spelledOut(parsed, of: command))
      guard case .run(let parsedAgain) = again else {
        return require(false, "\(arguments) spelled out is another request")
      }
      require(
        parsedAgain.texts == parsed.texts && parsedAgain.operands == parsed.operands,
        "\(arguments) spelled out is \(parsedAgain)")
    }
  } catch {
    requirePrintable(error.message, lines: true)
  }
}

private func spelledOut(_ parsed: ParsedArguments, of command: CommandDescription) -> [String] {
  let options = command.allOptions.flatMap { option in
    (parsed.texts[option.name] ?? []).map {
      "--" + option.name + (option.takesValue ? "=" + $0 : "")
    }
  }
  return options + ["--"] + parsed.operands
}
