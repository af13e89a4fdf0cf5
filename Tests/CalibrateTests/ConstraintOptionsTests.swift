import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import OpenCV
import Testing

@Suite("Options for what is known beforehand")
struct ConstraintOptionsTests {
  /// The points of the sample photographs.
  private static let table = Result {
    let folder = try TemporaryFolder(named: "points")
    let path = folder.path + "/corners.json"
    _ = try CalibrateRun(
      [
        "--board", "9x6", "--square", "25mm", "--dump-corners", path, "--dry-run",
        CornersTests.samples,
      ])
    return (folder: folder, path: path)
  }

  private func run(_ options: String...) throws -> CalibrateRun {
    try CalibrateRun(
      ["--board", "9x6", "--square", "25mm", "--corners", Self.table.get().path] + options)
  }

  @Test("Square pixels, a fixed centre and no tangential distortion, in record and report")
  func record() throws {
    let run = try run("--square-pixels", "--zero-tangential", "--fix", "centre")
    let record = try #require(run.record, "\(run.messages)")
    let (camera, size) = (record.camera, record.camera.resolution)
    #expect(camera.intrinsics.fx == camera.intrinsics.fy)
    #expect(camera.intrinsics.cx == Double(size.width - 1) / 2)
    #expect(camera.intrinsics.cy == Double(size.height - 1) / 2)
    #expect(camera.distortion[2] == 0 && camera.distortion[3] == 0)
    #expect(record.standardDeviations["fx"] == record.standardDeviations["fy"])
    #expect(record.standardDeviations["cx"] == nil && record.standardDeviations["p1"] == nil)
    #expect(record.held["p2"] == "held at 0: --zero-tangential")
    #expect(record.held["fy"] == "the same number as fx: --square-pixels")
    #expect(record.covariance?.parameters.prefix(2) == ["fx", "fy"])
    #expect(run.output.contains("(held at 0: --zero-tangential)"))
    #expect(!run.output.contains("fx and fy 1.000"))
  }

  @Test("A prior and --coefficients go together")
  func prior() throws {
    let record = try #require(
      run("--coefficients", "2", "--prior", "k1=0:0.001,fx=1000±0.01", "--fix", "k2=0.01").record)
    #expect(abs(record.camera.intrinsics.fx - 1000) < 0.1)
    #expect(record.camera.distortion[1] == 0.01)
    #expect(record.held["k1"] == "held by a prior at 0 ± 0.001: --prior")
    #expect(record.held["p1"] == "held at 0: --coefficients")
    #expect(record.standardDeviations["k1"].map { $0 > 0 && $0 < 0.0011 } == true)
  }

  @Test("A bend is in the record and the report; --no-bend takes the board for flat, and says so")
  func bend() throws {
    let bent = try run()
    let record = try #require(bent.record, "\(bent.messages)")
    #expect(record.board?.bend != nil)
    #expect(bent.output.contains(" mm along the rows, "))
    let flat = try run("--no-bend")
    let other = try #require(flat.record)
    #expect(other.board?.bend == nil)
    #expect(other.held["bend"]?.contains("taken for flat (--no-bend)") == true)
    #expect(flat.output.contains("bend held at 0: the board is taken for flat (--no-bend)"))
  }

  @Test(
    "A value that no camera with such images has is refused before anything is solved",
    arguments: [
      (["--fix", "fx=1e-30"], "fx=1e-30 is no focal length of a camera with 640x480 images"),
      (["--fix", "fy=1e9"], "between 40 and 800000 pixels"),
      (["--fix", "fx=3.6"], "One in millimetres"),
      (["--prior", "fx=1e-30:1"], "--prior: fx=1e-30 is no focal length"),
      (["--prior", "fx=1000:1e-200"], "as good as fixed"),
      (["--fix", "cy=1e7"], "cy=10000000.0 is no centre of 640x480 images"),
      (["--prior", "cx=-1e6:1", "--lens", "auto"], "as a rule near the middle, 319.5"),
      (["--fix", "k1=1e9"], "k1=1000000000.0 is no distortion of a pinhole lens"),
      (["--fix", "k1=-30"], "k1=-30.0 is no distortion"),
      (["--fix", "p1=1e6", "--lens", "auto"], "p1=1000000.0 is no distortion"),
      (["--prior", "k2=1e12:1", "--lens", "fisheye"], "--prior: k2=1000000000000.0 is no"),
    ])
  func absurd(options: [String], message: String) throws {
    let run = try CalibrateRun(
      ["--board", "9x6", "--square", "25mm", "--corners", Self.table.get().path] + options)
    #expect(run.status == 64, "\(run.messages)")
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(run.record == nil)
  }

  @Test("A fixed value that the views contradict is named as the cause, with what they say")
  func contradicted() throws {
    let record = try #require(run("--fix", "fx=1100").record)
    let first = try #require(record.verdict.reasons.first)
    #expect(record.verdict.level != .good)
    #expect(
      first.hasPrefix("Check --fix, or leave it out: fx is held at 1100.00, but the views say "),
      "\(record.verdict.reasons)")
    let free = try #require(run().record)
    let fx = "\(Int(free.camera.intrinsics.fx))"
    #expect(first.contains(fx.dropLast()), "\(first), not \(fx)")
  }

  @Test(
    "What contradicts or has no meaning is a usage error that says what has",
    arguments: [
      (["--fix", "focal=3"], "it has fx, fy, cx, cy, k1, k2, p1, p2, k3"),
      (["--fix", "fx"], "--fix: fx needs a value above 0"),
      (["--fix", "fx=abc"], "--fix"), (["--prior", "fx=1400"], "has no deviation"),
      (["--prior", "fx=1400:0"], "must be above 0"),
      (["--fix", "p1=1", "--zero-tangential"], "--zero-tangential"),
      (["--zero-tangential", "--lens", "fisheye"], "no tangential coefficients"),
      (["--fix", "fx=900", "--prior", "fx=900:1"], "fixed by --fix"),
      (["--prior", "k3=0:1", "--coefficients", "4"], "--coefficients"),
    ])
  func usage(options: [String], message: String) throws {
    let run = try CalibrateRun(["--board", "9x6", "--dry-run", "nothing.png"] + options)
    #expect(run.status == 64)
    #expect(run.messages.contains(message), "\(run.messages)")
  }

  @Test(
    "Where a view stands in the way its image is named, not its place among those of the solver",
    arguments: ["fx=41", "fx=60", "fx=80"], [[], ["--no-outliers"]])
  func nameOfView(focal: String, options: [String]) throws {
    let run = try CalibrateRun(
      ["--board", "9x6", "--corners", Self.table.get().path, "--lens", "fisheye", "--fix", focal]
        + options)
    // The start that OpenCV 4.10 and 5.0 give leads to an answer here, however poor: no view stands in the
    // way. With 4.6 it leads to none.
    if !OpenCVLibrary.version.hasPrefix("4.6."), focal == "fx=60" || [focal] + options == ["fx=41"]
    {
      #expect(run.record?.verdict.level == .poor)
      return
    }
    #expect(run.record == nil)
    #expect(
      run.messages.contains(".png: its points do not determine where the board is"),
      "\(run.messages)")
    #expect(!run.messages.contains("(view "), "\(run.messages)")
  }
}
