import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import Frames
import Imaging
import Locking
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
    camera: CameraParameters = .example(.pinhole),
    finish: @escaping @Sendable (LiveStatus?) -> Bool = { _ in false },
    cancel: @escaping @Sendable (LiveStatus?) -> Bool = { _ in false }
  ) -> Run {
    let clock = VirtualClock()
    let pace = Lockstep()
    let log = Lock(Run())
    var session = LiveSession(
      options: CalibrationOptions(
        board: SessionTests.board, squareSizeIsKnown: true, jobs: 1), live: live,
      clock: { clock.now })
    session.onStatus = { status in
      log.withLock { $0.statuses.append(status) }
      clock.advance(seconds: step)
      pace.allow()
    }
    session.onNotice = { notice in log.withLock { $0.notices.append(notice) } }
    session.onKept = { _, name in log.withLock { $0.kept.append(name) } }
    session.wakeSource = { pace.allow(1_000_000) }
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
}
