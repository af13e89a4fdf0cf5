import Glibc
import Testing

@testable import CommandLineTool

@Suite("Interruption")
struct InterruptionTests {
  @Test("The first Ctrl-C sets a flag, whichever thread gets it")
  func first() async {
    await #expect(processExitsWith: .success) {
      watchAfresh()
      guard !Interruption.isRequested else { exit(1) }
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { _ in
          raise(SIGINT)
          return nil
        }, nil)
      pthread_join(thread, nil)
      exit(Interruption.status == .interrupted ? 0 : 2)
    }
  }

  @Test("The second one ends the process at once")
  func second() async {
    await #expect(processExitsWith: .exitCode(143)) {
      watchAfresh()
      raise(SIGINT)
      raise(SIGTERM)
      exit(0)
    }
  }

  @Test("During a long calculation the first one does, afterwards it sets the flag again")
  func duringCalculation() async {
    await #expect(processExitsWith: .exitCode(130)) {
      watchAfresh()
      Interruption.endAtOnce()
      raise(SIGINT)
      exit(0)
    }
    await #expect(processExitsWith: .exitCode(143)) {
      watchAfresh()
      raise(SIGTERM)
      Interruption.endAtOnce()
      exit(0)
    }
    await #expect(processExitsWith: .success) {
      watchAfresh()
      Interruption.endAtOnce()
      Interruption.endInOrder()
      raise(SIGINT)
      exit(Interruption.isRequested ? 0 : 1)
    }
  }

  @Test("A signal that was ignored at the start stays ignored")
  func ignored() async {
    await #expect(processExitsWith: .success) {
      watchAfresh(ignoring: SIGHUP)
      raise(SIGHUP)
      exit(Interruption.isRequested ? 1 : 0)
    }
  }

  @Test("Work that asks is stopped with the status of the signal")
  func check() async {
    await #expect(processExitsWith: .exitCode(130)) {
      watchAfresh()
      raise(SIGINT)
      let terminal = Terminal(commandName: "sample")
      do {
        try Interruption.check()
      } catch {
        exit(SampleCommand.command.report(error, on: terminal).rawValue)
      }
    }
  }

  @Test("A program started later gets the default handlers")
  func children() async {
    await #expect(processExitsWith: .success) {
      watchAfresh()
      // SigIgn of /proc/self/status: bit 12 is SIGPIPE (13), bit 1 SIGINT (2).
      exit(system("grep -q '^SigIgn:.*0000000000000000' /proc/self/status"))
    }
  }
}

/// Watches as in the main thread of a command that was started by hand.
///
/// A runner in a script's background has had SIGINT ignored, and that is inherited; threads of
/// Dispatch, on which tests run, block signals.
private func watchAfresh(ignoring ignored: Int32? = nil) {
  for signal in [SIGINT, SIGTERM, SIGHUP] {
    Glibc.signal(signal, signal == ignored ? SIG_IGN : SIG_DFL)
  }
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_UNBLOCK, &all, nil)
  Interruption.watch()
}
