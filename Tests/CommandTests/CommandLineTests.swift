import Foundation
import GoldenFiles
import Testing

@Suite("The commands' command lines")
struct CommandLineTests {
  @Test("Help, manual page and completions are as recorded", arguments: BuiltCommand.all)
  func texts(command: BuiltCommand) throws {
    let requests = [
      ("help.txt", ["--help"]), ("1", ["--generate-man"]),
      ("bash", ["--generate-completion", "bash"]), ("zsh", ["--generate-completion", "zsh"]),
      ("fish", ["--generate-completion=fish"]),
    ]
    for (ending, arguments) in requests {
      let outcome = try command.run(arguments)
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      let golden = GoldenFile("\(command.name).\(ending)")
      #expect(try golden.difference(from: outcome.output) == nil)
      guard ending == "help.txt" else { continue }
      for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test("The version is printed", arguments: BuiltCommand.all)
  func version(command: BuiltCommand) throws {
    let outcome = try command.run(["--version"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("\(command.name) (camera-intrinsics) "))
  }

  @Test("Descriptors that were closed at the start are not taken by files")
  func closedDescriptors() throws {
    // A stand-in for ffprobe looks at what its parent has there while a picture is open.
    let line = """
      printf 'RIFF\\44\\0\\0\\0WEBPVP8 %40s' > a.webp
      printf '#!/bin/sh\\nfor n in 0 1 2; do readlink /proc/$PPID/fd/$n; done > seen\\n' > ffprobe
      chmod +x ffprobe
      PATH=$PWD:$PATH "$0" --board 9x6 --dry-run a.webp <&- >&- 2>&-
      cat seen
      """
    let outcome = try BuiltCommand.runShell(line, [BuiltCommand(name: "calibrate").path])
    #expect(outcome.output == "/dev/null\n/dev/null\n/dev/null\n", "\(outcome)")
  }

  @Test("A folder of --draw that can't be made is explained")
  func drawNowhere() throws {
    let calibrate = BuiltCommand(name: "calibrate").path
    let line = "printf 'P5 40 30 255\n%1200s' > a.pgm; : > file; exec \"$0\" \"$@\" a.pgm"
    for (folder, words) in [
      ("file", "is no folder"), ("file/x", "is no folder"), ("a/b", "does not exist"),
    ] {
      let outcome = try BuiltCommand.runShell(
        line, [calibrate, "--board", "9x6", "--dry-run", "--draw", folder])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test(
    "The photographs' own folder is no place for what is drawn", arguments: [".", "link", "../"])
  func drawOverPhotographs(folder: String) throws {
    let calibrate = BuiltCommand(name: "calibrate").path
    let line = """
      printf 'P5 40 30 255\n%1200s' > a.pgm; ln -s . link; mkdir sub; cp a.pgm sub/
      [ "$1" = ../ ] && { cd sub; set -- ../ ../a.pgm; } || set -- "$1" .
      "$0" --board 9x6 --dry-run --draw "$1" "$2"; status=$?; ls; exit $status
      """
    let outcome = try BuiltCommand.runShell(line, [calibrate, folder])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("the photographs are in this folder"), "\(outcome.errors)")
    #expect(!outcome.output.contains(".jpg"))
  }

  @Test("A limit on the size of files is an error with a message, not the command's end")
  func fileSizeLimit() throws {
    // The message goes through a pipe: the limit holds for the file of standard error, too. The thread
    // sanitizer's runtime writes half a megabyte at the start, which the limit must allow.
    let line = """
      head -c 1024000 /dev/zero > out
      (ulimit -f 2000; "$0" --help >> out; echo status $? >&2) 2>&1 | cat
      """
    let outcome = try BuiltCommand.runShell(line, [BuiltCommand(name: "calibrate").path])
    #expect(outcome.output.contains("cannot write to standard output"), "\(outcome.output)")
    #expect(outcome.output.contains("status 74"), "\(outcome.output)")
  }

  @Test("Devices that are no cameras are not called cameras", arguments: ["zero", "null", "full"])
  func otherDevices(name: String) throws {
    let outcome = try BuiltCommand(name: "calibrate").run(
      ["--board", "9x6", "--dry-run", "/dev/\(name)"])
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("neither a file nor a folder"), "\(outcome.errors)")
  }

  @Test(
    "A slip in an option's name is status 64 and says what was meant", arguments: BuiltCommand.all)
  func nearMiss(command: BuiltCommand) throws {
    let outcome = try command.run([command.slip.given, "x"])
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        \(command.name): unknown option '\(command.slip.given)'; did you mean \
        '\(command.slip.meant)'?
        Try '\(command.name) --help' for more information.

        """)
  }

  @Test("An argument that is not UTF-8 is refused, not repaired", arguments: BuiltCommand.all)
  func notText(command: BuiltCommand) throws {
    let outcome = try BuiltCommand.runShell("exec \"$0\" \"$(printf 'a\\377')\"", [command.path])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("argument 1 is not UTF-8 text"))
  }

  @Test("A full disk behind standard output is an error", arguments: BuiltCommand.all)
  func fullDisk(command: BuiltCommand) throws {
    let outcome = try BuiltCommand.runShell("exec \"$0\" --help >/dev/full", [command.path])
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "\(command.name): cannot write to standard output: No space left on device\n")
  }

  @Test("A closed standard output is an error", arguments: BuiltCommand.all)
  func closedOutput(command: BuiltCommand) throws {
    let outcome = try BuiltCommand.runShell("exec \"$0\" --help >&-", [command.path])
    #expect(outcome.status == 74)
  }

  @Test("A reader that goes away ends a command quietly", arguments: BuiltCommand.all)
  func brokenPipe(command: BuiltCommand) throws {
    let outcome = try BuiltCommand.runShell(
      "{ \"$0\" --help; echo $? >&2; } | true; wait", [command.path])
    // Whether the reader is gone in time is up to the scheduler: all is written, or nothing is said.
    #expect(["141\n", "0\n"].contains(outcome.errors))
  }

  @Test(
    "pain 55: random option combinations never trap and never wait for input",
    arguments: BuiltCommand.all)
  func combinations(command: BuiltCommand) throws {
    let help = try command.run(["--help"]).output
    let options = help.split(whereSeparator: { " ,\n".contains($0) })
      .filter { $0.hasPrefix("--") }.map { String($0.filter { !".;:)".contains($0) }) }
    try #require(options.count > 3)
    let values = [
      "9x6", "6x9", "0x0", "25mm", "640x480", "-1", "0", "1", "name:x", "missing.jpg", ".", "",
      "json", "text", "pinhole", "fisheye", "center", "é", "/dev/null", "/dev/full", "--", "-",
    ]
    // Numerical Recipes' linear congruential generator: the same combinations on every run.
    var state: UInt64 = 55
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let known: Set<Int> = [0, 1, 2, 3, 64, 66, 69, 73, 74, 77]
    for _ in 0..<40 {
      var arguments: [String] = []
      for _ in 0..<random(6) {
        arguments.append(options[random(options.count)])
        if random(2) == 0 { arguments.append(values[random(values.count)]) }
      }
      let outcome = try command.run(arguments)
      #expect(known.contains(outcome.status), "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.status == 0 || !outcome.errors.isEmpty, "\(arguments) fails without a word")
      #expect(!outcome.errors.contains("Fatal error"), "\(arguments): \(outcome.errors)")
    }
  }
}
