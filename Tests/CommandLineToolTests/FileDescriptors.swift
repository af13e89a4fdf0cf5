import Glibc
import Synchronization

/// A pipe whose ends close with it.
final class TestPipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }
}

/// A pseudo-terminal: what is written to `terminal` can be read from `controller`.
final class PseudoTerminal: Sendable {
  let controller: Int32
  let terminal: Int32

  init?(columns: UInt16) {
    // By ioctl_tty(2): grantpt and the like are not in the Glibc module.
    let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
    var (locked, index): (Int32, UInt32) = (0, 0)
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard controller >= 0, ioctl(controller, unlock, &locked) == 0,
      ioctl(controller, number, &index) == 0
    else { return nil }
    terminal = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard terminal >= 0, ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else { return nil }
  }

  /// Whether the system has any; a container may have no /dev/pts.
  static let isAvailable: Bool = {
    if PseudoTerminal(columns: 80) != nil { return true }
    print("SKIPPED: tests that need pseudo-terminals: none can be opened in /dev/pts")
    return false
  }()

  deinit {
    close(controller)
    if terminal >= 0 { close(terminal) }
  }
}

/// What can be read from a descriptor without waiting.
func readAvailable(_ descriptor: Int32) -> String {
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&request, 1, 0) > 0 {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    result += buffer[..<count]
  }
  return String(decoding: result, as: UTF8.self)
}

/// The lines that a terminal of endless width shows after a text with `\r` and "erase to the end".
func screen(after text: String) -> [String] {
  var lines: [String] = [""]
  var (row, column) = (0, 0)
  var rest = Substring(text.replacing("\r\n", with: "\n"))
  while let character = rest.first {
    if let match = rest.prefixMatch(of: /\u{1B}\[([0-9]*)([A-Z])/) {
      rest = rest.dropFirst(match.output.0.count)
      let count = Int(match.output.1) ?? 1
      switch match.output.2 {
      case "A": row = max(0, row - count)
      case "J":
        lines = Array(lines[...row])
        fallthrough
      default: lines[row] = String(lines[row].prefix(column))
      }
      continue
    }
    rest = rest.dropFirst()
    switch character {
    case "\n":
      row += 1
      if row == lines.count { lines.append("") }
      column = 0
    case "\r": column = 0
    default:
      var line = Array(lines[row])
      if column < line.count { line[column] = character } else { line.append(character) }
      lines[row] = String(line)
      column += 1
    }
  }
  return lines
}

/// A clock that moves only when told to.
final class TestClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000)

  var now: UInt64 { nanoseconds.load(ordering: .relaxed) }

  func advance(milliseconds: UInt64) {
    nanoseconds.wrappingAdd(milliseconds * 1_000_000, ordering: .relaxed)
  }
}
