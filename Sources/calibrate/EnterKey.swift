import Glibc
import Locking

/// Whether the user pressed Enter, where standard input is a terminal.
///
/// Never waits, and reads nothing where there is no terminal or the command runs in the background,
/// where reading would stop it.
final class EnterKey: Sendable {
  private let descriptor: Int32
  private let isOpen: Lock<Bool>

  init(descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
    isOpen = Lock(isatty(descriptor) != 0)
  }

  /// Whether there is a terminal to press it on.
  var isAvailable: Bool { isOpen.withLock { $0 } }

  /// Whether it was pressed since the last call.
  var wasPressed: Bool {
    isOpen.withLock { isOpen in
      // The terminal of this process that another group has in the foreground; a terminal that is not
      // this process's has no such group, and reading from it stops nobody.
      let foreground = tcgetpgrp(descriptor)
      guard isOpen, foreground < 0 || foreground == getpgrp() else { return false }
      var pressed = false
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&request, 1, 0) > 0 {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else {
          // End of input (Ctrl-D) or a terminal that went away: nothing more will come.
          isOpen = false
          break
        }
        if bytes[..<count].contains(UInt8(ascii: "\n")) { pressed = true }
      }
      return pressed
    }
  }
}
