/// Waits until a camera's autofocus has settled on the board, before any view counts.
///
/// It has settled once the board was seen at rest so many times in a row, equally sharp each time and
/// nearly as sharp as it was seen at all. A lens that hunts on and on is not waited for longer than
/// `longestSeconds`, counted from the first sight of the board: before, there is nothing to focus on.
struct FocusSettling: Sendable {
  /// How waiting ended.
  enum Outcome: Sendable, Hashable {
    /// The lens rests, with edges blurred by so many pixels (1σ).
    case settled(blurSigma: Double)
    /// It did not come to rest in time.
    case unsettled
  }

  /// Sightings in a row that have to agree: at 30 frames a second a lens that still moves shows in a
  /// sixth of a second.
  static let sightings = 5
  /// The longest time that a lens is waited for, seconds.
  static let longestSeconds = 10.0
  /// The blur of these sightings differs by less than this factor...
  private static let spread = 1.15
  /// ...or by less than this, pixels, which is noise.
  private static let noise = 0.1

  private var blurs: [Double] = []
  private var leastBlur = Double.infinity
  private var firstSeen: Double?

  /// What came of looking at a frame; nil while there is reason to wait.
  ///
  /// - Parameters:
  ///   - restingBlur: The blur of the board's edges, pixels (1σ), where it was seen at rest; else nil.
  ///   - isSeen: Whether the board was seen at all.
  ///   - seconds: The time.
  mutating func look(restingBlur: Double?, isSeen: Bool, seconds: Double) -> Outcome? {
    if isSeen, firstSeen == nil { firstSeen = seconds }
    if let restingBlur {
      leastBlur = min(leastBlur, restingBlur)
      blurs.append(restingBlur)
      if blurs.count > Self.sightings { blurs.removeFirst() }
      if blurs.count == Self.sightings, let least = blurs.min(), let most = blurs.max(),
        most <= max(Self.spread * least, least + Self.noise),
        most <= max(ViewSelection.blurFloor, LiveViews.blurRatio * leastBlur)
      {
        return .settled(blurSigma: blurs.sorted()[Self.sightings / 2])
      }
    } else if isSeen {
      // Moved: focus may follow.
      blurs = []
    }
    guard let firstSeen, seconds - firstSeen > Self.longestSeconds else { return nil }
    return .unsettled
  }
}
