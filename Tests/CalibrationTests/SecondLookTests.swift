import BoardDetection
import BoardRendering
import Boards
import CalibrationSolver
import CameraModel
import Frames
import Locking
import Testing

@testable import Calibration

/// Views that the first solution explains badly are searched once more by the other finder.
@Suite("A second look")
struct SecondLookTests {
  private static let board = SessionTests.board

  /// What the first search finds in rendered frames, and the frames.
  private static func seen(
    _ count: Int, seed: UInt64
  ) throws -> (seen: SeenViews, frames: [Int: Frame], camera: CameraParameters) {
    var source = try RenderedSource.random(count, seed: seed)
    let camera = source.scenes[0].camera
    let detector = ChessboardDetector(board: board)
    var (events, frames): ([DetectionEvent], [Int: Frame]) = ([], [:])
    while let frame = source.next() {
      let found = try #require(try detector.detect(in: try frame.grayImage()).board)
      events.append(
        DetectionEvent(source: frame.name, index: frame.index, outcome: .found(found)))
      frames[frame.index] = frame
    }
    return (
      SeenViews(events, resolution: camera.resolution, SessionTests.session().options), frames,
      camera
    )
  }

  /// The same with other corners in one view.
  private static func damaged(
    _ seen: SeenViews, view: Int, _ damage: (inout DetectedBoard) -> Void
  ) -> SeenViews {
    var events = seen.events
    if case .found(var board) = events[view].outcome {
      damage(&board)
      events[view].outcome = .found(board)
    }
    return SeenViews(
      events, resolution: CameraParameters.example(.pinhole).resolution,
      SessionTests.session().options)
  }

  @Test("Corners that are off are found better, whether the view took part or was dropped")
  func better() throws {
    let (whole, frames, camera) = try Self.seen(14, seed: 11)
    let session = SessionTests.session()
    let reference = try session.solve(whole.selection, camera.resolution).settled.fit
    // A few pixels in one row: the view takes part. A column off by one: it does not fit.
    let damages: [(inout DetectedBoard) -> Void] = [
      { board in for corner in 0..<9 { board.corners[corner].x += 3 } },
      { board in
        let corners = board.corners
        for index in corners.indices where index % 9 > 4 {
          board.corners[index] = corners[index] + (corners[index] - corners[index - 1])
        }
      },
    ]
    for damage in damages {
      let damaged = Self.damaged(whole, view: 5, damage)
      let first = try session.solve(damaged.selection, camera.resolution).settled.fit
      let settled = try session.solved(
        damaged, camera.resolution, lookingAgainAt: frames)
      let fit = settled.outcome.settled.fit
      #expect(fit.members.count == 14)
      #expect(
        first.members.count < 14 || first.solution.rms > fit.solution.rms
          || first.views[5].usedCount < fit.views[5].usedCount)
      #expect(abs(fit.solution.rms / reference.solution.rms - 1) < 0.2)
      #expect(
        settled.details.contains {
          $0.contains("frame5: searched once more") && $0.contains("is kept")
        }, "\(settled.details)")
      // The points that are written are those that were solved for: with them it is the same camera.
      let alone = try session.solve(settled.seen.selection, camera.resolution).settled.fit
      #expect(alone.solution.camera == fit.solution.camera)
      let deviations = try ParameterCovariance(fit.solution).standardDeviations
      for (name, (one, two)) in zip(
        camera.lensModel.parameterNames,
        zip(fit.solution.camera.parameterVector, reference.solution.camera.parameterVector))
      {
        if let deviation = deviations[name] { #expect(abs(one - two) < deviation, "\(name)") }
      }
    }
  }

  @Test("Nothing is searched twice without need, without frames, or once it was stopped")
  func bounds() throws {
    let (whole, frames, camera) = try Self.seen(8, seed: 5)
    var session = SessionTests.session()
    let sound = try session.solved(whole, camera.resolution, lookingAgainAt: frames)
    #expect(sound.details.isEmpty, "\(sound.details)")
    #expect(sound.seen.events.count == 8)
    let damaged = Self.damaged(whole, view: 2) { board in
      for corner in 0..<9 { board.corners[corner].x += 3 }
    }
    #expect(try session.solved(damaged, camera.resolution, lookingAgainAt: [:]).details.isEmpty)
    // At most a quarter of the views.
    var all = whole
    for view in 0..<4 {
      all = Self.damaged(all, view: view) { board in
        for corner in stride(from: view, to: 54, by: 7) { board.corners[corner].y += 2 }
      }
    }
    let fit = try session.solve(all.selection, camera.resolution).settled.fit
    let look = SecondLook(fit, all.selection, frames, boardPoints: Self.board.cornerPoints)
    #expect(look.places.count <= 2)
    // Stopped while it looks again.
    let isStopped = Lock(false)
    session.onCalculation = { begins in if !begins { isStopped.withLock { $0 = true } } }
    session.isCancelled = { isStopped.withLock { $0 } }
    do {
      _ = try session.solved(damaged, camera.resolution, lookingAgainAt: frames)
      Issue.record("not stopped")
    } catch {
      #expect(error.code == .interrupted)
    }
  }
}
