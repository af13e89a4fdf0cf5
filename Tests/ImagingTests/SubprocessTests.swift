import Glibc
import Imaging
import Testing

struct SubprocessTests {
  private func run(
    _ program: String, _ arguments: [String], descriptor: Int32? = nil
  ) throws -> (output: String, ending: Subprocess.Ending, complaint: String) {
    var process = try Subprocess(program: program, arguments: arguments, descriptor: descriptor)
    let bytes = try process.readAll(atMost: 1 << 20, waitingAtMost: 20)
    let ending = process.wait()
    return (String(decoding: bytes, as: UTF8.self), ending, process.complaint)
  }

  @Test func missingProgramIsNamed() {
    #expect(throws: Subprocess.Failure.missing(program: "no-such-program-here")) {
      _ = try Subprocess(program: "no-such-program-here", arguments: [])
    }
  }

  @Test func outputComplaintAndStatusArrive() throws {
    let result = try run("sh", ["-c", "echo out; echo one >&2; echo two >&2; cat; exit 3"])
    #expect(result.output == "out\n")
    #expect(result.complaint == "one; two")
    #expect(result.ending == .exited(3))
    #expect(try run("sh", ["-c", "kill -9 $$"]).ending == .killed(signal: SIGKILL))
  }

  @Test func argumentsAreNotForAShell() throws {
    #expect(try run("printf", ["%s", "$(id) *; \"'"]).output == "$(id) *; \"'")
  }

  /// A child that complains without end must neither block nor fill memory.
  @Test func muchOnBothStreamsIsBounded() throws {
    let script = "i=0; while [ $i -lt 20000 ]; do echo complaint $i >&2; i=$((i+1)); done; echo end"
    let result = try run("sh", ["-c", script])
    #expect(result.output == "end\n")
    #expect(result.complaint.hasPrefix("complaint 0; "))
    #expect(result.complaint.utf8.count < 5000)
  }

  @Test func childInheritsOnlyWhatItIsGiven() throws {
    // Not close-on-exec, as other libraries' descriptors may be.
    let stray = open("/dev/null", O_RDONLY)
    defer { close(stray) }
    let names = { (text: String) in Set(text.split(separator: "\n")) }
    // ls itself opens the folder that it lists.
    #expect(names(try run("ls", ["/proc/self/fd"]).output).count == 4)
    let given = try run("ls", ["/proc/self/fd"], descriptor: stray).output
    #expect(names(given).count == 5 && names(given).contains("3"))
  }

  @Test func silentChildIsGivenUp() throws {
    var process = try Subprocess(program: "sleep", arguments: ["1000"])
    var failure: Subprocess.Failure?
    do throws(Subprocess.Failure) {
      _ = try process.read(upTo: 1, waitingAtMost: 1)
    } catch {
      failure = error
    }
    #expect(failure == .stalled(program: "sleep", seconds: 1))
  }

  @Test func childEndsWithItsOwner() throws {
    let number = try start()
    // Killed and reaped: not even a zombie is left.
    #expect(kill(number, 0) == -1 && errno == ESRCH)
  }

  /// Starts a child that never ends by itself, and lets go of it.
  private func start() throws -> pid_t {
    var process = try Subprocess(program: "yes", arguments: [])
    #expect(try process.read(upTo: 10, waitingAtMost: 20).isEmpty == false)
    #expect(kill(process.process, 0) == 0)
    return process.process
  }
}
