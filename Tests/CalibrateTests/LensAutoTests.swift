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
}
