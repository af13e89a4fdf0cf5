/// The points of a bent board, and how its image moves with the bend.
struct BentPoints {
  /// Whether the bend is estimated.
  let isFree: Bool
  private let isRound: Bool
  private let centre: SIMD2<Double>
  /// 1 / half the extent of the corner field.
  private let scale: SIMD2<Double>

  init(_ shape: BoardShape) {
    isFree = shape.isFree
    isRound = shape.bend.isRound
    centre = shape.bend.centre
    scale = 1 / shape.bend.half
  }

  /// 1 − x² and 1 − y² of a point as in `PackedViews`.
  @inline(__always)
  private func shape(_ point: UnsafePointer<Double>) -> SIMD2<Double> {
    BoardBend.shape(point[0], point[1], centre: centre, scale: scale)
  }

  /// Copies `count` points, bent by the two numbers at `sagitta`.
  func bend(
    _ points: UnsafePointer<Double>, _ count: Int, by sagitta: UnsafePointer<Double>,
    into bent: UnsafeMutablePointer<Double>
  ) {
    bent.update(from: points, count: count * PackedViews.stride)
    let sagitta = SIMD2(sagitta[0], sagitta[1])
    var point = bent
    for _ in 0..<count {
      point[2] += (sagitta * shape(point)).sum()
      point += PackedViews.stride
    }
  }

  /// Writes the columns of a and b from those of the shift: g·(R's third column), times 1 − x² and
  /// 1 − y²; the sum of both into the first where they are one.
  ///
  /// The rows are those of the points that have a weight, as `ViewAccumulation` writes them where the
  /// camera sees all of them; else nobody reads them.
  func fill(
    _ columns: UnsafeMutablePointer<Double>, shift: UnsafePointer<Double>, _ stride: Int,
    points: UnsafePointer<Double>, count: Int, pose: UnsafePointer<Double>
  ) {
    let (rx, ry, rz) = (pose[2], pose[5], pose[8])
    var point = points
    var row = 0
    for _ in 0..<count {
      if point[5] > 0 {
        let along = shift[row] * rx + shift[stride + row] * ry + shift[2 * stride + row] * rz
        let shape = shape(point)
        columns[row] = along * (isRound ? shape.x + shape.y : shape.x)
        columns[stride + row] = along * shape.y
        row += 1
      }
      point += PackedViews.stride
    }
    if row % 2 == 1 {
      columns[row] = 0
      columns[stride + row] = 0
    }
  }
}
