import CameraModel

/// The measurements in one block of memory: six numbers a point (X, Y, Z, u, v, weight).
///
/// Sendable because nothing is written after `init`.
final class PackedViews: @unchecked Sendable {
  /// How many numbers a point takes.
  static let stride = 6

  /// The number of views, left-out ones included.
  let viewCount: Int
  /// The points, view after view.
  let points: UnsafePointer<Double>
  /// The first point of each view, and the number of all points at the end.
  let offsets: [Int]
  /// For each view whether it has a used point.
  let isActive: [Bool]
  /// The number of used points.
  let usedPointCount: Int

  private let storage: UnsafeMutablePointer<Double>

  /// Packs views that `SolverProblem.validate` accepted; `weights` multiply those of the views.
  init(_ views: [ObservedView], weights: [[Double]]? = nil) {
    var offsets = [0]
    for view in views { offsets.append((offsets.last ?? 0) + view.pixels.count) }
    let total = offsets.last ?? 0
    storage = .allocate(capacity: max(1, total * Self.stride))
    var next = storage
    for (index, view) in views.enumerated() {
      for point in view.pixels.indices {
        let board = view.boardPoints[point]
        let pixel = view.pixels[point]
        next[0] = board.x
        next[1] = board.y
        next[2] = board.z
        next[3] = pixel.x
        next[4] = pixel.y
        next[5] = view.isUsed[point] ? (weights?[index][point] ?? 1) * view.weight(point) : 0
        next += Self.stride
      }
    }
    points = UnsafePointer(storage)
    viewCount = views.count
    self.offsets = offsets
    isActive = views.map { $0.usedCount > 0 }
    usedPointCount = views.reduce(0) { $0 + $1.usedCount }
  }

  deinit { storage.deallocate() }

  /// The number of views that take part.
  var activeViewCount: Int { isActive.reduce(0) { $0 + ($1 ? 1 : 0) } }
}
