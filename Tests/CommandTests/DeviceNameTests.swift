import Foundation
import Testing

@Suite("Names of devices on command lines")
struct DeviceNameTests {
  private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "samples/board-sequence").path(percentEncoded: false)

  @Test(
    "calibrate, import-calibration and show-intrinsics refuse the same names with the same words")
  func sameRule() throws {
    let outcome = try BuiltCommand.runShell(
      #"""
      PATH=$0:$PATH; export CAMERA_CALIBRATIONS=$PWD/store
      cat > old.yaml <<'END'
      image_width: 640
      image_height: 480
      camera_name: old
      camera_matrix: {rows: 3, cols: 3, data: [600, 0, 320, 0, 600, 240, 0, 0, 1]}
      distortion_model: plumb_bob
      distortion_coefficients: {rows: 1, cols: 5, data: [0, 0, 0, 0, 0]}
      END
      import-calibration -q old.yaml >/dev/null; echo "stored $?"
      find store | sort > before
      long=$(printf '%10000s' x | tr ' ' x)
      for name in '' ... a/b 'a\b' "$(printf 'a\nb')" "$(printf '\033c')" "$long"; do
        calibrate --board 9x6 --device-name "$name" "$1" >/dev/null 2>one; a=$?
        import-calibration old.yaml --device-name "$name" >/dev/null 2>two; b=$?
        show-intrinsics old --rename "$name" >/dev/null 2>three; c=$?
        import-calibration old.yaml --device "name:$name" >/dev/null 2>four; d=$?
        for f in one two three four; do
          grep -o 'a device name [^:;]*' $f | head -n 1 >> words
          [ $(wc -c < $f) -lt 600 ] || echo "long: $f"
        done
        echo "$a $b $c $d $(sort -u words | wc -l)"; rm words
      done
      for camera in "$(printf 'usb:\033')" "bus:$long" ""; do
        show-intrinsics old --attach "$camera" 2>/dev/null; echo $?
      done
      find store | sort | cmp - before && echo unchanged
      """#, [BuiltCommand.folder, Self.samples])
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let expected =
      // An empty value is refused before it is looked at as a name.
      ["stored 0", "64 64 64 64 0"] + Array(repeating: "64 64 64 64 1", count: 6)
      + Array(repeating: "64", count: 3) + ["unchanged"]
    #expect(lines == expected, "\(outcome)")
  }

  @Test("A path is no name of a stored camera, and a device file no calibration file")
  func paths() throws {
    let outcome = try BuiltCommand.runShell(
      #"""
      PATH=$0:$PATH; export CAMERA_CALIBRATIONS=$PWD/store
      echo '# Camera list with one line of data per camera:
      1 SIMPLE_PINHOLE 640 480 600 320 240' > cameras.txt
      import-calibration -q cameras.txt --device-name left >/dev/null; echo "stored $?"
      for name in left Left ../left /left left/; do
        show-intrinsics -q "$name" >/dev/null 2>&1; echo "$name $?"
      done
      compare-calibrations left /dev/video987 2>&1; echo $?
      make-board --board 9x6 --screen 27in 65535x65535 -o board.png 2>&1; echo $?
      ls board.png 2>/dev/null
      """#, [BuiltCommand.folder])
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(6) == ["stored 0", "left 0", "Left 0", "../left 1", "/left 1", "left/ 1"],
      "\(outcome)")
    #expect(lines.dropFirst(6).first?.contains("no such video device") == true, "\(outcome)")
    #expect(lines.dropFirst(7).first == "69")
    #expect(lines.dropFirst(8).first?.contains("million pixels") == true, "\(outcome)")
    #expect(lines.dropFirst(9) == ["64"], "\(outcome)")
  }
}
