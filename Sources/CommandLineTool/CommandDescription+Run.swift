internal import Glibc

extension CommandDescription {
  /// Parses the process's command line, does the work and ends the process.
  ///
  /// Help and the like go to standard output with status 0, usage errors to standard error with status
  /// 64 and a pointer to `--help`. Thrown `UsageError`, `CommandFailure` and `Interrupted` end with
  /// their own message and status, any other error with its description and status 1. Signals are
  /// watched before the work starts.
  package func run(_ work: (ParsedArguments, Terminal) throws -> ExitStatus) -> Never {
    Output.keepStandardDescriptors()
    Interruption.watch()
    let terminal = Terminal(commandName: name)
    let status: ExitStatus
    do {
      status = try perform(Self.processArguments(), on: terminal, work)
    } catch {
      status = report(error, on: terminal)
    }
    let last = closing(terminal, after: status)
    terminal.sayLastLine()
    exit(last.rawValue)
  }

  /// `run` without the process: for tests.
  func perform(
    _ arguments: [String], on terminal: Terminal,
    _ work: (ParsedArguments, Terminal) throws -> ExitStatus
  ) throws -> ExitStatus {
    switch try parse(arguments) {
    case .show(let text):
      terminal.write(Array(text.utf8))
      return .success
    case .run(let parsed):
      return try work(parsed, terminal)
    }
  }

  /// Says what went wrong and gives the status for it.
  func report(_ error: any Error, on terminal: Terminal) -> ExitStatus {
    terminal.finishProgress()
    switch error {
    case let error as UsageError:
      terminal.complain("\(error.message)\nTry '\(name) --help' for more information.")
      return .usage
    case let error as CommandFailure:
      terminal.complain(error.message)
      return error.status
    case let error as Interrupted:
      terminal.complain("\(error)")
      return error.status
    default:
      terminal.complain("\(error)")
      return .noCalibration
    }
  }

  /// The status after standard output has had its say: what could not be written is a failure, unless
  /// the work has failed already.
  func closing(_ terminal: Terminal, after status: ExitStatus) -> ExitStatus {
    terminal.finishProgress()
    guard let error = terminal.outputError else { return status }
    if error.isBrokenPipe { return status == .success ? .brokenPipe : status }
    if error.isInterrupted, let ending = Interruption.status {
      terminal.complain("\(Interrupted(status: ending))")
      return status == .success ? ending : status
    }
    terminal.complain("cannot write to standard output: \(error)")
    return status == .success ? .outputFailed : status
  }

  /// The command line without the program's name, as it was given.
  ///
  /// - Throws: `UsageError` where an argument is not UTF-8: repaired, it would name another file.
  static func processArguments() throws(UsageError) -> [String] {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let text = String(validatingCString: pointer) else {
        throw UsageError(
          .notText, subject: "\(index)",
          message: "argument \(index) is not UTF-8 text: \(quoted(String(cString: pointer)))")
      }
      arguments.append(text)
    }
    return arguments
  }
}
