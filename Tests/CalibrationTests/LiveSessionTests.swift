import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import CommandRunning
import Frames
import Imaging
import Locking
import TestSupport
import Testing

@testable import Calibration

@Suite("Live calibration")
struct LiveSessionTests {
  /// A run over a script, every frame looked at.
  struct Run {
    var result: LiveSession.Result?
    var error: (any Error)?
    var statuses: [LiveStatus] = []
    var notices: [String] = []
    var kept: [String] = []
  }

  static func run(
    _ shots: [LiveSource.Shot], live: LiveOptions = LiveOptions(), step: Double = 0,
    camera: CameraParameters = .example(.pinhole), board: ChessboardGeometry = SessionTests.board,
    write: Bool = false, holdFocus: (@Sendable ([LiveStatus]) throws -> [String])? = nil,
    finish: @escaping @Sendable (LiveStatus?) -> Bool = { _ in false },
    cancel: @escaping @Sendable (LiveStatus?) -> Bool = { _ in false }
  ) -> Run {
    let clock = VirtualClock()
    let pace = Lockstep()
    let log = Lock(Run())
    var live = live
    live.searchPatience = 60_000
    var session = LiveSession(
      options: CalibrationOptions(
        board: board, squareSizeIsKnown: true, jobs: 1), live: live,
      clock: { clock.now })
    session.onStatus = { status in
      log.withLock { $0.statuses.append(status) }
      clock.advance(seconds: step)
      pace.allow()
    }
    session.onNotice = { notice in log.withLock { $0.notices.append(notice) } }
    session.onKept = { image, name in
      log.withLock { $0.kept.append(name) }
      if write { try image.writePNG(toFileAt: name) }
    }
    session.wakeSource = { pace.allow(1_000_000) }
    if let holdFocus {
      session.holdFocus = { try holdFocus(log.withLock { $0.statuses }) }
    }
    session.isFinishRequested = { finish(log.withLock { $0.statuses.last }) }
    session.isCancelled = { cancel(log.withLock { $0.statuses.last }) }
    let source = LiveSource(camera: camera, shots: shots, clock: clock, pace: pace)
    var run = Run()
    do {
      run.result = try session.run(source)
    } catch {
      run.error = error
    }
    log.withLock { log in
      (run.statuses, run.notices, run.kept) = (log.statuses, log.notices, log.kept)
    }
    return run
  }

  static func poses(_ count: Int, seed: UInt64) throws -> [BoardPose] {
    try BoardPose.random(
      count, camera: .example(.pinhole), board: PrintedBoard(columns: 9, rows: 6),
      seed: seed)
  }

  @Test("A board moved about and held still: the goal is met, and K lies within 3 deviations")
  func whole() throws {
    let shots = LiveSource.shots(try Self.poses(24, seed: 21), moving: 6, still: 3)
    let run = Self.run(shots)
    let result = try #require(run.result, "\(String(describing: run.error))")
    #expect(result.ending == .goal)
    let count = result.status?.viewCount ?? 0
    #expect(count >= LiveOptions.fewestViewsForGoal)
    #expect(try #require(result.status?.p90) <= 0.8)
    #expect(result.kept.expectedCount == count)
    // Nothing that moved was kept, and no two frames of one pose.
    let kept = run.statuses.filter { if case .kept = $0.finding { true } else { false } }
    #expect(kept.allSatisfy { !shots[$0.frameIndex].isMoving })
    #expect(Set(kept.map { shots[$0.frameIndex].pose }).count == count)
    #expect(run.statuses.contains { if case .moving = $0.finding { true } else { false } })
    #expect(run.kept == (1...count).map(KeptFrames.fileName))
    // The kept frames give a record with the camera's own identity and controls.
    let record = try SessionTests.session().run(result.kept).record
    let truth = CameraParameters.example(.pinhole)
    for (name, (value, truth)) in zip(
      truth.lensModel.parameterNames, zip(record.camera.parameterVector, truth.parameterVector))
    {
      guard let deviation = record.standardDeviations[name] else { continue }
      #expect(abs(value - truth) < 3 * deviation, "\(name) \(value) ± \(deviation), truth \(truth)")
    }
    #expect(record.device.id.rawValue == "usb:1234:5678:0001")
    #expect(record.lensControls?["focus_absolute"]?.locked == true)
    #expect(try #require(record.projectionUncertainty?.p90) <= 0.8)
  }

  @Test("--views ends with so many views, whatever the goal")
  func viewCount() throws {
    var live = LiveOptions()
    live.viewCount = 4
    live.goal = .pixels(100)
    live.namePrefix = "frames/"
    let shots = LiveSource.shots(try Self.poses(6, seed: 5), moving: 3, still: 2)
    let run = Self.run(shots, live: live)
    let result = try #require(run.result)
    #expect(result.ending == .viewCount)
    #expect(
      run.kept
        == (1...4).map { "frames/view-00\($0).png" })
  }

  @Test("Enter ends with the views there are, but not before three")
  func enter() throws {
    let shots = LiveSource.shots(try Self.poses(6, seed: 5), moving: 3, still: 2)
    let asked = Lock(Set<Int>())
    let run = Self.run(
      shots,
      finish: { status in
        // Pressed once after the first view and once after the third.
        guard let count = status?.viewCount, [1, 3].contains(count) else { return false }
        return asked.withLock { $0.insert(count).inserted }
      })
    #expect(run.result?.ending == .finished)
    #expect(run.result?.kept.expectedCount == 3)
    #expect(run.notices.count == 1)
    #expect(run.notices.first?.contains("at least 3 views") == true)
  }

  @Test("Ctrl-C gives nothing, and a source that fails passes its error on")
  func cancelled() throws {
    let shots = LiveSource.shots(try Self.poses(4, seed: 5), moving: 3, still: 2)
    let run = Self.run(shots, cancel: { ($0?.viewCount ?? 0) >= 2 })
    #expect((run.error as? CalibrationError)?.code == .interrupted)
    let ended = Self.run(Array(shots.prefix(3)))
    #expect((ended.error as? CalibrationError)?.code == .tooFewViews)
    #expect(
      "\(ended.error.map { "\($0)" } ?? "")".contains("Only 1 view was kept until the frames"))
    let session = LiveSession(
      options: CalibrationOptions(board: SessionTests.board, squareSizeIsKnown: true, jobs: 1),
      live: LiveOptions(), clock: { 0 })
    #expect(throws: FramesError.self) { try session.run(FailingSource()) }
  }

  @Test("Without a new view for --give-up it ends: with advice, or with eight views that there are")
  func giveUp() throws {
    var live = LiveOptions()
    live.goal = .pixels(1e-6)
    live.giveUpSeconds = 60
    // No board at all; the clock goes on by 10 s a frame.
    let pose = try Self.poses(1, seed: 5)[0]
    let away = BoardPose(rotation: pose.rotation, translation: pose.translation + SIMD3(10, 0, 0))
    let empty = (0..<10).map { _ in LiveSource.Shot(pose: away, isMoving: false) }
    let none = Self.run(empty, live: live, step: 10)
    #expect((none.error as? CalibrationError)?.code == .tooFewViews)
    let message = none.error.map { "\($0)" } ?? ""
    #expect(message.contains("No 9x6 board was seen and none was added for 60 s (--give-up)"))
    #expect(none.notices.contains { $0.contains("No 9x6 board was seen yet") })
    // One view, then nothing new.
    let one = Self.run(
      (0..<12).map { _ in .init(pose: pose, isMoving: false) }, live: live, step: 10)
    #expect(one.error.map { "\($0)" }?.contains("Only 1 view was kept") == true)
    // Nine views, then nothing new: they are worth a calibration.
    var shots = LiveSource.shots(try Self.poses(9, seed: 6), moving: 2, still: 2)
    let last = try #require(shots.last)
    shots += (0..<12).map { _ in last }
    let nine = Self.run(shots, live: live, step: 8)
    #expect(nine.result?.ending == .gaveUp)
    #expect(nine.result?.kept.expectedCount == 9)
  }

  @Test("Damaged, blurred and repeated frames are not taken for a board at rest")
  func unusable() throws {
    let poses = try Self.poses(3, seed: 9)
    // Damaged frames between two good ones: those are no neighbours.
    var shots: [LiveSource.Shot] = []
    for index in 0..<6 {
      shots.append(.init(pose: poses[0], isMoving: false, isDamaged: index % 2 == 1))
    }
    let damaged = Self.run(shots)
    #expect(damaged.statuses.allSatisfy { $0.viewCount == 0 })
    #expect(damaged.statuses.last?.frames.damaged == 3)
    // Sharp first, then the same lens much softer.
    shots = (0..<3).map { _ in .init(pose: poses[0], isMoving: false) }
    shots += (0..<4).map { _ in .init(pose: poses[1], isMoving: false, blurSigma: 3.5) }
    let blurred = Self.run(shots)
    #expect(blurred.statuses.last?.viewCount == 1)
    #expect(blurred.statuses.contains { if case .blurred = $0.finding { true } else { false } })
  }

  @Test("A camera that gives each picture twice does not make a moving board rest")
  func repeated() throws {
    // Slow enough that a corner could be followed: 2 px a frame.
    let start = try Self.poses(1, seed: 9)[0]
    let source = RepeatingSource(
      (0..<6).map { step in
        BoardPose(
          rotation: start.rotation,
          translation: start.translation + SIMD3(0.001 * Double(step), 0, 0))
      }, times: 2)
    let seen = source.run()
    #expect(!seen.contains { if case .kept = $0 { true } else { false } })
    #expect(seen.contains { if case .moving(_?) = $0 { true } else { false } })
    // Four times the same picture is rest.
    let still = RepeatingSource([start], times: 4).run()
    #expect(still.contains { if case .kept = $0 { true } else { false } })
  }

  @Test("Another board than the one that is looked for is named")
  func otherBoard() throws {
    var live = LiveOptions()
    live.giveUpSeconds = 60
    let pose = try Self.poses(1, seed: 5)[0]
    let shots = (0..<12).map { _ in LiveSource.Shot(pose: pose, isMoving: false) }
    let run = Self.run(
      shots, live: live, step: 10,
      board: ChessboardGeometry(columns: 8, rows: 5, squareSizeMetres: 0.02))
    #expect(run.notices.contains { $0.contains("--board 9x6") })
    #expect(run.error.map { "\($0)" }?.contains("try --board 9x6") == true)
  }

  @Test("Kept frames, written as PNG and read back as photographs, give the same record")
  func sameAsPhotographs() throws {
    let folder = try TemporaryFolder()
    var live = LiveOptions()
    live.viewCount = 5
    live.namePrefix = folder.path + "/"
    let shots = LiveSource.shots(try Self.poses(5, seed: 33), moving: 2, still: 2)
    let run = Self.run(shots, live: live, write: true)
    let result = try #require(run.result, "\(String(describing: run.error))")
    let kept = try SessionTests.session().run(result.kept).record
    let source = try PhotographSource(paths: [folder.path], identity: kept.device)
    var again = try SessionTests.session().run(source).record
    #expect(again.views.map(\.source) == kept.views.map(\.source))
    // What only a camera knows.
    (again.pixelFormat, again.lensControls) = (kept.pixelFormat, kept.lensControls)
    // Which of the finders answers rests on their bounds on time.
    if Sanitizers.arePresent {
      #expect(abs(again.camera.intrinsics.fx - kept.camera.intrinsics.fx) < 0.1)
    } else {
      #expect(again == kept)
    }
  }
}

/// A source that fails at its first frame.
private struct FailingSource: FrameSource {
  var identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "usb:1:2:3"), name: "failing", identifiedBy: "test")
  var resolution = Resolution(width: 640, height: 480)
  var pixelFormat: String? { nil }
  var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  var notices: [String] { [] }
  var setAside: [SetAside] { [] }
  var expectedCount: Int? { nil }

  mutating func next() throws -> Frame? {
    throw FramesError(.unreadable, source: "camera", message: "was unplugged")
  }
}

/// Pictures of a board, each given several times, bit for bit.
private struct RepeatingSource {
  var images: [GrayImage]

  init(_ poses: [BoardPose], times: Int) {
    images = poses.enumerated().flatMap { index, pose in
      let image = BoardScene(
        camera: .example(.pinhole), board: PrintedBoard(columns: 9, rows: 6), pose: pose
      ).image(noiseSeed: UInt64(index))
      return Array(repeating: image, count: times)
    }
  }

  /// What the choice of views says of each.
  func run() -> [FrameFinding] {
    let mailbox = FrameMailbox()
    var views = LiveViews(
      CalibrationOptions(board: SessionTests.board, squareSizeIsKnown: true, jobs: 1),
      resolution: images[0].resolution, patience: 60_000)
    return images.enumerated().compactMap { index, image in
      mailbox.put(Frame(name: "\(index)", index: index, image: image), absenceNanoseconds: 0)
      guard case .delivery(let delivery) = mailbox.take(milliseconds: 0) else { return nil }
      return try? views.consider(delivery)
    }
  }
}
