import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import Testing

@Suite("--lens auto")
struct LensAutoTests {
  @Test(
    "The record and the report show what each lens would give, and the result is that of --lens")
  func sampleSequence() throws {
    let folder = try TemporaryFolder(named: "lens-auto")
    let corners = folder.path + "/corners.json"
    let auto = try CalibrateRun(
      ["--board", "9x6", "--lens", "auto", "--dump-corners", corners, CornersTests.samples])
    let record = try #require(auto.record, "\(auto.messages)")
    let candidates = try #require(record.lensComparison)
    #expect(candidates.map(\.lensModel).sorted() == LensModel.allCases.map(\.rawValue).sorted())
    #expect(candidates.filter(\.isChosen).map(\.lensModel) == [record.camera.lensModel.rawValue])

    #expect(auto.output.contains("behind best") && auto.output.contains("chosen"))

    let asked = try CalibrateRun(
      ["--board", "9x6", "--lens", record.camera.lensModel.rawValue, "--corners", corners])
    let other = try #require(asked.record, "\(asked.messages)")
    #expect(other.lensComparison == nil)
    #expect(
      other.camera.parameterVector.map(\.bitPattern)
        == record.camera.parameterVector.map(\.bitPattern))
    #expect(other.verdict == record.verdict)
  }

  @Test("An option about tangential terms is said to have no effect on a lens that has none")
  func withoutTangential() throws {
    let folder = try TemporaryFolder(named: "wide")
    let corners = try WideTable.write(into: folder)
    let run = try CalibrateRun([
      "--board", "9x6", "--lens", "auto", "--size", "640x480", "--zero-tangential", "--corners",
      corners,
    ])
    let record = try #require(run.record, "\(run.messages)")
    #expect(record.camera.lensModel == .fisheye)
    #expect(
      run.messages.contains(
        "--zero-tangential has no effect on p1 and p2: a fisheye lens was chosen, which has no such"
      ),
      "\(run.messages)")
  }
}

@Suite("A lens model that was asked for, and is not the best")
struct LensHintReportTests {
  /// Pinhole views, taken for a fisheye's.
  @Test("The better one is in record and report, and beside the record for people, unless quiet")
  func places() throws {
    let folder = try TemporaryFolder(named: "hint")
    let corners = folder.path + "/corners.vnl"
    let report = try CalibrateRun(
      ["--board", "9x6", "--lens", "fisheye", "--dump-corners", corners, CornersTests.samples])
    let size = "\(try #require(report.record, "\(report.messages)").camera.resolution)"
    let reason = try #require(report.record?.verdict.reasons.first)
    #expect(reason.hasPrefix("Use --lens pinhole: held-out sigma "), "\(reason)")
    #expect(report.output.contains("Use --lens pinhole: held-out sigma "))
    #expect(!report.messages.contains("--lens pinhole"), "\(report.messages)")
    let arguments = [
      "--board", "9x6", "--lens", "fisheye", "--size", size, "--json", "--corners", corners,
    ]
    let json = try CalibrateRun(arguments)
    #expect(json.messages.contains("Use --lens pinhole: "), "\(json.messages)")
    let quiet = try CalibrateRun(["--quiet"] + arguments)
    #expect(quiet.messages.isEmpty && quiet.output.contains("Use --lens pinhole: "))
  }
}

/// The corners of a wide fisheye lens, exact to a hundredth of a pixel.
private enum WideTable {
  static func write(into folder: TemporaryFolder) throws -> String {
    let camera = CameraParameters(
      resolution: Resolution(width: 640, height: 480), lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 180, fy: 180, cx: 321, cy: 238),
      distortion: [-0.02, 0.004, 0, 0])
    var lines = ["# filename x y level"]
    var noise = 1.0
    for view in 0..<14 {
      let (turn, tilt) = (Double(view) * 0.9, 0.6)
      let axis = SIMD3(tilt * cos(turn), tilt * sin(turn), 0)
      let rotation = RotationMatrix(rotationVector: axis)
      let shift = SIMD3(0.09 * sin(2.1 * turn), 0.07 * cos(1.7 * turn), 0.13)
      for point in 0..<54 {
        let flat = SIMD3(
          0.025 * (Double(point % 9) - 4), 0.025 * (Double(point / 9) - 2.5), 0)
        let pixel = try #require(camera.project(rotation * flat + shift))
        noise = (noise * 997 + 0.1).truncatingRemainder(dividingBy: 1)
        let jitter = 0.1 * (noise - 0.5)
        lines.append("view\(view).png \(pixel.x + jitter) \(pixel.y - jitter) 0")
      }
    }
    let path = folder.path + "/corners.vnl"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    return path
  }
}
