import CameraModel

/// A map between two planes that keeps lines straight.
struct Homography {
  /// Row by row; takes (x, y, 1) to a multiple of (x', y', 1).
  var m: [Double]

  /// The map that best takes the points of one plane to those of another (at least four).
  ///
  /// Least squares of the linear equations between normalised coordinates (mean 0, mean distance √2;
  /// Hartley, "In defense of the eight-point algorithm", IEEE PAMI 19 (1997)), the last element held at
  /// 1: the centre of the points is in front of the camera, so it is not near 0.
  init?(from source: [SIMD2<Double>], to target: [SIMD2<Double>]) {
    guard source.count == target.count, source.count >= 4,
      let a = Normalisation(source), let b = Normalisation(target)
    else { return nil }
    var normal = [Double](repeating: 0, count: 64)
    var right = [Double](repeating: 0, count: 8)
    for (p, q) in zip(source, target) {
      let s = (p - a.centre) * a.scale
      let t = (q - b.centre) * b.scale
      let rows: [(row: [Double], value: Double)] = [
        ([s.x, s.y, 1, 0, 0, 0, -t.x * s.x, -t.x * s.y], t.x),
        ([0, 0, 0, s.x, s.y, 1, -t.y * s.x, -t.y * s.y], t.y),
      ]
      for (row, value) in rows {
        for i in 0..<8 where row[i] != 0 {
          for j in 0...i { normal[i * 8 + j] += row[i] * row[j] }
          right[i] += row[i] * value
        }
      }
    }
    guard SmallMatrix.solve(normal, 8, &right), right.allSatisfy(\.isFinite) else { return nil }
    // Undo both normalisations: H = B⁻¹·H'·A.
    let h = right + [1]
    var withA = [Double](repeating: 0, count: 9)
    for row in 0..<3 {
      let (x, y, z) = (h[3 * row], h[3 * row + 1], h[3 * row + 2])
      withA[3 * row] = x * a.scale
      withA[3 * row + 1] = y * a.scale
      withA[3 * row + 2] = z - (x * a.centre.x + y * a.centre.y) * a.scale
    }
    m = withA
    for column in 0..<3 {
      m[column] = withA[column] / b.scale + b.centre.x * withA[6 + column]
      m[3 + column] = withA[3 + column] / b.scale + b.centre.y * withA[6 + column]
    }
  }

  /// Where a point goes; nil where that is at infinity.
  func callAsFunction(_ p: SIMD2<Double>) -> SIMD2<Double>? {
    let w = m[6] * p.x + m[7] * p.y + m[8]
    guard w != 0 else { return nil }
    return SIMD2((m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w)
  }

  /// The pose of the source plane before a camera whose normalised image is the target plane.
  var pose: (rotation: RotationMatrix, translation: SIMD3<Double>)? {
    let a = SIMD3(m[0], m[3], m[6])
    let b = SIMD3(m[1], m[4], m[7])
    let c = SIMD3(m[2], m[5], m[8])
    let scale = ((a * a).sum() * (b * b).sum()).squareRoot().squareRoot()
    guard scale > 0, scale.isFinite, c.z != 0 else { return nil }
    let sign = c.z > 0 ? 1 / scale : -1 / scale
    // The nearest pair of perpendicular unit vectors: the bisectors stay, the angle becomes 90°.
    let (p, q) = (a * sign, b * sign)
    let sum = p / norm(p) + q / norm(q)
    let difference = p / norm(p) - q / norm(q)
    guard norm(sum) > 1e-9, norm(difference) > 1e-9 else { return nil }
    let half = 0.5.squareRoot()
    let x = (sum / norm(sum) + difference / norm(difference)) * half
    let y = (sum / norm(sum) - difference / norm(difference)) * half
    let z = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
    return (
      RotationMatrix(rows: SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z)),
      c * sign
    )
  }

  private func norm(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}

/// The shift and scale that bring points to mean 0 and mean distance √2.
private struct Normalisation {
  var centre: SIMD2<Double>
  var scale: Double

  init?(_ points: [SIMD2<Double>]) {
    centre = points.reduce(SIMD2()) { $0 + $1 } / Double(points.count)
    var distance = 0.0
    for point in points {
      let d = point - centre
      distance += (d * d).sum().squareRoot()
    }
    guard distance > 0, distance.isFinite else { return nil }
    scale = 2.0.squareRoot() * Double(points.count) / distance
  }
}
