import CameraModel

@testable import CalibrationStore
@testable import StoreCommands

/// The store's files: a record, its points, the JSON under both, and the names of files and folders.
func fuzzStore(_ bytes: [UInt8]) {
  checkTree(bytes)
  do throws(StoreError) {
    check(try IntrinsicsRecord(jsonBytes: bytes, source: "record"))
  } catch {
    requirePrintable("\(error)")
  }
  checkPoints(bytes)
  if bytes.count <= 300 { checkNames(String(decoding: bytes, as: UTF8.self)) }
}

/// What a name stands for has that name and no other.
private func checkNames(_ name: String) {
  if let device = FileNames.device(ofFolder: name) {
    require((try? FileNames.folder(of: device)) == name, "a folder has one device: \(name)")
  }
  let sizes = [
    FileNames.resolution(ofRecord: name).map(FileNames.record),
    FileNames.resolution(ofPoints: name).map(FileNames.points),
    FileNames.resolution(ofHistory: name).map(FileNames.historyFolder),
  ]
  require(sizes.compactMap(\.self).allSatisfy { $0 == name }, "a file has one size: \(name)")
}

/// A tree that was read is written and read as the same tree.
private func checkTree(_ bytes: [UInt8]) {
  guard let tree = try? JSONValue(parsing: bytes) else { return }
  for text in [tree.jsonText(), tree.compactJSONText] {
    require((try? JSONValue(parsing: Array(text.utf8))) == tree, "JSON comes back: \(text)")
  }
}

/// A record that was read can be written, shown, used and read again.
private func check(_ record: IntrinsicsRecord) {
  do throws(StoreError) {
    let text = try record.jsonText()
    let again = try IntrinsicsRecord(jsonBytes: Array(text.utf8), source: "again")
    // Not the records: they may hold NaN where null stood.
    require(try again.jsonText() == text, "a record comes back: \(text)")
    require(again.camera == record.camera, "a camera comes back to the bit: \(text)")
    let folder = try FileNames.folder(of: record.device.id)
    if !FileNames.isCut(folder) {
      require(FileNames.device(ofFolder: folder) == record.device.id, "\(folder) is its device's")
    }
  } catch {
    require(false, "what was read can be written and read again: \(error)")
  }
  let camera = record.camera
  require(record.matrixBytes().count == 48, "a matrix has 48 bytes")
  for pixel in [SIMD2(0, 0), SIMD2(camera.intrinsics.cx, camera.intrinsics.cy), SIMD2(-1e9, 1e300)]
  {
    if let direction = camera.unproject(pixel) { _ = camera.project(direction) }
  }
  for origin in [PixelOrigin.center, .corner] {
    let now = UTCTime(secondsSince1970: 1_800_000_000)
    let report = RecordReport(record: record, path: "store/record.json", now: now, origin: origin)
    require(!report.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "a clean report")
  }
  _ = record.scaled(to: Resolution(width: 320, height: 240))
  _ = DeviceID(name: record.device.name)
}

/// The points are read as the store reads them, and come back.
private func checkPoints(_ bytes: [UInt8]) {
  do throws(StoreError) {
    let root = JSONField(try JSONValue(storedBytes: bytes, source: "points"))
    try root.checkSchema(IntrinsicsRecord.schemaVersion, source: "points")
    let points = try reading("points") { () throws(JSONError) in
      _ = try PointsStamp(root)
      return try CalibrationPoints(root)
    }
    let text = try points.jsonText(of: anyRecord)
    let again = JSONField(try JSONValue(storedBytes: Array(text.utf8), source: "again"))
    let pointsAgain = try reading("again") { () throws(JSONError) in try CalibrationPoints(again) }
    require(try pointsAgain.jsonText(of: anyRecord) == text, "points come back: \(text)")
  } catch {
    requirePrintable("\(error)")
    require(error.subject != "again", "points that were written can be read: \(error)")
  }
}

/// A record whose points they could be.
private let anyRecord = IntrinsicsRecord(
  device: .init(id: DeviceID(rawValue: "name:any"), name: "any", identifiedBy: "given name"),
  camera: CameraParameters(
    resolution: Resolution(width: 640, height: 480),
    intrinsics: Intrinsics(fx: 500, fy: 500, cx: 320, cy: 240)),
  verdict: .init(level: .good, reasons: []), created: "2026-11-30T05:21:30Z", tool: "fuzz")
