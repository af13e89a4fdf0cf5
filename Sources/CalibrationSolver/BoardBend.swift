/// A board that is not flat: z = a·(1 − x²) + b·(1 − y²), x and y from −1 to 1 over its corner field.
///
/// Paper on a board, and boards of plastic or wood, bend like this to first order. A bend that nobody
/// models moves the focal length at hardly any RMS; a rigid part of it is taken up by the poses.
package struct BoardBend: Sendable, Hashable {
  /// The middle of the corner field, in the unit of the board points.
  package var centre: SIMD2<Double>
  /// Half the extent of the corner field in x and y, the same unit, above 0.
  package var half: SIMD2<Double>
  /// a and b: how far the middle stands back from the edges, by the curvature along x and along y, the
  /// same unit.
  package var sagitta: SIMD2<Double>
  /// Whether both are one unknown: the views of a board that looks the same when turned by 90° do not
  /// agree on which of its directions is x.
  package var isRound: Bool

  /// A flat board that may turn out to be bent; nil where the points span no area.
  package init?(
    over points: some Sequence<SIMD3<Double>>, sagitta: SIMD2<Double> = SIMD2(),
    isRound: Bool = false
  ) {
    var (low, high) = (
      SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity)
    )
    for point in points {
      let place = SIMD2(point.x, point.y)
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    centre = (low + high) / 2
    half = (high - low) / 2
    self.sagitta = sagitta
    self.isRound = isRound
    guard isSound else { return nil }
  }

  /// Whether its field has an extent, and every number is finite.
  var isSound: Bool {
    half.x > 0 && half.y > 0 && half.isFinite && centre.isFinite && sagitta.isFinite
      && (!isRound || sagitta.x == sagitta.y)
  }

  /// The length of the corner field's longer side, in the unit of the board points.
  package var length: Double { 2 * max(half.x, half.y) }

  /// Where points of the flat board lie on the bent one.
  package func applied(to points: [SIMD3<Double>]) -> [SIMD3<Double>] {
    let scale = 1 / half
    return points.map { point in
      let shape = Self.shape(point.x, point.y, centre: centre, scale: scale)
      return SIMD3(point.x, point.y, point.z + (sagitta * shape).sum())
    }
  }

  /// 1 − x² and 1 − y²: what a and b are multiplied by at a place of the board; `scale` is 1 / `half`.
  @inline(__always)
  static func shape(
    _ x: Double, _ y: Double, centre: SIMD2<Double>, scale: SIMD2<Double>
  ) -> SIMD2<Double> {
    let place = (SIMD2(x, y) - centre) * scale
    return 1 - place * place
  }
}

/// What is known of a board's shape before its views are solved for.
package struct BoardShape: Sendable, Hashable {
  /// The bend to begin with, or the one that is known.
  package var bend: BoardBend
  /// Whether it is estimated with the camera.
  package var isFree: Bool
  /// What is known of each of its two numbers beforehand; acts only where it is estimated.
  package var prior: ParameterPrior?

  /// Creates a shape; estimated unless `isFree` says otherwise.
  package init(_ bend: BoardBend, isFree: Bool = true, prior: ParameterPrior? = nil) {
    self.bend = bend
    self.isFree = isFree
    self.prior = prior
  }
}
