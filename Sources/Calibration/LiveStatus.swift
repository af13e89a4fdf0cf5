package import CalibrationStore

/// What came of looking at one frame of a camera.
package enum FrameFinding: Sendable, Hashable {
  /// Too little to tell yet: the frame has no neighbour.
  case alone
  /// The frame arrived damaged, for the reason given.
  case damaged(String)
  /// The board is being searched for, which takes longer than the frame can be waited for.
  case searching
  /// The frame may become a view: that is being made sure of.
  case checking
  /// The board rests, with edges blurred by so many pixels (1σ), and the camera still focuses.
  case focusing(Double)
  /// No board is in it, or only a part of it.
  case noBoard
  /// The board moved by so many pixels since the frame before; nil: by too much to say.
  case moving(Double?)
  /// Its edges are blurred by so many pixels (1σ).
  case blurred(Double)
  /// The board is where it was in a kept view, by that view's number from 1.
  case alike(Int)
  /// The corners do not fit what the kept views say of the camera.
  case misfit
  /// The frame was kept as the view of this number, from 1.
  case kept(Int)

  /// Whether the board was seen in the frame.
  var showsBoard: Bool {
    switch self {
    case .alone, .moving, .blurred, .focusing, .alike, .misfit, .kept, .checking: true
    case .damaged, .searching, .noBoard: false
    }
  }

  /// Whether the frame arrived damaged.
  package var isDamaged: Bool {
    if case .damaged = self { true } else { false }
  }
}

/// How a live calibration stands, after each frame that was looked at.
package struct LiveStatus: Sendable {
  /// The number of the last frame in its source.
  package var frameIndex: Int
  /// What came of it.
  package var finding: FrameFinding
  /// The number of kept views.
  package var viewCount: Int
  /// The uncertainty that 90 % of the image stays within, pixels; nil while it can't be told.
  package var p90: Double?
  /// The uncertainty to reach, pixels.
  package var goal: Double
  /// Where corners were seen, and under which tilts; nil before the first view.
  package var coverage: IntrinsicsRecord.Coverage?
  /// What to do next, in words.
  package var hint: String
  /// What became of the frames.
  package var frames: FrameCounts
}

/// What became of a camera's frames.
package struct FrameCounts: Sendable, Hashable {
  /// Frames that the camera gave, damaged ones included.
  package var captured = 0
  /// Frames that were looked at.
  package var considered = 0
  /// Frames that came while another one was looked at, and were let go.
  package var skipped = 0
  /// Frames that arrived damaged, among those that were looked at.
  package var damaged = 0
  /// Frames that the camera's numbering skips: they were lost before they got here.
  package var lost = 0
  /// The most frames that came while one was looked at: how far what is said was behind the camera.
  package var largestLag = 0
  /// The longest time between a frame and the request for the next one: how long the capture was away
  /// from the camera.
  package var longestAbsenceNanoseconds: UInt64 = 0

  /// Nothing yet.
  package init() {}
}

/// Why a live calibration took no further views.
package enum LiveEnding: Sendable, Hashable {
  /// The goal was met on two views one after the other.
  case goal
  /// There are as many views as were asked for.
  case viewCount
  /// The user said so.
  case finished
  /// No view was accepted for too long.
  case gaveUp
  /// The source has no more frames.
  case sourceEnded
}
