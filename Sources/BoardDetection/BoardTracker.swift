internal import Boards
package import Imaging

/// Follows a board from one image of a camera to the next, without searching.
///
/// The corners are expected where the board's last movement would bring them, aligned with the image by
/// the pattern of the squares, and refined as those of a search are; so they are the same to a hundredth
/// of a pixel. What comes out is checked as hard as what a finder finds, and beyond: as no finder has
/// counted the corners, each side is looked at for lines of corners that were left out. A board that is
/// not followed says nothing; then a search has to tell.
package struct BoardTracker: Sendable {
  /// A board at some time.
  private struct Sighting: Sendable {
    var board: DetectedBoard
    var frame: Int
  }

  private var last: Sighting?
  private var beforeLast: Sighting?
  /// Whether the square at the board's first corner is dark, by the image in which it was found.
  private var firstIsDark = true

  /// The board is expected at most so many frames after it was last seen: what a search found a while
  /// ago is worth a look, where it rests.
  package static let largestGap = 60
  /// Of all corners so many have to have a sound fit of their own.
  private static let fittedShare = 0.8

  /// Creates one that has no board to follow.
  package init() {}

  /// Where the board was in that frame; nil where it was not seen in it.
  package func corners(inFrame frame: Int) -> [SIMD2<Double>]? {
    [last, beforeLast].compactMap { $0 }.first { $0.frame == frame }?.board.corners
  }

  /// A search found the board: it is followed from here.
  package mutating func found(_ board: DetectedBoard, in image: GrayImage, frame: Int) {
    let grid = CornerGrid(board)
    firstIsDark = grid.firstSquareIsDark(in: image)
    beforeLast = nil
    last = Sighting(board: board, frame: frame)
  }

  /// There is no board to follow any more.
  package mutating func lose() { (last, beforeLast) = (nil, nil) }

  /// Where the board is in a later frame; nil, and lost, where it can't be followed there: it moved too
  /// far, is covered or partly out of view, or something else is there.
  ///
  /// - Parameter frame: The frame's number in the camera's count.
  /// - Throws: `OpenCVError` if the system refuses memory.
  package mutating func follow(in image: GrayImage, frame: Int) throws -> DetectedBoard? {
    guard let last, frame > last.frame, frame - last.frame <= Self.largestGap else {
      lose()
      return nil
    }
    let resting = CornerGrid(last.board)
    var starts = [resting]
    if let moving = expected(frame) { starts.insert(moving, at: 0) }
    for start in starts {
      guard let aligned = start.aligned(in: image, firstIsDark: firstIsDark),
        let board = try confirmed(aligned, as: last.board, in: image)
      else { continue }
      beforeLast = last
      self.last = Sighting(board: board, frame: frame)
      return board
    }
    lose()
    return nil
  }

  /// Where the board is if it goes on as it went; nil where it hardly moved or was seen once only.
  private func expected(_ frame: Int) -> CornerGrid? {
    guard let last, let beforeLast, last.frame > beforeLast.frame else { return nil }
    let share = Double(frame - last.frame) / Double(last.frame - beforeLast.frame)
    // A hand does not go on for long as it went.
    guard share <= 3 else { return nil }
    var grid = CornerGrid(last.board)
    var farthest = 0.0
    for index in grid.points.indices {
      let step = (last.board.corners[index] - beforeLast.board.corners[index]) * share
      grid.points[index] += step
      farthest = max(farthest, length(step))
    }
    return farthest > 1 ? grid : nil
  }

  /// The refined corners if they can be nothing but the whole board.
  private func confirmed(
    _ grid: CornerGrid, as board: DetectedBoard, in image: GrayImage
  ) throws -> DetectedBoard? {
    guard GridConsistency(grid, in: image).complaint == nil else { return nil }
    let refined = try grid.refined(in: image)
    let fitted = refined.isFitted.count(where: { $0 })
    guard Double(fitted) >= Self.fittedShare * Double(refined.isFitted.count),
      refined.outliers.count * 5 <= refined.isFitted.count,
      GridConsistency(refined.grid, in: image).complaint == nil,
      refined.grid.firstSquareIsDark(in: image) == firstIsDark, refined.grid.isWhole(in: image)
    else { return nil }
    return DetectedBoard(
      board: board.board, corners: refined.grid.points, blurSigma: refined.blurSigma,
      doubtfulCorners: refined.outliers, finder: "followed")
  }
}

extension CornerGrid {
  /// The corners of a board.
  init(_ board: DetectedBoard) {
    self.init(columns: board.board.columns, rows: board.board.rows, points: board.corners)
  }
}
