import BoardDetection
import Frames

/// Whether the first frames of a source show another board than the one that is looked for.
///
/// People count squares instead of corners, or miss a row. Looking for a board that is not there takes
/// seconds a frame, so a few frames decide before any is searched at length.
struct BoardTrial: Sendable {
  /// So many readable frames, at the start, are looked at for another board.
  static let count = 4
  /// So many of them must show the same other board.
  static let majority = 3

  /// What a quick look at a frame says.
  enum Kind: Sendable, Hashable {
    /// The board that is looked for.
    case board
    /// A part of a larger board that looks like it.
    case part
    /// Nothing at once.
    case noBoard
    /// The frame can't be read, and shows no board, neither this nor another.
    case unreadable
  }

  /// A frame to look at for another board.
  struct Candidate: Sendable {
    var place: Int
    var frame: Frame
    var kind: Kind
  }

  /// A board of another size than the one that is looked for.
  struct OtherBoard: Sendable {
    /// Its size.
    var board: BoardSuggestion
    /// The frames that show it.
    var names: [String]
    /// Whether the board that is looked for was found as a part of it.
    var isLarger: Bool
  }

  /// The other board, once the trial has ended with one.
  private(set) var otherBoard: OtherBoard?
  /// Whether it is not known yet if the first frames show another board.
  private(set) var isOpen = true
  /// Whether frames are being looked at for another board: which of them are searched on, and which are
  /// told of, is only known at the end of that.
  var isRunning: Bool { hasBegun && isOpen }
  private var hasBegun = false
  private var seen: [Int: Candidate] = [:]
  private var next = 0
  private var candidates: [Candidate] = []

  /// Takes note of what a frame shows.
  mutating func note(_ kind: Kind, _ frame: Frame, at place: Int) {
    guard isOpen, !hasBegun else { return }
    seen[place] = Candidate(place: place, frame: frame, kind: kind)
    // In the order of the frames, whichever thread was quicker.
    while candidates.count < Self.count, let frame = seen.removeValue(forKey: next) {
      next += 1
      switch frame.kind {
      case .board: isOpen = false
      case .unreadable: break
      case .part, .noBoard: candidates.append(frame)
      }
      if !isOpen { return }
    }
  }

  /// The frames to look at for another board, once, when there are enough.
  mutating func begin() -> [Candidate]? {
    guard isOpen, !hasBegun, candidates.count == Self.count else { return nil }
    hasBegun = true
    return candidates
  }

  /// Ends the trial.
  mutating func end(_ other: OtherBoard?) {
    otherBoard = other
    isOpen = false
  }

  /// The other board that most of the frames show, and one of them up to all its ends; nil where they
  /// do not agree.
  ///
  /// - Parameter sight: The other board that a frame shows; it is told those that the frames before it show.
  static func otherBoard(
    in frames: [Candidate], sight: (Candidate, [BoardSuggestion]) -> BoardSighting?
  ) -> OtherBoard? {
    var known: [BoardSuggestion] = []
    var seen: [BoardSuggestion: [(frame: Candidate, endsAreSeen: Bool)]] = [:]
    var silent = 0
    for frame in frames {
      guard let sighting = sight(frame, known) else {
        silent += 1
        if silent > frames.count - majority { return nil }
        continue
      }
      if !known.contains(sighting.board) { known.append(sighting.board) }
      seen[sighting.board, default: []].append((frame, sighting.endsAreSeen))
    }
    guard let (board, sightings) = seen.first(where: { $0.value.count >= majority }),
      sightings.contains(where: \.endsAreSeen)
    else { return nil }
    return OtherBoard(
      board: board, names: sightings.map(\.frame.frame.name),
      isLarger: sightings.contains { $0.frame.kind == .part })
  }
}
