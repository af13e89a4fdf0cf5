import Glibc
import GuardianProbe
import V4L2

// A program that holds a camera's controls and is killed: `guardian-parent FILE` says the numbers of
// its own process and of its guardian, then waits for its end.

guard CommandLine.arguments.count == 2 else { exit(64) }
let descriptor = open(CommandLine.arguments[1], O_WRONLY | O_APPEND)
guard descriptor >= 0 else { exit(66) }
do {
  let guardian = try ControlGuardian(
    restoring: [.init(id: 2, value: -7), .init(id: 1, value: 1)], descriptor: descriptor,
    subject: "test", restorer: gpr_write_setting)
  print(getpid(), guardian.processID ?? 0)
  fflush(nil)
  // The end of the standard input is an orderly end.
  var byte: UInt8 = 0
  while read(STDIN_FILENO, &byte, 1) > 0 {}
  guardian.restore()
} catch {
  exit(1)
}
