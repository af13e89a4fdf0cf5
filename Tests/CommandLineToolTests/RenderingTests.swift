import CommandLineTool
import Foundation
import GoldenFiles
import Testing

@Suite("Help, manual page and completions")
struct RenderingTests {
  @Test("Help is as recorded and fits 80 columns")
  func help() throws {
    let text = SampleCommand.command.helpText()
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    #expect(try GoldenFile("sample.help.txt").difference(from: text) == nil)
  }

  @Test("The manual page is as recorded")
  func manPage() throws {
    #expect(try GoldenFile("sample.1").difference(from: SampleCommand.command.manPage()) == nil)
  }

  @Test("Completions are as recorded", arguments: Shell.allCases)
  func completions(shell: Shell) throws {
    #expect(
      try GoldenFile("sample.completion.\(shell.rawValue)").difference(
        from: SampleCommand.command.completionScript(for: shell)) == nil)
  }

  @Test("Hidden options are shown nowhere")
  func hidden() {
    let command = SampleCommand.command
    let texts =
      [command.helpText(), command.manPage()] + Shell.allCases.map(command.completionScript)
    for text in texts {
      #expect(!text.contains("\n  --generate") && !text.contains("-l generate"))
      #expect(!text.contains("generate\\-"))
    }
  }

  @Test(
    "Bash completes options, values and files",
    arguments: [
      (["--b"], ["--board="]), (["--qui"], ["--quiet "]), (["--lens", "f"], ["fisheye"]),
      (["--lens", "=", "p"], ["pinhole"]), (["--lens", "="], ["pinhole", "rational", "fisheye"]),
      (["-b", "9"], []), (["--store", "/usr/includ"], ["/usr/include"]),
      (["--", "--b"], []), (["a.jpg", "/etc/passw"], ["/etc/passwd"]),
    ])
  func bash(words: [String], replies: [String]) throws {
    let script =
      SampleCommand.command.completionScript(for: .bash) + """
        COMP_WORDS=(sample \(words.map { "'\($0)'" }.joined(separator: " ")))
        COMP_CWORD=\(words.count)
        _sample
        printf '%s\\n' "${COMPREPLY[@]}"

        """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash", "-c", script]
    process.standardOutput = output
    // compopt complains outside of a real completion.
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let found = text.split(separator: "\n").map(String.init)
    // Some systems keep a copy beside it.
    #expect(found.filter { $0 != "/etc/passwd-" } == replies)
  }
}
