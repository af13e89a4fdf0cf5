import BoardDetection
import Frames
import Testing

@testable import Calibration

@Suite("Whether the first frames show another board")
struct BoardTrialTests {
  private static let large = BoardSuggestion(columns: 17, rows: 12)
  private static let small = BoardSuggestion(columns: 9, rows: 6)

  private static func frames() -> [BoardTrial.Candidate] {
    (0..<BoardTrial.count).map { place in
      BoardTrial.Candidate(
        place: place,
        frame: Frame(name: "frame \(place)", index: place) {
          throw CalibrationError(.interrupted, "")
        },
        kind: .noBoard)
    }
  }

  @Test("Frames are looked at for what those before them show")
  func known() {
    var told: [[BoardSuggestion]] = []
    let answers = [nil, Self.large, Self.large, Self.large]
    let other = BoardTrial.otherBoard(in: Self.frames()) { frame, seen in
      told.append(seen)
      return answers[frame.place].map { BoardSighting(board: $0, endsAreSeen: true) }
    }
    #expect(other?.board == Self.large && other?.names.count == 3)
    #expect(told == [[], [], [Self.large], [Self.large]])
  }

  @Test("Two that do not agree are both told to those that follow, and nothing comes of it")
  func disagreement() {
    var told: [[BoardSuggestion]] = []
    let answers = [Self.large, Self.small, Self.large, Self.small]
    let other = BoardTrial.otherBoard(in: Self.frames()) { frame, seen in
      told.append(seen)
      return BoardSighting(board: answers[frame.place], endsAreSeen: true)
    }
    #expect(other == nil)
    #expect(told.last == [Self.large, Self.small])
  }
}
