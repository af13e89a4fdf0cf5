import Glibc

/// Points before and after a map, and the radial table that fits them best about a centre.
///
/// Pixels, pixel-corner convention.
struct LensTableSamples {
  /// A point before and after the map.
  struct Sample {
    var from: SIMD2<Double>
    var to: SIMD2<Double>
    /// What a step of `to` in x and in y is in pixels of the image that the camera delivers.
    var xStep = SIMD2(1.0, 0)
    var yStep = SIMD2(0.0, 1)

    /// A step of `to` in pixels of the image that the camera delivers.
    func inImage(_ step: SIMD2<Double>) -> SIMD2<Double> { xStep * step.x + yStep * step.y }
  }

  let samples: [Sample]
  let width: Double
  let height: Double

  /// The table that least squares gives about a centre.
  ///
  /// to − from = m(r)·(from − centre) is linear in the samples of m, and each point concerns two
  /// neighbouring ones: the normal equations are tridiagonal. What no point reaches takes its
  /// neighbour's value.
  func table(center: SIMD2<Double>, count: Int) -> [Double] {
    let scale = self.scale(center: center, count: count)
    var diagonal = [Double](repeating: 0, count: count)
    var beside = [Double](repeating: 0, count: count)
    var right = [Double](repeating: 0, count: count)
    for sample in samples {
      let offset = sample.from - center
      let (node, share) = place(offset, scale: scale, count: count)
      let weighted = sample.inImage(offset)
      let change = sample.inImage(sample.to - sample.from)
      let square = weighted.x * weighted.x + weighted.y * weighted.y
      let along = weighted.x * change.x + weighted.y * change.y
      diagonal[node] += (1 - share) * (1 - share) * square
      diagonal[node + 1] += share * share * square
      beside[node] += share * (1 - share) * square
      right[node] += (1 - share) * along
      right[node + 1] += share * along
    }
    // A weak pull of neighbours to one another, nine orders below the data, and of the first to 0.
    let pull = max(diagonal.max() ?? 0, 1) * 1e-9
    diagonal[0] += pull * 1e-3
    for node in 0..<(count - 1) {
      diagonal[node] += pull
      diagonal[node + 1] += pull
      beside[node] -= pull
    }
    // Elimination without pivots: the matrix is positive definite.
    for node in 1..<count {
      let factor = beside[node - 1] / diagonal[node - 1]
      diagonal[node] -= factor * beside[node - 1]
      right[node] -= factor * right[node - 1]
    }
    var solution = right
    solution[count - 1] /= diagonal[count - 1]
    for node in (0..<(count - 1)).reversed() {
      solution[node] = (right[node] - beside[node] * solution[node + 1]) / diagonal[node]
    }
    return solution
  }

  /// The sum of the squared distances in the image that a table leaves, and the longest distance.
  func residual(of table: [Double], center: SIMD2<Double>) -> (squares: Double, maximum: Double) {
    let scale = self.scale(center: center, count: table.count)
    var (squares, largest) = (0.0, 0.0)
    for sample in samples {
      let offset = sample.from - center
      let (node, share) = place(offset, scale: scale, count: table.count)
      let change = table[node] * (1 - share) + table[node + 1] * share
      let error = sample.inImage(sample.from + offset * change - sample.to)
      let square = error.x * error.x + error.y * error.y
      squares += square
      largest = max(largest, square)
    }
    return (squares, largest.squareRoot())
  }

  /// Steps of the table a pixel.
  private func scale(center: SIMD2<Double>, count: Int) -> Double {
    let most = LensDistortionTable.maximumRadius(center: center, width: width, height: height)
    return Double(count - 1) / most
  }

  /// Between which samples of the table a point lies, and how near to the second.
  private func place(
    _ offset: SIMD2<Double>, scale: Double, count: Int
  ) -> (node: Int, share: Double) {
    let radius = (offset.x * offset.x + offset.y * offset.y).squareRoot()
    let place = min(radius * scale, Double(count - 1))
    let node = min(Int(place), count - 2)
    return (node, place - Double(node))
  }
}
