import CalibrationStore
import CameraModel
import Testing

@Suite("A record as JSON")
struct RecordCodingTests {
  @Test("reads back equal, whatever the lens model", arguments: LensModel.allCases)
  func roundTrip(_ model: LensModel) throws {
    let record = Sample.record(lensModel: model)
    let text = try record.jsonText()
    #expect(try IntrinsicsRecord(jsonBytes: Array(text.utf8)) == record)
    // The order of keys and the layout do not depend on hash seeds.
    #expect(try IntrinsicsRecord(jsonBytes: Array(text.utf8)).jsonText() == text)
  }

  @Test("with only what is required reads back equal")
  func minimal() throws {
    let full = Sample.record()
    let record = IntrinsicsRecord(
      device: full.device, camera: full.camera, verdict: full.verdict, created: full.created,
      tool: full.tool)
    #expect(try IntrinsicsRecord(jsonBytes: Array(record.jsonText().utf8)) == record)
  }

  @Test("holds the comparison of lens models only where one was made, and it must fit the record")
  func lensComparison() throws {
    var record = Sample.record()
    #expect(try record.jsonText().contains("\"standardErrorsBehindBest\": 2.75"))
    // Of a newer version, or of a model that has gone.
    record.lensComparison?.append(.init(lensModel: "mirrored"))
    #expect(
      try IntrinsicsRecord(jsonBytes: Array(record.jsonText().utf8)).lensComparison
        == record.lensComparison)
    #expect(record.scaled(to: Resolution(width: 320, height: 240)).lensComparison == nil)
    let good = record
    let faults: [@Sendable (inout [IntrinsicsRecord.LensCandidate]) -> Void] = [
      { $0[0].isChosen = false }, { $0[1].isChosen = true }, { $0[1].lensModel = "pinhole" },
      { $0[0].sigma = -1 }, { $0[0].heldOutSigma = .nan }, { $0[0].imageShare = 1.5 },
      { $0[0].standardErrorsBehindBest = .infinity }, { $0[0].parameterCount = -1 },
      { $0.removeAll() },
    ]
    for fault in faults {
      record = good
      fault(&record.lensComparison!)
      #expect(throws: StoreError.self) { try record.jsonText() }
    }
    record.lensComparison = nil
    #expect(try !record.jsonText().contains("lensComparison"))
  }

  @Test("holds the other side of a square only where both were measured")
  func unequalSides() throws {
    var record = Sample.record()
    #expect(try !record.jsonText().contains("squareHeight"))
    record.board?.squareHeight = 0.02503
    let text = try record.jsonText()
    #expect(text.contains("\"squareHeight\": 0.02503"))
    #expect(try IntrinsicsRecord(jsonBytes: Array(text.utf8)) == record)
  }

  @Test("holds a bend only where it was asked for, and refuses one that is none")
  func bend() throws {
    var record = Sample.record()
    #expect(try !record.jsonText().contains("\"bend\""))
    record.board?.bend = .init(x: 1.5e-4, y: -2e-5, deviationX: 1e-5, deviationY: 2e-5)
    record.held["bend"] = "held by a prior"
    let text = try record.jsonText()
    #expect(text.contains("\"bend\": {"))
    #expect(try IntrinsicsRecord(jsonBytes: Array(text.utf8)) == record)
    for (broken, key) in [
      (text.replacing("0.00015", with: "null"), "board.bend.x"),
      (text.replacing("0.00015", with: "\"a\""), "board.bend.x"),
    ] {
      #expect {
        try IntrinsicsRecord(jsonBytes: Array(broken.utf8))
      } throws: {
        ($0 as? StoreError)?.code == .invalidRecord && "\($0)".contains(key)
      }
    }
    record.board?.bend?.deviationY = -1
    #expect(throws: StoreError.self) { try record.jsonText() }
    record.board?.bend = .init(x: .nan, y: 0, deviationX: 0, deviationY: 0)
    #expect(throws: StoreError.self) { try record.jsonText() }
  }

  @Test("gives every double back to the same bits")
  func doublesAreExact() throws {
    var generator = SeededGenerator(state: 20)
    var record = Sample.record()
    var values = (0..<5000).map { _ in generator.finiteDouble() }
    values += [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1, 1 / 3.0, 2e15, 1e16, 1e22, 1e23,
    ]
    values += Array(repeating: 0, count: (3 - values.count % 3) % 3)
    record.views = stride(from: 0, to: values.count, by: 3).map { i in
      .init(
        source: "\(i)", used: true,
        pose: .init(
          rotation: SIMD3(values[i], values[i + 1], values[i + 2]), translation: SIMD3()))
    }
    let read = try IntrinsicsRecord(jsonBytes: Array(record.jsonText().utf8))
    for (view, other) in zip(record.views, read.views) {
      let (a, b) = (try #require(view.pose).rotation, try #require(other.pose).rotation)
      for index in 0..<3 { #expect(a[index].bitPattern == b[index].bitPattern) }
    }
  }

  @Test("never holds a number that is not finite")
  func nonFinite() throws {
    var record = Sample.record()
    record.standardDeviations["fx"] = .infinity
    record.reprojectionError = .init(rms: .nan, sigma: -.infinity, heldOutSigma: .nan)
    record.projectionUncertainty?.sigma[3] = .infinity
    let text = try record.jsonText()
    for word in ["nan", "inf", "Infinity", "NaN"] { #expect(!text.contains(": \(word)")) }
    let read = try IntrinsicsRecord(jsonBytes: Array(text.utf8))
    #expect(read.standardDeviations["fx"]?.isNaN == true)
    #expect(read.reprojectionError?.rms.isNaN == true)
    #expect(read.reprojectionError?.heldOutSigma == nil)
    #expect(read.projectionUncertainty?.sigma[3] == nil)
  }

  @Test("keeps arrays of numbers on one line")
  func layout() throws {
    let lines = try Sample.record().jsonText().split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("    \"sigma\": [null, ") && $0.hasSuffix("],") })
    #expect(lines.contains { $0.hasPrefix("  \"intrinsics\": {\"fx\": 533.0123456789, ") })
    #expect(lines.first == "{")
    #expect(lines.dropFirst().first == "  \"schema\": 1,")
  }

  @Test("has the keys of the schema in its order")
  func keys() throws {
    let value = try JSONValue(parsing: Array(Sample.record().jsonText().utf8))
    let keys = try JSONField(value).members().map(\.key)
    #expect(
      keys == [
        "schema", "device", "resolution", "pixelOrigin", "lensModel", "intrinsics", "distortion",
        "standardDeviations", "covariance", "reprojectionError", "held", "projectionUncertainty",
        "board", "views", "coverage", "verdict", "lensControls", "created", "tool", "pixelFormat",
        "lensComparison", "residualPatterns",
      ])
  }
}
