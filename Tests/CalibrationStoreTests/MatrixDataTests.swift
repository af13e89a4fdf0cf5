import CameraModel
import FoundationEssentials
import Testing

@testable import CalibrationStore

@Suite("The delivered matrix")
struct MatrixDataTests {
  private let record = Sample.record()

  /// Pain 65: rows taken for columns, cx for cy.
  @Test("is 48 bytes, column-major: floats 0 5 8 9 10 are fx fy cx cy 1, all others zero")
  func bytes() {
    let data = record.matrixData
    #expect(data.count == 48)
    let floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let k = record.camera.intrinsics
    var expected = [Float](repeating: 0, count: 12)
    (expected[0], expected[5], expected[10]) = (Float(k.fx), Float(k.fy), 1)
    (expected[8], expected[9]) = (Float(k.cx), Float(k.cy))
    #expect(floats == expected)
    #expect(Array(data) == record.matrixBytes())
    // Padding is +0, not -0 or rubbish that compares equal.
    for index in [3, 7, 11] { #expect(floats[index].bitPattern == 0) }
  }

  @Test(
    "is aligned and no slice, so that a matrix can be loaded from it as Apple's sample code does")
  func loadable() {
    for _ in 0..<100 {
      let data = record.matrixData
      #expect(data.startIndex == 0)
      data.withUnsafeBytes { #expect(Int(bitPattern: $0.baseAddress) % 16 == 0) }
      let loaded = data.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
      #expect(loaded == record.matrix)
      let copy = Data([0]) + data
      let unaligned = copy.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: 1, as: matrix_float3x3.self)
      }
      #expect(unaligned == record.matrix)
    }
  }

  @Test("has the principal point half a pixel further from the corner than from the centre")
  func origin() {
    let (center, corner) = (record.matrix, record.matrix(origin: .corner))
    #expect(record.matrix(origin: .center) == center)
    #expect(corner.columns.2 == center.columns.2 + SIMD3(0.5, 0.5, 0))
    #expect(corner.columns.0 == center.columns.0 && corner.columns.1 == center.columns.1)
    #expect(record.matrixData(origin: .corner) != record.matrixData)
  }
}

@Suite("A scaled record")
struct ScaledRecordTests {
  @Test("is marked, follows the resize exactly and drops what it cannot know")
  func scaled() throws {
    let record = Sample.record(width: 1920, height: 1080)
    let scaled = record.scaled(to: Resolution(width: 960, height: 360))
    #expect(scaled.scaledFrom == record.camera.resolution)
    #expect(scaled.camera == record.camera.scaled(to: Resolution(width: 960, height: 360)))
    #expect(scaled.verdict.level == .usable)
    #expect(scaled.verdict.reasons.first?.contains("1920x1080") == true)
    #expect(scaled.reprojectionError == nil && scaled.projectionUncertainty == nil)
    let (old, new) = (try #require(record.covariance), try #require(scaled.covariance))
    // fx is halved, fy divided by three, coefficients stay.
    #expect(new.noise[0][0] == old.noise[0][0] / 4)
    #expect(abs(new.noise[0][1] - old.noise[0][1] / 6) < 1e-24)
    #expect(new.noise[4][4] == old.noise[4][4])
    #expect(scaled.standardDeviations["cx"] == 1 / 6.0)
    #expect(scaled.standardDeviations["k1"] == record.standardDeviations["k1"])
    #expect(record.scaled(to: record.camera.resolution) == record)
  }

  @Test("is never stored")
  func neverStored() throws {
    try withTemporaryFolder { folder in
      let scaled = Sample.record().scaled(to: Resolution(width: 320, height: 240))
      let error = try #require(throws: StoreError.self) {
        try IntrinsicsStore(root: folder).save(scaled, replace: true)
      }
      #expect(error.code == .invalidRecord)
      #expect(names(in: folder) == [])
    }
  }
}
