import CalibrationStore
import Glibc
import GuardianProbe
import V4L2

// A program that holds a camera's controls, and may be killed meanwhile.
//
//   guardian-parent /dev/videoN    holds a camera for a calibration, says what it holds, a line a control
//   guardian-parent FILE           holds nothing, but has a guardian that will write to the file; says the
//                                  numbers of its own process and of the guardian's
//
// Then it waits for the end of its standard input, which is an orderly end.

/// Says a line at once.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

func waitForEnd() {
  var byte: UInt8 = 0
  while read(STDIN_FILENO, &byte, 1) > 0 {}
}

func holdCamera(_ path: String) throws {
  let hold = try CalibrationHold(VideoNode(path: path), exposure: .manual(atMost: 100))
  for (name, control) in hold.lensControls.sorted(by: { $0.key < $1.key }) {
    say("\(name) \(control.value) \(control.locked ? "held" : "free")")
  }
  for note in hold.notes { say("note: \(note)") }
  say("holding")
  waitForEnd()
  for failure in hold.release() { say("failed: \(failure)") }
}

func guardFile(_ path: String) throws {
  let descriptor = open(path, O_WRONLY | O_APPEND)
  guard descriptor >= 0 else { exit(66) }
  let guardian = try ControlGuardian(
    restoring: [.init(id: 2, value: -7), .init(id: 1, value: 1)], descriptor: descriptor,
    subject: "test", restorer: gpr_write_setting)
  say("\(getpid()) \(guardian.processID ?? 0)")
  waitForEnd()
  guardian.restore()
}

guard CommandLine.arguments.count == 2 else { exit(64) }
do {
  let path = CommandLine.arguments[1]
  try path.hasPrefix("/dev/video") ? holdCamera(path) : guardFile(path)
} catch {
  say("\(error)")
  exit(1)
}
