import CameraModel
import Locking

/// The measurements in one block of memory: six numbers a point (X, Y, Z, u, v, weight).
///
/// Sendable because nothing is written after `init`, and there each view by one thread.
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
  init(_ views: [ObservedView], weights: [[Double]]? = nil, jobs: Int = 1) {
    var offsets = [0]
    for view in views { offsets.append((offsets.last ?? 0) + view.pixels.count) }
    let total = offsets.last ?? 0
    storage = .allocate(capacity: max(1, total * Self.stride))
    points = UnsafePointer(storage)
    viewCount = views.count
    self.offsets = offsets
    let used = views.map(\.usedCount)
    isActive = used.map { $0 > 0 }
    usedPointCount = used.reduce(0, +)
    Parallel.forEach(viewCount, jobs: Self.jobs(jobs, points: total)) { view in
      self.fill(view, from: views[view], weights: weights?[view])
    }
  }

  private func fill(_ index: Int, from view: ObservedView, weights: [Double]?) {
    var next = storage + offsets[index] * Self.stride
    for point in view.pixels.indices {
      let board = view.boardPoints[point]
      let pixel = view.pixels[point]
      next[0] = board.x
      next[1] = board.y
      next[2] = board.z
      next[3] = pixel.x
      next[4] = pixel.y
      next[5] = view.isUsed[point] ? (weights?[point] ?? 1) * view.weight(point) : 0
      next += Self.stride
    }
  }

  deinit { storage.deallocate() }

  /// The number of threads to use where `jobs` may be: below so many points one is done before another
  /// wakes.
  static func jobs(_ jobs: Int, points: Int) -> Int { points < 500 ? 1 : jobs }

  /// The number of threads to use for passes over these views.
  func jobs(_ jobs: Int) -> Int { Self.jobs(jobs, points: offsets[viewCount]) }

  /// The number of views that take part.
  var activeViewCount: Int { isActive.count { $0 } }
}
