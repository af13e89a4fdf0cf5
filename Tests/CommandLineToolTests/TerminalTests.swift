import Glibc
import Locking
import Testing

@testable import CommandLineTool

@Suite("Terminal")
struct TerminalTests {
  @Test("Data goes to one output and talk to the other, by verbosity")
  func channels() {
    let (data, talk) = (TestPipe(), TestPipe())
    let terminal = Terminal(
      commandName: "sample", data: Output(descriptor: data.writeEnd),
      talk: Output(descriptor: talk.writeEnd))
    terminal.print("data")
    terminal.note("note")
    terminal.detail("detail")
    terminal.verbosity = .verbose
    terminal.detail("more")
    terminal.verbosity = .quiet
    terminal.note("unheard")
    terminal.warn("careful")
    terminal.complain("no")
    #expect(readAvailable(data.readEnd) == "data\n")
    #expect(readAvailable(talk.readEnd) == "note\nmore\nsample: warning: careful\nsample: no\n")
  }

  @Test("A full disk behind standard output is told, with a status of its own")
  func fullDisk() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let talk = TestPipe()
    let terminal = Terminal(
      commandName: "sample", data: Output(descriptor: full),
      talk: Output(descriptor: talk.writeEnd))
    terminal.print("data")
    terminal.print("more")
    #expect(terminal.outputError?.errno == ENOSPC)
    #expect(SampleCommand.command.closing(terminal, after: .success) == .outputFailed)
    #expect(SampleCommand.command.closing(terminal, after: .poor) == .poor)
    #expect(
      readAvailable(talk.readEnd).hasPrefix(
        "sample: cannot write to standard output: No space left on device\n"))
  }

  @Test("A reader that went away is no reason to complain")
  func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(141)) {
      Interruption.watch()
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      close(ends[0])
      let talk = TestPipe()
      let terminal = Terminal(
        commandName: "sample", data: Output(descriptor: ends[1]),
        talk: Output(descriptor: talk.writeEnd))
      terminal.print("data")
      let status = SampleCommand.command.closing(terminal, after: .success)
      exit(readAvailable(talk.readEnd).isEmpty ? status.rawValue : 99)
    }
  }

  @Test("A slow reader gets everything, even through a descriptor that does not block")
  func partialWrites() throws {
    let pipe = TestPipe()
    #expect(fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let received = Lock([UInt8]())
    // Not a task: where all of the tasks' threads wait, this test among them, nobody would read.
    let reader = try PlainThread {
      var buffer = [UInt8](repeating: 0, count: 7919)
      while received.withLock({ $0.count }) < 300_000 {
        let count = read(pipe.readEnd, &buffer, buffer.count)
        guard count > 0 else { break }
        received.withLock { $0 += buffer[..<count] }
      }
    }
    try Output(descriptor: pipe.writeEnd).write(bytes)
    reader.join()
    #expect(received.withLock { $0 } == bytes)
  }

  @Test(
    "The progress bar is redrawn, stays within the width and leaves nothing behind",
    .enabled(if: PseudoTerminal.isAvailable, "needs pseudo-terminals (/dev/pts)"))
  func bar() throws {
    let pseudo = try #require(PseudoTerminal(columns: 40))
    let clock = TestClock()
    let talk = Output(descriptor: pseudo.terminal)
    #expect(talk.columns == 40)
    let terminal = Terminal(
      commandName: "sample", data: Output(descriptor: TestPipe().writeEnd), talk: talk,
      isInteractive: true, clock: { clock.now })
    terminal.startProgress("Searching", total: 4)
    terminal.advanceProgress("left01.jpg")
    let early = readAvailable(pseudo.controller)
    #expect(screen(after: early) == ["Searching [...........] 0/4"])
    clock.advance(milliseconds: 100)
    terminal.advanceProgress("left02.jpg")
    terminal.note("left02.jpg: not found")
    let later = readAvailable(pseudo.controller)
    let shown = screen(after: early + later)
    #expect(
      shown == ["left02.jpg: not found", "Searching [#####......] 2/4 left02.jpg"])
    terminal.finishProgress()
    terminal.note("done")
    let rest = readAvailable(pseudo.controller)
    #expect(screen(after: early + later + rest) == ["left02.jpg: not found", "done", ""])
  }

  @Test("Elsewhere there are lines at most every five seconds, and no control characters")
  func plainLines() {
    let talk = TestPipe()
    let clock = TestClock()
    let terminal = Terminal(
      commandName: "sample", talk: Output(descriptor: talk.writeEnd), clock: { clock.now })
    terminal.startProgress("Searching", total: 100)
    for _ in 0..<100 {
      clock.advance(milliseconds: 100)
      terminal.advanceProgress("x")
    }
    terminal.finishProgress()
    #expect(readAvailable(talk.readEnd) == "Searching: 50 of 100\nSearching: 100 of 100\n")
  }

  @Test("A bar fits any width", arguments: 0..<120)
  func anyWidth(columns: Int) {
    var bar = ProgressBar(label: "Searching", total: 54, started: 0)
    bar.done = 54
    bar.item = "\u{1B}[31m.jpg"
    let line = bar.line(columns: columns)
    #expect(line.count <= max(0, columns - 1))
    #expect(!line.contains("\u{1B}"))
  }

  @Test("Lines of several threads are not torn")
  func threads() async {
    let talk = TestPipe()
    // A clock that stands still: no line of progress comes between.
    let terminal = Terminal(
      commandName: "sample", talk: Output(descriptor: talk.writeEnd), clock: { 0 })
    terminal.startProgress("Searching", total: 400)
    await withTaskGroup(of: Void.self) { group in
      for name in ["a", "b", "c", "d"] {
        group.addTask {
          for _ in 0..<100 {
            terminal.note(String(repeating: name, count: 20))
            terminal.advanceProgress(name)
          }
        }
      }
    }
    terminal.finishProgress()
    let lines = readAvailable(talk.readEnd).split(separator: "\n")
    #expect(lines.count == 400)
    #expect(lines.allSatisfy { $0.count == 20 && Set($0).count == 1 })
  }

  @Test("Status lines stand below the talk, are replaced as a whole and leave nothing behind")
  func status() throws {
    let pseudo = try #require(PseudoTerminal(columns: 20))
    let clock = TestClock()
    let terminal = Terminal(
      commandName: "sample", data: Output(descriptor: TestPipe().writeEnd),
      talk: Output(descriptor: pseudo.terminal), isInteractive: true, clock: { clock.now })
    terminal.showStatus(["3 views", ". . #", "Hold still, please, and nearer."])
    // Too soon: not drawn.
    terminal.showStatus(["4 views"])
    terminal.note("kept")
    var shown = readAvailable(pseudo.controller)
    #expect(screen(after: shown) == ["kept", "3 views", ". . #", "Hold still, please,"])
    clock.advance(milliseconds: 100)
    terminal.showStatus(["5 views", "x"])
    shown += readAvailable(pseudo.controller)
    #expect(screen(after: shown) == ["kept", "5 views", "x"])
    // The terminal echoes Enter.
    shown += "\n"
    terminal.acceptEcho()
    terminal.clearStatus()
    terminal.note("done")
    shown += readAvailable(pseudo.controller)
    #expect(screen(after: shown) == ["kept", "done", ""])
    // Elsewhere nothing is said.
    let pipe = TestPipe()
    let plain = Terminal(commandName: "sample", talk: Output(descriptor: pipe.writeEnd))
    plain.showStatus(["3 views"], atOnce: true)
    plain.clearStatus()
    #expect(readAvailable(pipe.readEnd) == "")
  }
}
