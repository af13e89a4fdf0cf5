import CSubprocess
import Glibc

/// A child process whose standard output is read while it runs.
///
/// Its standard input is empty, it inherits no descriptor but the one it is given, and it is started
/// without a shell. It is killed and reaped when the value goes away, at the latest.
package struct Subprocess: ~Copyable {
  /// What can go wrong.
  package enum Failure: Error, Sendable, Hashable {
    /// The program is not on the PATH.
    case missing(program: String)
    /// The system refuses to start it.
    case notStarted(program: String, code: Int32)
    /// It wrote nothing for that long.
    case stalled(program: String, seconds: Int)
    /// Its output cannot be read.
    case unreadable(program: String, code: Int32)
  }

  /// How a child ended.
  package enum Ending: Sendable, Hashable {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case killed(signal: Int32)
  }

  private let program: String
  /// The child's number, for tests.
  package let process: Int32
  private let output: Int32
  private var errors: Int32
  private var errorBytes: [UInt8] = []
  private var ending: Ending?

  /// The bytes of standard error that are kept: the first ones name the cause.
  private static let mostErrorBytes = 4096
  /// How long a child may take to end once its output is closed, seconds.
  private static let secondsToEnd = 5

  /// Starts `program`, found on the PATH.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - arguments: Its arguments, without its name.
  ///   - descriptor: An open descriptor that the child finds as number 3.
  package init(
    program: String, arguments: [String], descriptor: Int32? = nil
  ) throws(Failure) {
    var child = csp_child()
    let code = Self.withCStrings([program] + arguments) { arguments in
      Self.withCStrings(Self.environment()) { environment in
        csp_start(program, arguments, environment, descriptor ?? -1, &child)
      }
    }
    switch code {
    case 0: break
    case ENOENT, ENOTDIR, EACCES: throw .missing(program: program)
    default: throw .notStarted(program: program, code: code)
    }
    self.program = program
    self.process = child.process
    self.output = child.output
    self.errors = child.errors
  }

  deinit {
    close(output)
    if errors >= 0 { close(errors) }
    if ending == nil {
      kill(process, SIGKILL)
      _ = Self.reap(process, options: 0)
    }
  }

  /// What the child has written to standard error so far, as one line: the first ones name the cause.
  package var complaint: String {
    let lines = String(decoding: errorBytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return printable(lines.prefix(3).joined(separator: "; "))
  }

  /// Reads up to `buffer.count` bytes of standard output, as many as have arrived, at least one.
  ///
  /// - Parameter seconds: How long to wait for the child to write anything.
  /// - Returns: The number of bytes; 0 at the end of the output.
  package mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, waitingAtMost seconds: Int
  ) throws(Failure) -> Int {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw .stalled(program: program, seconds: seconds) }
      // A closed pipe's place is taken by -1, which poll passes over.
      var polled = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      ]
      let milliseconds = left.components.seconds * 1000 + 1
      let ready = poll(&polled, 2, Int32(clamping: milliseconds))
      if ready < 0 && errno != EINTR { throw .unreadable(program: program, code: errno) }
      guard ready > 0 else { continue }
      if polled[1].revents != 0 { drainErrors() }
      if polled[0].revents != 0 {
        let count = Glibc.read(output, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno != EINTR && errno != EAGAIN {
          throw .unreadable(program: program, code: errno)
        }
      }
    }
  }

  /// Reads `count` bytes of standard output, however long it takes as long as some arrive; nil where
  /// it ends before.
  package mutating func read(
    exactly count: Int, waitingAtMost seconds: Int
  ) throws(Failure) -> [UInt8]? {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        while initialized < count {
          let room = UnsafeMutableBufferPointer(rebasing: buffer[initialized..<count])
          let got = try read(into: UnsafeMutableRawBufferPointer(room), waitingAtMost: seconds)
          if got == 0 { break }
          initialized += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes.count == count ? bytes : nil
  }

  /// Reads all of standard output, at most `count` bytes and a chunk.
  package mutating func readAll(
    atMost count: Int, waitingAtMost seconds: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= count {
      let chunk = try read(upTo: 1 << 18, waitingAtMost: seconds)
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return bytes
  }

  /// Reads up to `count` bytes of standard output; none at its end.
  package mutating func read(
    upTo count: Int, waitingAtMost seconds: Int
  ) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        initialized = try read(into: UnsafeMutableRawBufferPointer(buffer), waitingAtMost: seconds)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Waits for the child to end, after its output did; kills it when it doesn't.
  package mutating func wait() -> Ending {
    if let ending { return ending }
    // What it says last is read until it closes standard error, which an exiting process does.
    let deadline = ContinuousClock.now + .seconds(Self.secondsToEnd)
    var pause: Int32 = 1
    while true {
      if let ended = Self.reap(process, options: WNOHANG) {
        drainRemainingErrors()
        ending = ended
        return ended
      }
      if ContinuousClock.now >= deadline {
        kill(process, SIGKILL)
        let ended = Self.reap(process, options: 0) ?? .killed(signal: SIGKILL)
        ending = ended
        return ended
      }
      var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, pause) > 0 { drainErrors() }
      pause = min(pause * 2, 50)
    }
  }

  /// Reads what has arrived on standard error, keeps its start and drops the rest.
  private mutating func drainErrors() {
    let (count, bytes) = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = Glibc.read(errors, buffer.baseAddress, buffer.count)
      return (count, count > 0 ? Array(buffer[..<count]) : [])
    }
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) {
      close(errors)
      errors = -1
    }
    errorBytes += bytes.prefix(Self.mostErrorBytes - errorBytes.count)
  }

  private mutating func drainRemainingErrors() {
    while errors >= 0 {
      var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 0) > 0 else { return }
      drainErrors()
    }
  }

  /// Waits for the child; nil where it still runs (`WNOHANG`).
  private static func reap(_ process: pid_t, options: Int32) -> Ending? {
    var status: Int32 = 0
    while true {
      let reaped = waitpid(process, &status, options)
      if reaped < 0 && errno == EINTR { continue }
      if reaped == 0 { return nil }
      // Someone else's SIGCHLD handling may have reaped it: it has ended in any case.
      if reaped < 0 { return .exited(-1) }
      let signal = status & 0x7F
      return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
  }

  /// The few variables that finding and running a program needs; messages in English, without colour.
  private static func environment() -> [String] {
    let names = ["PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR"]
    let kept = names.compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    return kept + ["LC_ALL=C.UTF-8", "AV_LOG_FORCE_NOCOLOR=1"]
  }

  /// Lends `strings` as a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
