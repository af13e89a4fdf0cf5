import CameraModel

/// Which columns of the Jacobian take part, and where their products go in a view's block.
struct JacobianColumns {
  /// The side of a block: slots, six of the pose, the residual.
  let width: Int
  let u: ColumnProducts
  let v: ColumnProducts

  /// - Parameters:
  ///   - free: What is estimated; parameters that share a slot have no column in common, but the two of
  ///     a round bend, whose first column is the sum of both.
  ///   - parameterCount: The number of the lens model's parameters.
  init(_ free: FreeParameters, parameterCount: Int) {
    let count = free.slots.count
    width = count + 7
    let pose = (0..<7).map { (column: parameterCount + $0, slot: count + $0) }
    let bend = (free.cameraCount..<count).map { slot in
      (column: free.first(slot) + 7, slot: slot)
    }
    func chosen(without left: (Int, Int)) -> ColumnProducts {
      let camera = free.slots.prefix(free.cameraCount).enumerated().flatMap { slot, indices in
        indices.filter { $0 != left.0 && $0 != left.1 }.map { (column: $0, slot: slot) }
      }
      return ColumnProducts(camera + bend + pose)
    }
    // u knows nothing of fy and cy, v nothing of fx and cx.
    u = chosen(without: (1, 3))
    v = chosen(without: (0, 2))
  }
}

/// The products of some columns with one another.
///
/// Sendable because nothing is written after `init`.
final class ColumnProducts: @unchecked Sendable {
  private let count: Int
  /// The place of each column, then where it stands in the block.
  private let places: UnsafeMutablePointer<Int>

  init(_ columns: [(column: Int, slot: Int)]) {
    count = columns.count
    places = .allocate(capacity: 2 * columns.count)
    for (index, (column, slot)) in columns.enumerated() {
      places[index] = column
      places[count + index] = slot
    }
  }

  deinit { places.deallocate() }

  /// Adds the products to the upper triangle of a block.
  ///
  /// In tiles of two columns by four, whose eight sums stay in registers.
  ///
  /// - Parameter base: Columns of `stride` numbers, an even number, of which `pairs` pairs count.
  func addProducts(
    of base: UnsafePointer<Double>, _ stride: Int, _ pairs: Int,
    to block: UnsafeMutablePointer<Double>, _ width: Int
  ) {
    let columns = UnsafePointer(places)
    let slots = columns + count
    let last = count - 1
    var i = 0
    while i < count {
      let i1 = min(i + 1, last)
      let (a0, a1) = (Pairs(base + columns[i] * stride), Pairs(base + columns[i1] * stride))
      let (row0, row1) = (block + slots[i] * width, block + slots[i1] * width)
      var j = i
      while j + 2 < count {
        let j3 = min(j + 3, last)
        let (b0, b1) = (Pairs(base + columns[j] * stride), Pairs(base + columns[j + 1] * stride))
        let (b2, b3) = (Pairs(base + columns[j + 2] * stride), Pairs(base + columns[j3] * stride))
        var (s00, s01, s02, s03) = (
          SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>()
        )
        var (s10, s11, s12, s13) = (
          SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>()
        )
        var k = 0
        while k < pairs {
          let (x0, x1) = (a0[k], a1[k])
          let (y0, y1, y2, y3) = (b0[k], b1[k], b2[k], b3[k])
          s00 += x0 * y0
          s01 += x0 * y1
          s02 += x0 * y2
          s03 += x0 * y3
          s10 += x1 * y0
          s11 += x1 * y1
          s12 += x1 * y2
          s13 += x1 * y3
          k += 1
        }
        let (t0, t1, t2) = (slots[j], slots[j + 1], slots[j + 2])
        row0[t0] += s00.x + s00.y
        row0[t1] += s01.x + s01.y
        row0[t2] += s02.x + s02.y
        if i1 > i {
          if j > i { row1[t0] += s10.x + s10.y }
          row1[t1] += s11.x + s11.y
          row1[t2] += s12.x + s12.y
        }
        if j + 3 < count {
          row0[slots[j + 3]] += s03.x + s03.y
          if i1 > i { row1[slots[j + 3]] += s13.x + s13.y }
        }
        j += 4
      }
      if j < count {
        let j1 = min(j + 1, last)
        let (b0, b1) = (Pairs(base + columns[j] * stride), Pairs(base + columns[j1] * stride))
        var (s00, s01, s10, s11) = (
          SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>(), SIMD2<Double>()
        )
        var k = 0
        while k < pairs {
          let (x0, x1) = (a0[k], a1[k])
          let (y0, y1) = (b0[k], b1[k])
          s00 += x0 * y0
          s01 += x0 * y1
          s10 += x1 * y0
          s11 += x1 * y1
          k += 1
        }
        row0[slots[j]] += s00.x + s00.y
        if j1 > j { row0[slots[j1]] += s01.x + s01.y }
        if i1 > i {
          if j > i { row1[slots[j]] += s10.x + s10.y }
          if j1 > j { row1[slots[j1]] += s11.x + s11.y }
        }
      }
      i += 2
    }
  }
}

/// Numbers in memory, two at a time; the memory starts at a multiple of 16.
struct Pairs {
  private let base: UnsafeRawPointer

  @inline(__always)
  init(_ base: UnsafePointer<Double>) { self.base = UnsafeRawPointer(base) }

  @inline(__always)
  subscript(_ index: Int) -> SIMD2<Double> {
    base.load(fromByteOffset: 16 * index, as: SIMD2<Double>.self)
  }
}
