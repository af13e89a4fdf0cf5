import BoardRendering
import Boards
import Calibration
import CalibrationStore
import CameraModel
import Dispatch
import Frames
import Locking
import Testing

@Suite("Calibration session")
struct SessionTests {
  static let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)

  static func session(_ board: ChessboardGeometry = board, jobs: Int = 2) -> CalibrationSession {
    CalibrationSession(
      options: CalibrationOptions(board: board, squareSizeIsKnown: true, jobs: jobs), tool: "test",
      created: UTCTime(secondsSince1970: 0))
  }

  @Test("From rendered frames to a record: each parameter within 3.5 deviations of the truth")
  func truth() throws {
    let camera = CameraParameters.example(.pinhole)
    let source = try RenderedSource.random(14, camera: camera, seed: 11)
    let result = try Self.session().run(source)
    let record = result.record
    #expect(record.views.count { $0.used } == 14)
    for (name, (value, truth)) in zip(
      camera.lensModel.parameterNames, zip(record.camera.parameterVector, camera.parameterVector))
    {
      guard let deviation = record.standardDeviations[name] else { continue }
      #expect(
        abs(value - truth) < 3.5 * deviation, "\(name) \(value) ± \(deviation), truth \(truth)")
    }
    #expect(record.standardDeviations["fx"].map { $0 < 3 } == true)
    #expect(record.verdict.level != .poor, "\(record.verdict.reasons)")
    // The poses are the board's.
    let pose = try #require(record.views[0].pose)
    let distance = pose.translation - source.scenes[0].pose.translation
    #expect((distance * distance).sum().squareRoot() < 0.003)
    #expect(result.points.views.count == 14)
  }

  @Test("The result does not depend on the number of threads, and 6x9 is the same board as 9x6")
  func sameAnswer() throws {
    let source = try RenderedSource.random(7, seed: 5)
    let one = try Self.session(jobs: 1).run(source).record
    let two = try Self.session(jobs: 2).run(source).record
    #expect(one == two)
    let turned = ChessboardGeometry(columns: 6, rows: 9, squareSizeMetres: 0.025)
    let other = try Self.session(turned).run(source).record
    #expect(one == other)
  }

  @Test("Every 10th frame of a video counts like every photograph of a folder")
  func everyTenthFrame() throws {
    var source = try RenderedSource.random(7, seed: 5)
    let all = try Self.session().run(source)
    source.every = 10
    let tenths = try Self.session().run(source)
    #expect(tenths.record.camera == all.record.camera)
    #expect(tenths.record.views.map(\.source) == (0..<7).map { "frame\($0 * 10)" })
  }

  @Test(
    "Coefficients that --coefficients leaves out are 0, not what the start values say",
    arguments: [
      (LensModel.pinhole, 0), (.pinhole, 1), (.pinhole, 3), (.rational, 2), (.fisheye, 0),
    ])
  func heldAtZero(_ lensModel: LensModel, _ count: Int) throws {
    var session = Self.session()
    session.options.lensModel = lensModel
    session.options.coefficientCount = count
    let camera = try session.run(RenderedSource.random(7, seed: 5)).record.camera
    // One that is asked for may be 0, too: where it would fold over.
    #expect(camera.parameterVector.dropFirst(4 + count).allSatisfy { $0 == 0 })
    #expect(count < 2 || camera.parameterVector[5] != 0)
  }

  @Test("Frames without a board, a frame twice and a wrong board leave the camera as it is")
  func strayFrames() throws {
    let clean = try RenderedSource.random(9, seed: 8)
    var scenes = clean.scenes
    scenes.append(scenes[3])
    var empty = scenes[0]
    empty.pose.translation += SIMD3(10, 0, 0)
    scenes.insert(empty, at: 2)
    let result = try Self.session().run(RenderedSource(scenes)).record
    #expect(result.views.count == 11)
    #expect(result.views[2].used == false)
    #expect(result.views[10].reason == "duplicate of frame4")
    #expect(result.views.count { $0.used } == 9)
  }

  @Test("No board at all, and too few, are errors that say what to do")
  func tooFew() throws {
    var scenes = try RenderedSource.random(3, seed: 8).scenes
    let two = RenderedSource(Array(scenes.prefix(2)))
    #expect {
      try Self.session().run(two)
    } throws: {
      ($0 as? CalibrationError)?.code == .tooFewViews && "\($0)".contains("Only 2 of 2")
    }
    // Three will do, and are not enough to tell how flat the board is.
    let three = try Self.session().run(RenderedSource(scenes)).record
    #expect(three.held["bend"]?.hasSuffix(": fewer than 6 views") == true, "\(three.held)")
    for index in scenes.indices { scenes[index].pose.translation += SIMD3(10, 0, 0) }
    let none = RenderedSource(scenes)
    #expect {
      try Self.session().run(none)
    } throws: {
      "\($0)".contains("No 9x6 board was found in 3 images")
    }
  }

  @Test(
    "After four images that show another board the rest is not searched in vain",
    arguments: [(10, 7), (8, 6), (9, 7), (5, 4), (12, 9)])
  func wrongBoard(columns: Int, rows: Int) throws {
    let source = try RenderedSource.random(
      8, seed: 18, ranges: PoseRanges(cover: 0.55...0.7, tiltDegrees: 0...25))
    let board = ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 0.025)
    let told = Lock<[String]>([])
    var session = Self.session(board)
    session.onEvent = { event in told.withLock { $0.append(event.source) } }
    let start = DispatchTime.now().uptimeNanoseconds
    #expect {
      try session.run(source)
    } throws: {
      let text = "\($0)"
      return ($0 as? CalibrationError)?.code == .tooFewViews
        && text.contains("The first 4 images show ") && text.contains("\(columns)x\(rows) board")
        && text.contains("9x6 inner corners (10x7 squares)") && text.contains("try --board 9x6")
        && text.contains("The rest was not searched")
    }
    print("wrong board: \(Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9) s")
    #expect(told.withLock { $0 } == (0..<4).map { "frame\($0)" })
  }

  @Test("Where only the first frames show another board, all are searched")
  func boardsOfTwoSizes() throws {
    let ranges = PoseRanges(cover: 0.55...0.7, tiltDegrees: 0...25)
    let other = PrintedBoard(columns: 8, rows: 5)
    let camera = CameraParameters.example(.pinhole)
    let first = try BoardPose.random(2, camera: camera, board: other, ranges: ranges, seed: 5)
      .map { BoardScene(camera: camera, board: other, pose: $0) }
    let rest = try RenderedSource.random(6, seed: 18, ranges: ranges).scenes
    let source = RenderedSource(first + rest)
    let told = Lock<[String]>([])
    var session = Self.session()
    session.onEvent = { event in
      if case .found = event.outcome { told.withLock { $0.append(event.source) } }
    }
    _ = try session.run(source)
    #expect(told.withLock { $0 } == (2..<8).map { "frame\($0)" })
  }

  @Test("A cancelled session throws and gives no record")
  func cancelled() throws {
    var session = Self.session()
    session.isCancelled = { true }
    let source = try RenderedSource.random(3, seed: 8)
    #expect { try session.run(source) } throws: {
      ($0 as? CalibrationError)?.code == .interrupted
    }
  }

  @Test("Views from one angle are poor, with deviations that say so, however small the RMS")
  func oneAngle() throws {
    let source = try RenderedSource.random(
      12, seed: 3,
      ranges: PoseRanges(cover: 0.45...0.55, tiltDegrees: 0...1.5, rollDegrees: -3...3))
    let record = try Self.session().run(source).record
    #expect(record.verdict.level == .poor)
    #expect((record.reprojectionError?.rms ?? 9) < 0.3)
    #expect(record.standardDeviations["fx"].map { $0 > 5 } == true)
    #expect(record.verdict.reasons.contains { $0.contains("ilt the board") })
  }
}
