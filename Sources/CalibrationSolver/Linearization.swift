import CameraModel
import Locking

/// The normal equations of the shared parameters at a minimum, the poses eliminated.
///
/// Rows and columns are the slots (`FreeParameters`), the camera's first; matrices are row by row.
package struct Linearization: Sendable {
  /// The number of slots.
  package var freeCount: Int
  /// The number of the camera's slots; those of the board's bend follow.
  package var cameraCount: Int
  /// H: the sum of the views' blocks and of the priors' weights.
  package var hessian: [Double]
  /// The priors of the slots, whose weights are part of H.
  package var priors: WeighedPriors
  /// The views that take part, by index.
  package var activeViews: [Int]
  /// H_v of each active view, one after another.
  package var viewHessians: [Double]
  /// g_v of each active view, one after another; they add up to 0 at a minimum without priors.
  package var viewGradients: [Double]
  /// M = −(Σ TᵀT)⁻¹·Σ TᵀJ_q: the motion of the camera frame (three rows turn, three rows shift) that
  /// best takes up a change of each of the camera's slots.
  ///
  /// Over all used points; nil where they do not determine it. `ProjectionUncertainty` uses it.
  package var alignment: [Double]?
  /// The sums that `alignment` comes from.
  var motion: MotionSums
  /// The median depth (Z) of the used points in the camera frame, in the unit of the board points.
  package var medianDepth: Double
}

extension Linearization {
  init(
    _ minimum: LinearizedViews, reduced: ReducedViews, priors: WeighedPriors, jobs: Int
  ) {
    let p = minimum.freeCount
    let active = (0..<reduced.viewCount).filter { minimum.packed.isActive[$0] }
    freeCount = p
    cameraCount = minimum.free.cameraCount
    self.priors = priors
    activeViews = active
    hessian = reduced.total.matrix
    for slot in 0..<p { hessian[slot * p + slot] += priors.weights[slot] }
    viewHessians = []
    viewGradients = []
    viewHessians.reserveCapacity(active.count * p * p)
    for view in active {
      viewHessians.append(
        contentsOf: UnsafeBufferPointer(start: reduced.matrix(view), count: p * p))
      viewGradients.append(contentsOf: UnsafeBufferPointer(start: reduced.gradient(view), count: p))
    }
    (motion, medianDepth) = Parallel.both(jobs: minimum.packed.jobs(jobs)) {
      MotionSums(minimum, active: active)
    } and: {
      Self.medianDepth(minimum, active: active)
    }
    alignment = motion.alignment
  }

  private static func medianDepth(_ minimum: LinearizedViews, active: [Int]) -> Double {
    let packed = minimum.packed
    let depths = SharedNumbers(count: packed.offsets[packed.viewCount])
    var count = 0
    for view in active {
      let r = minimum.rotation(ofView: view).rows.2
      let z = minimum.translation(ofView: view).z
      for point in packed.offsets[view]..<packed.offsets[view + 1] {
        let p = packed.points + point * PackedViews.stride
        guard p[5] > 0 else { continue }
        depths.base[count] = r.x * p[0] + r.y * p[1] + r.z * p[2] + z
        count += 1
      }
    }
    return median(UnsafeMutableBufferPointer(start: depths.base, count: count)) ?? 0
  }
}

/// The median; the mean of the two middle values of an even number; nil of nothing.
///
/// By selection, in time linear in the number of values; not a number where one of them is not.
func median(_ values: [Double]) -> Double? {
  var values = values
  return values.withUnsafeMutableBufferPointer { median($0) }
}

/// The same, of values that may change places.
private func median(_ values: UnsafeMutableBufferPointer<Double>) -> Double? {
  guard !values.isEmpty else { return nil }
  let middle = values.count / 2
  guard !values.contains(where: \.isNaN) else { return .nan }
  let upper = select(middle, in: values)
  guard values.count % 2 == 0 else { return upper }
  // All before the middle are not above it now: the largest of them is the other middle value.
  var lower = values[0]
  for index in 1..<max(1, middle) where values[index] > lower { lower = values[index] }
  return (lower + upper) / 2
}

/// The value that would stand at `place` if the values were sorted; smaller ones end before it, larger
/// ones behind (Hoare's selection).
private func select(_ place: Int, in values: UnsafeMutableBufferPointer<Double>) -> Double {
  var (low, high) = (0, values.count - 1)
  while low < high {
    // The middle one of three: sorted values must not take quadratic time.
    let (a, b, c) = (values[low], values[(low + high) / 2], values[high])
    let pivot = max(min(a, b), min(max(a, b), c))
    var (i, j) = (low, high)
    while i <= j {
      while values[i] < pivot { i += 1 }
      while values[j] > pivot { j -= 1 }
      if i <= j {
        values.swapAt(i, j)
        i += 1
        j -= 1
      }
    }
    if place <= j {
      high = j
    } else if place >= i {
      low = i
    } else {
      break
    }
  }
  return values[place]
}
