import Foundation
import Testing

@Suite("compare-calibrations")
struct CompareCalibrationsTests {
  private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "samples/board-sequence").path(percentEncoded: false)

  /// A shell in which `$0` is the folder of the commands, `$1` that of the sample photographs; halves
  /// of these are calibrated as `odd.json` and `even.json`, and stored as odd and even.
  private func run(_ line: String) throws -> BuiltCommand.Outcome {
    let script = """
      PATH=$0:$PATH; export CAMERA_CALIBRATIONS=$PWD/store
      half() { n=$1; shift; calibrate --board 9x6 --quiet --json --device-name $n "$@" > $n.json; }
      half odd "$1"/board*[13579].png; half even "$1"/board*[02468].png
      \(line)
      """
    return try BuiltCommand.runShell(script, [BuiltCommand.folder, Self.samples])
  }

  @Test("Files and stored calibrations are compared; the status tells")
  func statuses() throws {
    let outcome = try run(
      """
      compare-calibrations odd.json even.json > report; echo $? >&2
      compare-calibrations -q odd@640x480 even; echo $? >&2
      sed 's/"created": "[^"]*"/"created": "2001-02-03T04:05:06Z"/' odd.json > past.json
      mkdir -p store/name%3Aodd/640x480.history
      cp past.json store/name%3Aodd/640x480.history/20010203T040506Z.json
      for t in 2001-02-03T04:05:06Z 20010203T040506Z; do
        compare-calibrations --json odd#$t odd.json | grep '"created": "2001' >&2; done
      time=$(grep -o '"created": "[^"]*"' odd.json | cut -d '"' -f 4)
      compare-calibrations -q odd@640x480#$time odd.json; echo $? >&2
      compare-calibrations -q odd#$(echo $time | tr -d :-) odd.json; echo $? >&2
      show-intrinsics -q odd --format opencv > odd.yaml; compare-calibrations -q odd odd.yaml; echo $? >&2
      sed 's/"fx": [0-9]*/"fx": 600/; s/"fy": [0-9]*/"fy": 600/' odd.json > moved.json
      compare-calibrations -q odd.json moved.json; echo $? >&2
      compare-calibrations --json odd.json moved.json; cat report
      """)
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.filter { $0.count == 1 }.joined(separator: " ") == "0 0 0 0 0 3", "\(outcome.errors)")
    // A time of the history in either form.
    #expect(lines.count { $0.contains("2001-02-03T04:05:06Z") } == 2, "\(outcome.errors)")
    #expect(outcome.output.contains("\"outcome\": \"differ\""))
    #expect(outcome.output.contains("\"differs\": true"))
    #expect(outcome.output.contains("no difference seen: "))
    #expect(outcome.output.contains("difference/expected: . < 1"))
    for line in outcome.output.components(separatedBy: "A  odd.json").last?.split(separator: "\n")
      ?? []
    {
      #expect(line.count <= 110, "\(line)")
    }
  }

  @Test("What can't be compared says why and what to do")
  func failures() throws {
    let cases = [
      ("odd.json none.json", 1, "no such file, and no device \"none.json\""),
      ("odd.json ./none.json", 66, "./none.json"),
      ("odd.json even@800x600", 1, "it is at 640x480"),
      ("odd.json even@640x480#2001", 1, "has no calibration of 2001"),
      ("odd.json half.json", 64, "--scale"),
      ("odd.json folded.json", 65, "no directions in common"),
      ("folded.json odd.json", 65, "no directions in common"),
      ("--scale odd.json half.json", 3, ""), ("--scale half.json odd.json", 3, ""),
      ("odd.json", 64, "CALIBRATION"),
    ]
    let outcome = try run(
      "sed 's/\"width\": 640/\"width\": 1280/; s/\"height\": 480/\"height\": 960/' odd.json > half.json; "
        + "sed '0,/\"k1\"/s/\"k1\": [-0-9.e]*/\"k1\": -5000/' odd.json > folded.json; "
        + cases.map { "compare-calibrations \($0.0) 2>&1 >/dev/null; echo \"status $?\"" }
        .joined(separator: "; "))
    let parts = outcome.output.components(separatedBy: "status ")
    for (index, (arguments, status, words)) in cases.enumerated() {
      #expect(parts[index].contains(words) || words.isEmpty, "\(arguments): \(parts[index])")
      #expect(parts[index + 1].hasPrefix("\(status)\n"), "\(arguments): \(parts[index + 1])")
    }
  }

  @Test("The status does not depend on the order, however wrong one of them is")
  func order() throws {
    let outcome = try run(
      """
      for k in -500 -50 -5 -1 5 50; do
        sed '0,/"k1"/s/"k1": [-0-9.e]*/"k1": '$k/ odd.json > bent.json
        compare-calibrations -q odd.json bent.json 2>/dev/null; there=$?
        compare-calibrations -q bent.json odd.json 2>/dev/null; echo $k $there $?
      done
      """)
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
    try #require(lines.count == 6, "\(outcome)")
    for line in lines {
      #expect(line[1] == line[2] && ["3", "65"].contains(line[1]), "\(line)")
    }
  }
}
