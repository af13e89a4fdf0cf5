import CalibrationStore
import CameraModel
import Testing

@Suite("docs/record.schema.json")
struct RecordSchemaTests {
  private let validator: JSONSchemaValidator

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(bytes(of: "/\(root)/docs/record.schema.json"))
    validator = JSONSchemaValidator(root: try JSONValue(parsing: file))
  }

  private func json(_ record: IntrinsicsRecord) throws -> JSONValue {
    try JSONValue(parsing: Array(record.jsonText().utf8))
  }

  @Test("accepts the records that are written", arguments: LensModel.allCases)
  func accepts(_ model: LensModel) throws {
    let full = Sample.record(lensModel: model)
    #expect(validator.errors(try json(full)) == [])
    let small = Sample.smallRecord(device: "name:left", fx: 500)
    #expect(validator.errors(try json(small)) == [])
    #expect(
      validator.errors(try json(full.scaled(to: Resolution(width: 320, height: 240)))) == [])
  }

  @Test("accepts a record whose figures are not finite")
  func acceptsNull() throws {
    var record = Sample.record()
    record.standardDeviations = record.standardDeviations.mapValues { _ in .infinity }
    record.reprojectionError = .init(rms: .nan, sigma: .nan, heldOutSigma: nil)
    record.covariance?.noise[0][0] = .nan
    record.covariance?.viewToView = nil
    record.projectionUncertainty?.share = ["0.1": .nan]
    record.lensControls = nil
    #expect(validator.errors(try json(record)) == [])
  }

  @Test("refuses what the reader refuses")
  func refuses() throws {
    let good = try json(Sample.record())
    var count = 0
    for bad in BadFile.all where bad.text == nil && bad.code != .mismatch {
      var value = good
      bad.change(&value)
      // A schema cannot say that two numbers must agree, or what a calendar has.
      let isBeyondSchema = [
        "covariance.noise = [[", "covariance.noise.0 =", "covariance.noise.0.0",
        "covariance.viewToView", "covariance.parameters.0", "projectionUncertainty.columns",
        "projectionUncertainty.rows", "projectionUncertainty.sigma = []", "coverage.columns",
        "device.id = \"/dev", "device.id = \"xxx", "intrinsics.cx = -1e+39",
        "intrinsics.fx = 1e+300", "intrinsics.fx = 1e-60", "2026-02-30",
      ].contains { bad.name.contains($0) }
      if isBeyondSchema { continue }
      count += 1
      #expect(validator.errors(value) != [], "\(bad.name)")
    }
    #expect(count > 90)
  }
}
