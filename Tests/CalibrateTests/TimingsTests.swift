import CameraModel
import CommandRunning
import Foundation
import Testing

@Suite("--timings")
struct TimingsTests {
  /// One line of `--timings`.
  private typealias Timings = [String: [String: Double]]

  private func timings(_ run: CalibrateRun) throws -> Timings {
    let last = try #require(run.messages.split(separator: "\n").last)
    return try JSONDecoder().decode(Timings.self, from: Data(last.utf8))
  }

  @Test("The last line is JSON, and its parts add up")
  func lastLine() throws {
    let samples = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "samples/board-sequence").path(percentEncoded: false)
    let run = try CalibrateRun(["--board", "9x6", "--quiet", "--timings", samples])
    #expect(run.status == 0)
    let times = try timings(run)
    let parts = ["read", "detect", "solve", "evaluate", "hint"]
    #expect(Set(times.keys) == Set(parts + ["total"]))
    for kind in ["cpuSeconds", "wallSeconds"] {
      let values = try parts.map { try #require(times[$0]?[kind]) }
      for value in values { #expect(value > 0) }
      let total = try #require(times["total"]?[kind])
      #expect(values.reduce(0, +) <= total + 1e-3)
      // Reading the options, storing and printing cost little beside the rest; on the clock a busy disk
      // may take its time over storing.
      guard kind == "cpuSeconds" else { continue }
      #expect(values.reduce(0, +) > 0.5 * total, "\(times)")
    }
  }

  @Test("Of 200 views evaluating costs at most ten times what solving does, even unoptimised")
  func ratio() throws {
    let folder = try TemporaryFolder(named: "ratio")
    let corners = try SyntheticTable.write(200, into: folder)
    let run = try CalibrateRun([
      "--board", "9x6", "--size", "640x480", "--corners", corners, "--max-views", "200",
      "--no-bend", "--no-outliers", "--coefficients", "5", "--quiet", "--dry-run", "--timings",
    ])
    let times = try timings(run)
    let solve = try #require(times["solve"]?["cpuSeconds"])
    let evaluate = try #require(times["evaluate"]?["cpuSeconds"])
    print("measured evaluate / solve \(evaluate / solve)")
    #expect(evaluate <= 10 * solve, "\(times)")
  }

  @Test("It has the last word where no calibration comes about, too")
  func failure() throws {
    let folder = try TemporaryFolder()
    try Data("P5 40 30 255\n".utf8 + [UInt8](repeating: 128, count: 1200))
      .write(to: URL(filePath: folder.path + "/a.pgm"))
    let run = try CalibrateRun(["--board", "9x6", "--timings", folder.path])
    #expect(run.status == 1)
    #expect(try timings(run)["total"]?["cpuSeconds"].map { $0 > 0 } == true)
    #expect(run.messages.contains("No 9x6 board was found"))
  }
}

/// The corners of a pinhole lens, exact to a tenth of a pixel.
private enum SyntheticTable {
  static func write(_ views: Int, into folder: TemporaryFolder) throws -> String {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480),
      intrinsics: Intrinsics(fx: 480, fy: 481, cx: 322, cy: 238),
      distortion: [-0.25, 0.08, 0.0005, -0.0003, 0])
    var lines = ["# filename x y level"]
    // Quotients of no simple ratio: every view is another one, and no run differs from the next.
    func part(_ number: Int, _ factor: Double) -> Double {
      (Double(number) * factor).truncatingRemainder(dividingBy: 1)
    }
    for view in 0..<views {
      let turn = 2 * Double.pi * part(view, 0.618034)
      let tilt = 0.2 + 0.4 * part(view, 0.754878)
      let rotation = RotationMatrix(rotationVector: SIMD3(tilt * cos(turn), tilt * sin(turn), 0))
      let shift = SIMD3(
        0.12 * (part(view, 0.569840) - 0.5), 0.08 * (part(view, 0.324718) - 0.5),
        0.3 + 0.15 * part(view, 0.414214))
      for point in 0..<54 {
        let flat = SIMD3(
          0.025 * (Double(point % 9) - 4), 0.025 * (Double(point / 9) - 2.5), 0)
        let pixel = try #require(camera.project(rotation * flat + shift))
        let number = 54 * view + point
        let (x, y) = (part(number, 0.707107) - 0.5, part(number, 0.732051) - 0.5)
        lines.append("view\(view).png \(pixel.x + 0.4 * x) \(pixel.y + 0.4 * y) 0")
      }
    }
    let path = folder.path + "/corners.vnl"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    return path
  }
}
