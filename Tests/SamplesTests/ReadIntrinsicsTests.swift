import CalibrationStore
import CameraModel
import Foundation
import Testing

/// The sample programs, run as a user runs them, so that they cannot rot.
@Suite("Sample programs")
struct ReadIntrinsicsTests {
  private func run(
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    try Program("read-intrinsics").run(arguments)
  }

  private func withStore(_ body: (String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    try IntrinsicsStore(root: root).save(
      IntrinsicsRecord(
        device: .init(
          id: DeviceID(rawValue: "usb:046d:082d:ABC"), name: "Desk camera",
          identifiedBy: "serial number"),
        camera: CameraParameters(
          resolution: Resolution(width: 640, height: 480),
          intrinsics: Intrinsics(fx: 533.5, fy: 534.25, cx: 341.5, cy: 235)),
        verdict: .init(level: .good, reasons: []), created: "2026-11-30T05:21:30Z", tool: "test"))
    try body(root)
  }

  @Test("read-intrinsics prints the matrix, its Apple form and that of the halved frame")
  func matrix() throws {
    try withStore { root in
      for name in ["usb:046d:082d:ABC", "desk camera"] {
        let result = try run([name, "640x480", root])
        #expect(result.status == 0 && result.errors == "")
        #expect(
          result.output == """
            matrix_float3x3([[533.5, 0.0, 0.0], [0.0, 534.25, 0.0], [341.5, 235.0, 1.0]])
            fx 533.5 fy 534.25 ox 342.0 oy 235.5
            matrix_float3x3([[266.75, 0.0, 0.0], [0.0, 267.125, 0.0], [170.5, 117.25, 1.0]])

            """)
      }
    }
  }

  @Test("read-intrinsics has nothing for another camera or another size, and says so")
  func nothing() throws {
    try withStore { root in
      for (name, size) in [("desk camera", "1280x720"), ("another", "640x480")] {
        let result = try run([name, size, root])
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors == "no calibration of \(name) at \(size)\n")
      }
    }
  }

  @Test(
    "A wrong argument is named, with the usage",
    arguments: [
      ([], "DEVICE is missing"), (["desk camera"], "WIDTHxHEIGHT is missing"),
      (["desk camera", "640"], "'640' is no size"),
      (["desk camera", "640x480", "a", "b"], "'b' is one argument too many"),
    ])
  func usage(arguments: [String], fault: String) throws {
    let result = try run(arguments)
    #expect(result.status == 64 && result.output == "")
    #expect(result.errors.contains(fault) && result.errors.contains("usage: read-intrinsics"))
  }

  @Test(
    "Help goes to standard output and is no failure",
    arguments: ["read-intrinsics", "look-up-intrinsics", "frame-pipeline"], ["--help", "-h"])
  func help(name: String, option: String) throws {
    let result = try Program(name).run([option])
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.hasPrefix("usage: \(name) "))
  }

  @Test("read-intrinsics tells a damaged record from a missing one")
  func damaged() throws {
    try withStore { root in
      let path = try IntrinsicsStore(root: root).path(
        for: DeviceID(rawValue: "usb:046d:082d:ABC"),
        resolution: Resolution(width: 640, height: 480))
      try Data("{\"schema\": 1".utf8).write(to: URL(filePath: path))
      let result = try run(["usb:046d:082d:ABC", "640x480", root])
      #expect(result.status == 66 && result.output == "" && result.errors.contains(path))
    }
  }
}
