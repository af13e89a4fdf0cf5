/// Takes the pose out of a view's normal equations, and finds its step once that of the shared parameters is
/// known.
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

  /// Eliminates the pose of a view, its block damped by `damping` times its diagonal.
  ///
  /// - Parameters:
  ///   - block: `width`² numbers, see `ViewAccumulation`.
  ///   - z: Becomes D⁻¹·[Bᵀ | h].
  ///   - h: Becomes H_v, row by row, both triangles.
  ///   - g: Becomes g_v.
  /// - Returns: Whether the view's points determine its pose; if not, what was written means nothing.
  func eliminate(
    from block: UnsafePointer<Double>, width: Int, damping: Double,
    into z: UnsafeMutablePointer<Double>, _ h: UnsafeMutablePointer<Double>,
    _ g: UnsafeMutablePointer<Double>
  ) -> Bool {
    let p = freeCount
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 36) { buffer in
      guard let d = buffer.baseAddress else { return false }
      var i = 0
      while i < 6 {
        let row = block + (p + i) * width + p
        var j = 0
        while j < i {
          d[i * 6 + j] = (block + (p + j) * width + p)[i]
          j += 1
        }
        d[i * 6 + i] = row[i] * (1 + damping)
        j = 0
        while j < p {
          z[i * columns + j] = block[j * width + p + i]
          j += 1
        }
        z[i * columns + p] = row[6]
        if p + 1 < columns { z[i * columns + p + 1] = 0 }
        i += 1
      }
      guard Cholesky.factor(d, 6) else { return false }
      Cholesky.solve(d, 6, rows: z, columns / 2)
      subtract(z, from: block, width: width, into: h, g)
      return true
    }
  }

  /// H_v and g_v from the block and D⁻¹·[Bᵀ | h].
  private func subtract(
    _ z: UnsafePointer<Double>, from block: UnsafePointer<Double>, width: Int,
    into h: UnsafeMutablePointer<Double>, _ g: UnsafeMutablePointer<Double>
  ) {
    let p = freeCount
    // A row of products at a time, in pairs; the last pairs hold g_v.
    let first = UnsafeRawPointer(z)
    let stride = 8 * columns
    var i = 0
    while i < p {
      let row = block + i * width
      let b = row + p
      let (b0, b1, b2, b3, b4, b5) = (b[0], b[1], b[2], b[3], b[4], b[5])
      var j = i / 2 * 2
      while j < columns {
        let place = first + 8 * j
        var sum = place.load(as: SIMD2<Double>.self) * b0
        sum += place.load(fromByteOffset: stride, as: SIMD2<Double>.self) * b1
        sum += place.load(fromByteOffset: 2 * stride, as: SIMD2<Double>.self) * b2
        sum += place.load(fromByteOffset: 3 * stride, as: SIMD2<Double>.self) * b3
        sum += place.load(fromByteOffset: 4 * stride, as: SIMD2<Double>.self) * b4
        sum += place.load(fromByteOffset: 5 * stride, as: SIMD2<Double>.self) * b5
        store(sum.x, i, j, row, h, g, width)
        if j + 1 < columns { store(sum.y, i, j + 1, row, h, g, width) }
        j += 2
      }
      i += 1
    }
  }

  @inline(__always)
  private func store(
    _ product: Double, _ i: Int, _ j: Int, _ row: UnsafePointer<Double>,
    _ h: UnsafeMutablePointer<Double>, _ g: UnsafeMutablePointer<Double>, _ width: Int
  ) {
    let p = freeCount
    if j < p {
      guard j >= i else { return }
      let value = row[j] - product
      h[i * p + j] = value
      h[j * p + i] = value
    } else if j == p {
      g[i] = row[width - 1] - product
    }
  }
}

extension PoseElimination {
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
