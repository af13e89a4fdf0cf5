/// Focal lengths in closed form from homographies between a board and a plane whose origin is the
/// principal point.
///
/// The columns h1, h2 of a homography are perpendicular and of equal length once divided by the focal
/// lengths: two equations for 1/fx², 1/fy². Source: Zhang, "A flexible new technique for camera
/// calibration", IEEE PAMI 22 (2000).
struct ZhangFocalLengths {
  /// Those that exist: from least squares with one and with two focal lengths, and the weighted median
  /// over the views.
  var candidates: [SIMD2<Double>] = []

  init(_ homographies: [Homography]) {
    var (n00, n01, n11, r0, r1) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var single: [(value: Double, weight: Double)] = []
    for h in homographies {
      let (a, b) = (SIMD2(h.rows.0.x, h.rows.1.x), SIMD2(h.rows.0.y, h.rows.1.y))
      let scale = ((a * a).sum() * (b * b).sum()).squareRoot()
      guard scale > 0, scale.isFinite else { continue }
      let (az, bz) = (h.rows.2.x, h.rows.2.y)
      let equations = [
        (a * b / scale, -az * bz / scale), ((a * a - b * b) / scale, -(az * az - bz * bz) / scale),
      ]
      var (weight, sum) = (0.0, 0.0)
      for (c, z) in equations {
        n00 += c.x * c.x
        n01 += c.x * c.y
        n11 += c.y * c.y
        r0 += c.x * z
        r1 += c.y * z
        weight += c.sum() * c.sum()
        sum += c.sum() * z
      }
      if weight > 0 { single.append((sum / weight, weight)) }
    }
    let determinant = n00 * n11 - n01 * n01
    if determinant > 1e-9 * n00 * n11 {
      add((n11 * r0 - n01 * r1) / determinant, (n00 * r1 - n01 * r0) / determinant)
    }
    let weight = n00 + 2 * n01 + n11
    if weight > 0 {
      let inverse = (r0 + r1) / weight
      add(inverse, inverse)
    }
    let half = single.reduce(0) { $0 + $1.weight } / 2
    var reached = 0.0
    for (value, weight) in single.sorted(by: { $0.value < $1.value }) {
      reached += weight
      guard reached >= half else { continue }
      add(value, value)
      break
    }
  }

  /// Takes 1/fx² and 1/fy² unless they are no focal lengths of one camera.
  private mutating func add(_ x: Double, _ y: Double) {
    guard x > 0, y > 0 else { return }
    let focal = SIMD2(1 / x.squareRoot(), 1 / y.squareRoot())
    guard focal.isFinite, focal.x < 1.5 * focal.y, focal.y < 1.5 * focal.x else { return }
    candidates.append(focal)
  }
}
