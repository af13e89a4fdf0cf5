import CameraModel

/// The used points of some views, coordinate by coordinate: what start values are made of.
///
/// Sendable because nothing is written after `init`.
final class StartPoints: @unchecked Sendable {
  /// The index of each view among those that were given.
  let views: [Int]
  /// The first point of each view, and the number of all points at the end.
  let offsets: [Int]
  /// The largest number of points in a view.
  let mostPoints: Int
  /// Board x, board y, and the two image coordinates, each `offsets.last` numbers.
  private let storage: UnsafeMutablePointer<Double>

  /// Takes the used points of views; image coordinates become (pixel − origin) / unit.
  init(
    _ observed: [ObservedView], _ views: [Int], origin: SIMD2<Double>, unit: SIMD2<Double>
  ) {
    var offsets = [0]
    var most = 0
    for view in views {
      let count = observed[view].usedCount
      most = max(most, count)
      offsets.append((offsets.last ?? 0) + count)
    }
    let total = offsets.last ?? 0
    storage = .allocate(capacity: max(1, 4 * total))
    let inverse = 1 / unit
    var next = storage
    for view in views {
      let one = observed[view]
      for point in one.pixels.indices where one.isUsed[point] {
        let image = (one.pixels[point] - origin) * inverse
        next[0] = one.boardPoints[point].x
        next[total] = one.boardPoints[point].y
        next[2 * total] = image.x
        next[3 * total] = image.y
        next += 1
      }
    }
    self.views = views
    self.offsets = offsets
    mostPoints = most
  }

  deinit { storage.deallocate() }

  /// The number of points of a view, counted as in `views`.
  func count(_ view: Int) -> Int { offsets[view + 1] - offsets[view] }

  /// The board coordinates of a view.
  func board(_ view: Int) -> (UnsafePointer<Double>, UnsafePointer<Double>) {
    column(0, view)
  }

  /// The image coordinates of a view.
  func image(_ view: Int) -> (UnsafePointer<Double>, UnsafePointer<Double>) {
    column(2, view)
  }

  private func column(_ first: Int, _ view: Int) -> (UnsafePointer<Double>, UnsafePointer<Double>) {
    let total = offsets[offsets.count - 1]
    let base = storage + first * total + offsets[view]
    return (UnsafePointer(base), UnsafePointer(base + total))
  }
}
