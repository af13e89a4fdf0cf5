/// When a live calibration ends, and how its frames are called.
package struct LiveOptions: Sendable {
  /// The uncertainty to reach.
  package enum Goal: Sendable, Hashable {
    /// In pixels.
    case pixels(Double)
    /// As a share of the image's diagonal.
    case shareOfDiagonal(Double)

    /// The goal in pixels of an image with that diagonal.
    package func pixels(diagonal: Double) -> Double {
      switch self {
      case .pixels(let pixels): pixels
      case .shareOfDiagonal(let share): share * diagonal
      }
    }
  }

  /// The default goal, 0.1 % of the diagonal: the level that the verdict "good" is measured by.
  package static let defaultGoal = Goal.shareOfDiagonal(0.001)
  /// The goal is not believed before this many views: it is an estimate from the views at hand, and
  /// stopping on an estimate is optimistic.
  package static let fewestViewsForGoal = 8

  /// Ends when 90 % of the image is known to this, on two views one after the other.
  package var goal = LiveOptions.defaultGoal
  /// Ends with this many views, and not at the goal; nil: at the goal.
  package var viewCount: Int?
  /// Ends after so many seconds without an accepted view.
  package var giveUpSeconds = 600.0
  /// How long a search for the board is waited for, milliseconds; one that takes longer goes on while
  /// newer frames are looked at, so that what is said stays within two frames of a camera at 30 a second.
  package var searchPatience = 15
  /// What begins the names of kept frames: a folder's name and `/`, or nothing.
  package var namePrefix = ""

  /// Creates the defaults.
  package init() {}
}
