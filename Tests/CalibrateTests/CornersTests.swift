import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import Testing

@Suite("--corners and --dump-corners")
struct CornersTests {
  static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "samples/board-sequence").path(percentEncoded: false)

  /// One calibration of the sample photographs, its points dumped as a table.
  private struct Dumped: Sendable {
    var folder: TemporaryFolder
    var run: CalibrateRun
    var table: String { folder.path + "/corners.vnl" }
  }

  private static let dumped = Result {
    let folder = try TemporaryFolder(named: "dumped")
    let run = try CalibrateRun(
      [
        "--board", "9x6", "--square", "25mm", "--dump-corners", folder.path + "/corners.vnl",
        samples,
      ])
    return Dumped(folder: folder, run: run)
  }

  private func write(_ text: String, _ name: String = "table.vnl") throws -> (
    TemporaryFolder, String
  ) {
    let folder = try TemporaryFolder(named: "points")
    let path = folder.path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: path))
    return (folder, path)
  }

  private func lines(_ path: String) throws -> [String] {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test("From the dump the camera is the same to the bit, as text, as JSON and as JSON of the text")
  func sameBits() throws {
    let dumped = try Self.dumped.get()
    let first = try #require(dumped.run.record, "\(dumped.run.messages)")
    let size = "\(first.camera.resolution)"
    let json = dumped.folder.path + "/corners.json"
    let text = try CalibrateRun(
      [
        "--board", "9x6", "--square", "25mm", "--size", size, "--dump-corners", json, "--corners",
        dumped.table,
      ])
    // JSON says the size itself; 6x9 is the same board.
    let again = try CalibrateRun(["--board", "6x9", "--square", "25mm", "--corners", json])
    for run in [text, again] {
      let record = try #require(run.record, "\(run.messages)")
      #expect(
        record.camera.parameterVector.map(\.bitPattern)
          == first.camera.parameterVector.map(\.bitPattern))
      #expect(record.standardDeviations == first.standardDeviations)
      #expect(record.views.filter(\.used) == first.views.filter(\.used))
      #expect(run.points?.views.map(\.pixels) == dumped.run.points?.views.map(\.pixels))
      #expect(record.device.id.rawValue == "name:dumped")
    }
  }

  @Test("The points file beside a record serves as well")
  func pointsFile() throws {
    let dumped = try Self.dumped.get()
    let first = try #require(dumped.run.record)
    let store = try TemporaryFolder()
    let path = store.path + "/p"
    _ = try IntrinsicsStore(root: path).save(first, points: dumped.run.points)
    let file = try #require(
      FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        .first { $0.hasSuffix(".points.json") })
    let run = try CalibrateRun(
      ["--board", "9x6", "--square", "25mm", "--corners", path + "/" + file])
    let camera = try #require(run.record, "\(run.messages)").camera
    #expect(
      camera.parameterVector.map(\.bitPattern) == first.camera.parameterVector.map(\.bitPattern))
    // It is the record's camera, whatever the store's folders are called.
    #expect(run.record?.device == first.device)
    let named = try CalibrateRun(
      ["--board", "9x6", "--device-name", "Other", "--corners", path + "/" + file])
    #expect(named.record?.device.id.rawValue == "name:other")
  }

  @Test(
    "With weights, wrong points and wrong views, too, what was dumped and stored gives the same bits"
  )
  func sameBitsOfBadPoints() throws {
    let dumped = try Self.dumped.get()
    let size = "\(try #require(dumped.run.record).camera.resolution)"
    var count = 0
    var places: [String: Int] = [:]
    let rows = try lines(dumped.table).filter { !$0.hasPrefix("#") }.map { line -> String in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, words[3] != "-", let x = Double(words[1]), let y = Double(words[2])
      else { return line }
      count += 1
      let place = places[words[0], default: 0]
      places[words[0]] = place + 1
      let sigma = 0.05 + 0.01 * Double(count % 7)
      if count % 40 == 0 { return "\(words[0]) \(x) \(y) -" }
      if count % 61 == 0 { return "\(words[0]) - - -" }
      if count % 97 == 0 { return "\(words[0]) \(x + 5) \(y - 4) \(sigma)" }
      // The third view is bent out of shape.
      let bulge = places.count == 3 ? 9 * sin(Double(place)) : 0
      return "\(words[0]) \(x + bulge) \(y) \(sigma)"
    }
    let (folder, path) = try write((["# filename x y sigma"] + rows).joined(separator: "\n"))
    let store = folder.path + "/store"
    let first = try CalibrateRun(
      [
        "--board", "9x6", "--square", "25mm", "--size", size, "--dump-corners",
        folder.path + "/again.vnl", "--corners", path,
      ], intoStoreAt: store)
    let record = try #require(first.record, "\(first.messages)")
    let points = try #require(first.points)
    #expect(record.views.contains { !$0.used && $0.reason != "the table has no points of it" })
    #expect(points.views.contains { $0.used.contains(true) && $0.offered != nil })
    let stored = try #require(
      FileManager.default.enumerator(atPath: store)?.compactMap { $0 as? String }
        .first { $0.hasSuffix(".points.json") })
    let json = folder.path + "/again.json"
    for arguments in [
      ["--size", size, "--dump-corners", json, "--corners", folder.path + "/again.vnl"],
      ["--corners", json], ["--corners", store + "/" + stored],
    ] {
      let run = try CalibrateRun(["--board", "9x6", "--square", "25mm"] + arguments)
      let again = try #require(run.record, "\(run.messages)")
      #expect(
        again.camera.parameterVector.map(\.bitPattern)
          == record.camera.parameterVector.map(\.bitPattern), "\(arguments)")
      #expect(again.standardDeviations == record.standardDeviations)
      #expect(again.reprojectionError == record.reprojectionError)
      #expect(run.points == points)
    }
  }

  @Test("Tables column by column and in reverse give the same camera, and this is said")
  func otherOrders() throws {
    let dumped = try Self.dumped.get()
    let first = try #require(dumped.run.record)
    var images: [[String]] = []
    for line in try lines(dumped.table) where !line.hasPrefix("#") {
      let name = line.prefix { $0 != " " }
      if images.last?.first?.hasPrefix(name + " ") == true {
        images[images.count - 1].append(line)
      } else {
        images.append([line])
      }
    }
    let orders: [([Int], String)] = [
      ((0..<54).map { ($0 % 6) * 9 + $0 / 6 }, "column by column"),
      ((0..<54).map { (5 - $0 / 9) * 9 + $0 % 9 }, "mirrored order"),
    ]
    for (order, words) in orders {
      let rows = images.flatMap { image in image.count == 54 ? order.map { image[$0] } : image }
      let (folder, path) = try write(rows.joined(separator: "\n"))
      let run = try withExtendedLifetime(folder) {
        try CalibrateRun(
          ["--board", "9x6", "--size", "\(first.camera.resolution)", "--corners", path])
      }
      #expect(run.messages.contains(words), "\(run.messages)")
      let camera = try #require(run.record, "\(run.messages)").camera
      for (a, b) in zip(camera.parameterVector, first.camera.parameterVector) {
        // Turned boards give other poses, and the search ends within 1e-4 of a deviation.
        #expect(abs(a - b) < 1e-4 * max(1, abs(b)))
      }
    }
  }

  @Test("Points that are said to be known badly count for less")
  func weights() throws {
    let dumped = try Self.dumped.get()
    let first = try #require(dumped.run.record)
    // Every third point is off by up to 3 px, and its sigma says so.
    var count = 0
    let rows = try lines(dumped.table).filter { !$0.hasPrefix("#") }.map { line -> String in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, words[3] != "-", let x = Double(words[1]), let y = Double(words[2])
      else { return line }
      count += 1
      guard count % 3 == 0 else { return "\(words[0]) \(x) \(y) 0.1" }
      let shift = 3 * (Double(count % 11) / 5 - 1)
      return "\(words[0]) \(x + shift) \(y - shift) 3"
    }
    let size = "\(first.camera.resolution)"
    func camera(_ legend: String) throws -> (CameraParameters, Double) {
      let (folder, path) = try write(([legend] + rows).joined(separator: "\n"))
      let run = try withExtendedLifetime(folder) {
        try CalibrateRun(["--board", "9x6", "--size", size, "--corners", path])
      }
      let record = try #require(run.record, "\(run.messages)")
      return (record.camera, try #require(record.standardDeviations["fx"]))
    }
    let (weighted, deviation) = try camera("# filename x y sigma")
    let fx = first.camera.intrinsics.fx
    #expect(abs(weighted.intrinsics.fx - fx) < 3 * deviation)
    // A third of the points is as good as lost; with equal weights the deviation is far larger.
    let known = try #require(first.standardDeviations["fx"])
    #expect(deviation < 2 * known && deviation > 0.8 * known, "\(deviation) after \(known)")
  }

  @Test("What can't be used ends with a status of its own and says what to do")
  func failures() throws {
    let dumped = try Self.dumped.get()
    let (folder, path) = try write("# filename x y\na.jpg 1 nan\n")
    let cases: [([String], Int, String)] = [
      (["--corners", dumped.table], 64, "--size"),
      (["--corners", path, "--size", "640x480"], 65, "\(path):2: y is 'nan'"),
      (["--corners", dumped.table, "--size", "320x240"], 65, "check --size"),
      (["--corners", folder.path + "/none", "--size", "640x480"], 66, "No such file"),
      (["--corners", folder.path, "--size", "640x480"], 66, "is a folder"),
      (["--corners", "/dev/null", "--size", "640x480"], 66, "no regular file"),
      (["--corners", dumped.table, "--size", "1280x720", "--draw", "x"], 64, "needs images"),
      (["--corners", dumped.table, "--size", "1280x720", "--goal", "1px"], 64, "is for cameras"),
      (["--corners", dumped.table, dumped.table, "--size", "1280x720"], 65, "stands twice"),
      (
        ["--corners", dumped.table, "--size", "1280x720", "--dump-corners", "/none/x"], 73, "/none"
      ),
      (["--dump-corners", "-", "x.png"], 64, "name a file"),
    ]
    for (arguments, status, words) in cases {
      let run = try CalibrateRun(["--board", "9x6"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.messages)")
      #expect(run.messages.contains(words), "\(arguments): \(run.messages)")
    }
  }

  @Test("Views without a board, and names, go from the table into the record")
  func names() throws {
    let dumped = try Self.dumped.get()
    let size = "\(try #require(dumped.run.record).camera.resolution)"
    let rows = try lines(dumped.table).filter { !$0.hasPrefix("#") }
    let (folder, path) = try write((["odd.jpg - -"] + rows).joined(separator: "\n"))
    let record = try withExtendedLifetime(folder) {
      try #require(try CalibrateRun(["--board", "9x6", "--size", size, "--corners", path]).record)
    }
    #expect(record.views.first?.source == "odd.jpg")
    #expect(record.views.first?.used == false)
    #expect(record.views.first?.reason == "the table has no points of it")
  }

  @Test("Levels and the deviations that they stand for give the same figures")
  func mixedLevels() throws {
    let dumped = try Self.dumped.get()
    let size = "\(try #require(dumped.run.record).camera.resolution)"
    let points = try lines(dumped.table).filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
    func run(_ column: String, _ values: [String]) throws -> CalibrateRun {
      let rows = points.enumerated().map { "\($1) \(values[$0 % 2])" }
      let (folder, path) = try write(
        (["# filename x y \(column)"] + rows).joined(separator: "\n"))
      return try withExtendedLifetime(folder) {
        try CalibrateRun(["--board", "9x6", "--size", size, "--corners", path])
      }
    }
    let levels = try #require(try run("level", ["3", "4"]).record)
    let sigmas = try #require(try run("sigma", ["8", "16"]).record)
    #expect(levels.reprojectionError == sigmas.reprojectionError)
    #expect(levels.standardDeviations == sigmas.standardDeviations)
    #expect(levels.verdict == sigmas.verdict)
  }

  @Test("--no-outliers takes wrong points as they are")
  func noOutliers() throws {
    let dumped = try Self.dumped.get()
    let size = "\(try #require(dumped.run.record).camera.resolution)"
    // Twice a corner that is 8 px off.
    var count = 0
    let rows = try lines(dumped.table).filter { !$0.hasPrefix("#") }.map { line -> String in
      let words = line.split(separator: " ").map(String.init)
      count += 1
      guard count == 100 || count == 300, let x = Double(words[1]) else { return line }
      return "\(words[0]) \(x + 8) \(words[2]) 0"
    }
    let (folder, path) = try write((["# filename x y level"] + rows).joined(separator: "\n"))
    let arguments = ["--board", "9x6", "--size", size, "--corners", path]
    let (usual, all) = try withExtendedLifetime(folder) {
      (
        try CalibrateRun(arguments), try CalibrateRun(arguments + ["--no-outliers"])
      )
    }
    let flags = try [usual, all].map { try #require($0.points).views.flatMap(\.used) }
    #expect(flags[0].count { !$0 } >= 2)
    #expect(!flags[1].contains(false))
    let errors = try [usual, all].map { try #require($0.record?.reprojectionError).rms }
    #expect(errors[1] > 2 * errors[0], "\(errors)")
  }
}
