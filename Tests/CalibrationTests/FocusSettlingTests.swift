import BoardRendering
import Locking
import Testing

@testable import Calibration

@Suite("Waiting for the autofocus")
struct FocusSettlingTests {
  /// What is made of sightings at rest, a tenth of a second apart; nil blurs stand for a moving board.
  private static func outcome(
    _ blurs: [Double?], seen: Bool = true
  ) -> (FocusSettling.Outcome, Int)? {
    var settling = FocusSettling()
    for (index, blur) in blurs.enumerated() {
      let time = Double(index) / 10
      if let outcome = settling.look(restingBlur: blur, isSeen: seen, seconds: time) {
        return (outcome, index)
      }
    }
    return nil
  }

  @Test(
    "It has settled when the board at rest is equally sharp five times, and as sharp as it gets")
  func settled() throws {
    let steady = try #require(Self.outcome(Array(repeating: 0.8, count: 20)))
    #expect(steady == (.settled(blurSigma: 0.8), 4))
    // It hunts: past the focus and back.
    let hunting = [3, 2.2, 1.5, 0.9, 1.6, 2.4, 1.7, 1.0, 0.82, 0.8, 0.81, 0.8, 0.8, 0.8]
    let found = try #require(Self.outcome(hunting.map { $0 }))
    #expect(found == (.settled(blurSigma: 0.8), 12))
    // At rest far from where it was sharp: it is still on its way.
    #expect(Self.outcome([0.8, 2, 4, 4, 4, 4, 4, 4, 4, 4].map { $0 }) == nil)
    // A camera that is never sharp is judged by its own best.
    #expect(try #require(Self.outcome(Array(repeating: 4.1, count: 9))).1 == 4)
    // The board was moved in between.
    #expect(Self.outcome([0.8, 0.8, 0.8, nil, 0.8, 0.8, 0.8, 0.8, nil, 0.8]) == nil)
  }

  @Test("It is not waited for longer than ten seconds from the first sight of the board")
  func bound() throws {
    let restless = (0..<200).map { 1 + 0.5 * Double($0 % 4) }
    let outcome = try #require(Self.outcome(restless.map { $0 }))
    #expect(outcome == (.unsettled, 101))
    // Without a board there is nothing to focus on.
    #expect(Self.outcome(Array(repeating: nil, count: 500), seen: false) == nil)
  }

  @Test("Views count from when the focus is held, and frames that were under way do not")
  func countsFromThere() throws {
    let poses = try LiveSessionTests.poses(4, seed: 9)
    // The lens hunts while the first pose is held.
    var shots = [4, 3, 2, 1.4, 1, 1.2, 0.9, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7].map {
      LiveSource.Shot(pose: poses[0], isMoving: false, blurSigma: $0)
    }
    shots += (0..<12).map { _ in .init(pose: poses[0], isMoving: false) }
    shots += LiveSource.shots(poses, moving: 3, still: 3).dropFirst(3)
    let held = Lock<[Int]>([])
    let run = LiveSessionTests.run(
      shots,
      holdFocus: { statuses in
        held.withLock { $0.append(statuses.count) }
        return ["the focus is held"]
      })
    let moments = held.withLock { $0 }
    #expect(moments.count == 1)
    let moment = try #require(moments.first)
    // Not before it was sharp five times.
    #expect((10...14).contains(moment), "\(moment)")
    #expect(run.notices == ["the focus is held"])
    let kept = run.statuses.filter { if case .kept = $0.finding { true } else { false } }
    #expect(try #require(kept.first).frameIndex >= moment + 6)
    #expect(kept.count == 4)
    #expect(
      run.statuses[..<moment].contains { if case .focusing = $0.finding { true } else { false } })
  }

  @Test("A lens that cannot be held ends the session with its error")
  func failure() throws {
    struct Refused: Error {}
    let pose = try LiveSessionTests.poses(1, seed: 9)[0]
    let run = LiveSessionTests.run(
      (0..<9).map { _ in .init(pose: pose, isMoving: false) }, holdFocus: { _ in throw Refused() })
    #expect(run.error is Refused)
  }
}
