import CommandLineTool
import Testing

@Suite("Parsing of command lines")
struct ParsingTests {
  typealias Sample = SampleCommand

  @Test("Values come attached or as the next argument")
  func values() throws {
    for arguments in [
      ["--board=9x6"], ["--board", "9x6"], ["-b9x6"], ["-b", "9x6"], ["-qb", "9x6"], ["-qb9x6"],
    ] {
      guard case .run(let parsed) = try Sample.command.parse(arguments) else {
        Issue.record("no run")
        return
      }
      #expect(parsed[Sample.board] == BoardSize(columns: 9, rows: 6))
    }
  }

  @Test("Options and operands may be mixed, -- ends the options, - is an operand")
  func operands() throws {
    let parsed = try Sample.parse("a", "-b9x6", "-", "-q", "--", "--size", "-b")
    #expect(parsed.operands == ["a", "-", "--size", "-b"])
    #expect(parsed[Sample.quiet])
    #expect(parsed[Sample.size] == nil)
  }

  @Test("Defaults, optional, repeated options and flags")
  func defaults() throws {
    let bare = try Sample.parse("-b9x6")
    #expect(bare[Sample.lens] == .pinhole)
    #expect(bare[Sample.square] == nil)
    #expect(bare[Sample.skip] == [])
    #expect(!bare[Sample.quiet])
    #expect(!bare.isGiven(Sample.lens))
    let full = try Sample.parse(
      "-b9x6", "--lens", "fisheye", "--square=25mm", "--skip", "a", "--skip=b", "-q", "-q", "-j4")
    #expect(full[Sample.lens] == .fisheye)
    #expect(full[Sample.square] == 0.025)
    #expect(full[Sample.skip] == ["a", "b"])
    #expect(full[Sample.jobs] == 4)
    #expect(full[Sample.quiet])
  }

  @Test(
    "Mistakes are named with what to do",
    arguments: [
      (["--bord", "9x6"], UsageError.Code.unknownOption, "did you mean '--board'?"),
      (["--boardd=9x6"], .unknownOption, "did you mean '--board'?"),
      (["--ver"], .unknownOption, "did you mean '--verbose'?"),
      (["-squar", "25mm"], .unknownOption, "did you mean '--square'?"),
      (["--no-quiet"], .unknownOption, "unknown option '--no-quiet'"),
      (["-qx"], .unknownOption, "unknown option '-x' in '-qx'"),
      (["--board"], .missingValue, "option '--board' needs a value: COLUMNSxROWS"),
      (["--board", "--quiet"], .missingValue, "needs a value"),
      (["-b", "-q"], .missingValue, "option '-b' needs a value"),
      (["--board="], .invalidValue, "invalid value '' for '--board'"),
      (["--quiet=yes"], .unexpectedValue, "takes no value, found 'yes'"),
      (["-b9x6", "-b8x5"], .repeatedOption, "given twice, as '9x6' and as '8x5'"),
      (["-b9x6", "-q", "-v"], .conflictingOptions, "exclude each other"),
      (["a"], .missingOption, "option '--board COLUMNSxROWS' is missing"),
      (["-b9x6", ""], .invalidValue, "an argument is empty"),
      (["--lens", "fisheyes"], .invalidValue, "did you mean 'fisheye'?"),
      (["--\u{1B}[31m"], .unknownOption, "'--\\u{1b}[31m'"),
    ])
  func mistakes(arguments: [String], code: UsageError.Code, message: String) throws {
    let error = try #require(throws: UsageError.self) { try Sample.command.parse(arguments) }
    #expect(error.code == code)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test("An option given twice with the same value is no mistake")
  func repeatedAlike() throws {
    #expect(try Sample.parse("-b9x6", "--board=9x6")[Sample.board].columns == 9)
  }

  @Test("Help and version win over what comes later and over what is missing")
  func information() throws {
    guard case .show(let help) = try Sample.command.parse(["-h", "--nonsense"]) else {
      Issue.record("no help")
      return
    }
    #expect(help.hasPrefix("Usage: sample --board COLUMNSxROWS [OPTION]... [SOURCE]...\n"))
    guard case .show(let version) = try Sample.command.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
    #expect(version == "sample (camera-intrinsics) \(packageVersion)\n")
  }
}
