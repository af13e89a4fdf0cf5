import CameraModel

/// A map between two planes that keeps lines straight.
struct Homography {
  /// Takes (x, y, 1) to a multiple of (x', y', 1).
  var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Where a point goes; nil where that is at infinity.
  func callAsFunction(_ p: SIMD2<Double>) -> SIMD2<Double>? {
    let q = SIMD3(p.x, p.y, 1)
    let w = (rows.2 * q).sum()
    guard w != 0 else { return nil }
    return SIMD2((rows.0 * q).sum() / w, (rows.1 * q).sum() / w)
  }

  /// The same map into a plane whose coordinates are divided by `x` and `y`.
  func dividing(byX x: Double, y: Double) -> Homography {
    Homography(rows: (rows.0 / x, rows.1 / y, rows.2))
  }

  /// The pose of the source plane before a camera whose normalised image is the target plane.
  var pose: (rotation: RotationMatrix, translation: SIMD3<Double>)? {
    let a = SIMD3(rows.0.x, rows.1.x, rows.2.x)
    let b = SIMD3(rows.0.y, rows.1.y, rows.2.y)
    let c = SIMD3(rows.0.z, rows.1.z, rows.2.z)
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

extension Homography {
  /// The map that best takes the points of one plane to those of another (at least four).
  init?(from source: [SIMD2<Double>], to target: [SIMD2<Double>]) {
    let count = source.count
    guard count == target.count, count >= 4 else { return nil }
    let fitted = withUnsafeTemporaryAllocation(of: Double.self, capacity: 4 * count) {
      buffer -> Homography? in
      guard let x = buffer.baseAddress else { return nil }
      for index in 0..<count {
        x[index] = source[index].x
        x[count + index] = source[index].y
        x[2 * count + index] = target[index].x
        x[3 * count + index] = target[index].y
      }
      return Homography(
        count, from: (UnsafePointer(x), UnsafePointer(x + count)),
        to: (UnsafePointer(x + 2 * count), UnsafePointer(x + 3 * count)))
    }
    guard let fitted else { return nil }
    self = fitted
  }

  /// The same for coordinates in columns of `count` numbers.
  ///
  /// Least squares of the linear equations between normalised coordinates (mean 0, mean square 2;
  /// Hartley, "In defense of the eight-point algorithm", IEEE PAMI 19 (1997)), the last element held at
  /// 1: the centre of the points is in front of the camera, so it is not near 0. The normal equations
  /// fall into blocks: one of three rows for each target coordinate, the same in both, and two rows
  /// for the perspective.
  init?(
    _ count: Int, from source: (UnsafePointer<Double>, UnsafePointer<Double>),
    to target: (UnsafePointer<Double>, UnsafePointer<Double>)
  ) {
    guard count >= 4, let a = Normalisation(count, source.0, source.1),
      let b = Normalisation(count, target.0, target.1)
    else { return nil }
    var sums = Sums()
    var index = 0
    while index + 1 < count {
      sums.add(
        a.apply(source, at: index), b.apply(target, at: index), mask: SIMD2(repeating: 1))
      index += 2
    }
    if index < count {
      // An odd last point: beside it the one before, which does not count.
      sums.add(
        a.apply(source, at: index - 1), b.apply(target, at: index - 1), mask: SIMD2(0, 1))
    }
    guard let h = sums.solve(Double(count)) else { return nil }
    // Undo both normalisations: H = B⁻¹·H'·A.
    func withA(_ row: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        row.x * a.scale, row.y * a.scale,
        row.z - (row.x * a.centre.x + row.y * a.centre.y) * a.scale)
    }
    let last = withA(h.2)
    rows = (
      withA(h.0) / b.scale + last * b.centre.x, withA(h.1) / b.scale + last * b.centre.y, last
    )
  }
}

/// The sums of the normal equations; each in two halves.
private struct Sums {
  // With s = (x, y) the source and (u, v) the target, both normalised.
  private var xx = SIMD2<Double>(), xy = SIMD2<Double>(), yy = SIMD2<Double>()
  private var ux = SIMD2<Double>(), uy = SIMD2<Double>(), vx = SIMD2<Double>(),
    vy = SIMD2<Double>()
  private var uxx = SIMD2<Double>(), uxy = SIMD2<Double>(), uyy = SIMD2<Double>()
  private var vxx = SIMD2<Double>(), vxy = SIMD2<Double>(), vyy = SIMD2<Double>()
  private var qx = SIMD2<Double>(), qy = SIMD2<Double>()
  private var qxx = SIMD2<Double>(), qxy = SIMD2<Double>(), qyy = SIMD2<Double>()

  @inline(__always)
  mutating func add(
    _ s: (SIMD2<Double>, SIMD2<Double>), _ t: (SIMD2<Double>, SIMD2<Double>), mask: SIMD2<Double>
  ) {
    let (x, y) = (s.0 * mask, s.1 * mask)
    let (u, v) = t
    let q = u * u + v * v
    xx += x * x
    xy += x * y
    yy += y * y
    let (a, b) = (u * x, u * y)
    ux += a
    uy += b
    uxx += a * x
    uxy += a * y
    uyy += b * y
    let (c, d) = (v * x, v * y)
    vx += c
    vy += d
    vxx += c * x
    vxy += c * y
    vyy += d * y
    let (e, f) = (q * x, q * y)
    qx += e
    qy += f
    qxx += e * x
    qxy += e * y
    qyy += f * y
  }

  /// The three rows of the map between normalised coordinates; nil where the points lie on a line.
  func solve(_ n: Double) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)? {
    // As both means are 0, Σ s̃·s̃ᵀ of s̃ = (x, y, 1) is a 2x2 block and n.
    let (a, b, c) = (xx.sum(), xy.sum(), yy.sum())
    let determinant = a * c - b * b
    guard determinant > 1e-14 * a * c, determinant.isFinite else { return nil }
    func inverse(_ r: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3((c * r.x - b * r.y) / determinant, (a * r.y - b * r.x) / determinant, r.z / n)
    }
    // What each target coordinate shares with the two perspective unknowns, and its right side.
    let u0 = SIMD3(-uxx.sum(), -uxy.sum(), -ux.sum())
    let u1 = SIMD3(-uxy.sum(), -uyy.sum(), -uy.sum())
    let v0 = SIMD3(-vxx.sum(), -vxy.sum(), -vx.sum())
    let v1 = SIMD3(-vxy.sum(), -vyy.sum(), -vy.sum())
    let ru = SIMD3(ux.sum(), uy.sum(), 0)
    let rv = SIMD3(vx.sum(), vy.sum(), 0)
    let (zu0, zu1, zv0, zv1) = (inverse(u0), inverse(u1), inverse(v0), inverse(v1))
    let (d00, d01, d11) = (qxx.sum(), qxy.sum(), qyy.sum())
    let s00 = d00 - (u0 * zu0).sum() - (v0 * zv0).sum()
    let s01 = d01 - (u0 * zu1).sum() - (v0 * zv1).sum()
    let s11 = d11 - (u1 * zu1).sum() - (v1 * zv1).sum()
    let r0 = -qx.sum() - (ru * zu0).sum() - (rv * zv0).sum()
    let r1 = -qy.sum() - (ru * zu1).sum() - (rv * zv1).sum()
    let schur = s00 * s11 - s01 * s01
    guard s00 > 1e-14 * d00, s11 > 1e-14 * d11, schur > 1e-14 * s00 * s11 else { return nil }
    let g = (s11 * r0 - s01 * r1) / schur
    let h = (s00 * r1 - s01 * r0) / schur
    let first = inverse(ru) - zu0 * g - zu1 * h
    let second = inverse(rv) - zv0 * g - zv1 * h
    let result = (first, second, SIMD3(g, h, 1))
    return first.isFinite && second.isFinite && result.2.isFinite ? result : nil
  }
}

/// The shift and scale that bring points to mean 0 and mean square 2.
private struct Normalisation {
  var centre: SIMD2<Double>
  var scale: Double

  init?(_ count: Int, _ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>) {
    var (sumX, sumY) = (0.0, 0.0)
    var index = 0
    while index < count {
      sumX += x[index]
      sumY += y[index]
      index += 1
    }
    centre = SIMD2(sumX, sumY) / Double(count)
    var squares = 0.0
    index = 0
    while index < count {
      let (dx, dy) = (x[index] - centre.x, y[index] - centre.y)
      squares += dx * dx + dy * dy
      index += 1
    }
    guard squares > 0, squares.isFinite else { return nil }
    scale = (2 * Double(count) / squares).squareRoot()
  }

  /// Two points from `index` on.
  @inline(__always)
  func apply(
    _ p: (UnsafePointer<Double>, UnsafePointer<Double>), at index: Int
  ) -> (SIMD2<Double>, SIMD2<Double>) {
    (
      (SIMD2(p.0[index], p.0[index + 1]) - centre.x) * scale,
      (SIMD2(p.1[index], p.1[index + 1]) - centre.y) * scale
    )
  }
}
