/// How the step of a view's pose follows from one of the shared parameters, once the pose is eliminated.
///
/// D⁻¹·[Bᵀ | h] of a view (see `ReducedViews`) stands in six rows, three of the turn and three of the
/// shift: a number for each slot, then that of h.
struct PoseElimination: Sendable {
  let freeCount: Int
  /// The numbers in a row: freeCount + 1, and one more where that is odd, as they are solved in pairs.
  let columns: Int

  /// The numbers of a view.
  var size: Int { 6 * columns }

  init(freeCount: Int) {
    self.freeCount = freeCount
    columns = (freeCount + 2) / 2 * 2
  }

  /// Writes −D⁻¹·(h + Bᵀ·δ), the step of the pose for the step δ of the shared parameters.
  @inline(__always)
  func writeStep(
    _ step: UnsafeMutablePointer<Double>, from rows: UnsafePointer<Double>,
    following shared: UnsafeBufferPointer<Double>
  ) {
    var k = 0
    while k < 6 {
      let row = rows + k * columns
      var sum = row[freeCount]
      var j = 0
      while j < freeCount {
        sum += row[j] * shared[j]
        j += 1
      }
      step[k] = -sum
      k += 1
    }
  }
}
