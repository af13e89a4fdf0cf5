// Positions are in pixels with (0, 0) at the *centre* of the top-left pixel, like corners. A pixel's
// share of a line is taken from its distance to the line's middle: a ramp one pixel wide at the edge,
// which is exact for straight edges along an axis and close to it for others.

extension ColorImage {
  /// Draws a straight line with round ends, smooth at its edges.
  ///
  /// What lies outside the image is left out, and a line with an end that is not finite wholly.
  /// Costs the area of the line's bounding box.
  public mutating func drawLine(
    from start: SIMD2<Double>, to end: SIMD2<Double>, width lineWidth: Double = 1, color: Color
  ) {
    let along = end - start
    let squaredLength = (along * along).sum()
    draw(
      around: pointwiseMin(start, end), pointwiseMax(start, end), width: lineWidth, color: color
    ) { point in
      let fromStart = point - start
      let share = squaredLength > 0 ? (fromStart * along).sum() / squaredLength : 0
      let distance = fromStart - along * min(max(share, 0), 1)
      return (distance * distance).sum().squareRoot()
    }
  }

  /// Draws a circle's outline, smooth at its edges; outside the image it is left out.
  ///
  /// Costs the area of the circle's bounding box.
  public mutating func drawCircle(
    center: SIMD2<Double>, radius: Double, width lineWidth: Double = 1, color: Color
  ) {
    let extent = SIMD2(repeating: radius)
    draw(around: center - extent, center + extent, width: lineWidth, color: color) { point in
      let fromCenter = point - center
      return abs((fromCenter * fromCenter).sum().squareRoot() - radius)
    }
  }

  /// Draws a filled circle, smooth at its edge; outside the image it is left out.
  public mutating func fillCircle(center: SIMD2<Double>, radius: Double, color: Color) {
    // A line of no length with round ends is a disc.
    drawLine(from: center, to: center, width: 2 * radius, color: color)
  }

  /// Blends `color` over the pixels whose `distance` is within half of `lineWidth`.
  private mutating func draw(
    around low: SIMD2<Double>, _ high: SIMD2<Double>, width lineWidth: Double, color: Color,
    distance: (SIMD2<Double>) -> Double
  ) {
    let margin = lineWidth / 2 + 1
    guard lineWidth > 0,
      let columns = Self.range(low.x - margin, high.x + margin, count: width),
      let rows = Self.range(low.y - margin, high.y + margin, count: height)
    else { return }
    for y in rows {
      for x in columns {
        let depth = lineWidth / 2 + 0.5 - distance(SIMD2(Double(x), Double(y)))
        guard depth > 0 else { continue }
        let share = Int(min(depth, 1, lineWidth) * 256)
        let first = 3 * (y * width + x)
        blend(first, color.red, share)
        blend(first + 1, color.green, share)
        blend(first + 2, color.blue, share)
      }
    }
  }

  private mutating func blend(_ index: Int, _ value: UInt8, _ share: Int) {
    let old = Int(pixels[index])
    pixels[index] = UInt8(old + (Int(value) - old) * share / 256)
  }

  /// The pixels of `0..<count` between two positions; nil where one is not finite or none is inside.
  private static func range(_ low: Double, _ high: Double, count: Int) -> Range<Int>? {
    guard low.isFinite, high.isFinite, high >= 0, low <= Double(count - 1), low <= high else {
      return nil
    }
    let first = Int(max(low.rounded(.down), 0))
    let last = Int(min(high.rounded(.up), Double(count - 1)))
    return first..<last + 1
  }
}
