package import CameraModel

/// How far two cameras lie apart over the image, after the best turn of one of them.
package struct CameraShift: Sendable {
  /// The length of the difference at each cell of `ProjectionUncertainty`'s grid, pixels; nil where one of
  /// the cameras has no answer.
  package var lengths: [Double?]

  /// So many steps bring any two cameras of one lens together that can be.
  private static let steps = 20

  /// nil where too little of the image is seen by both to tell.
  package init?(_ camera: CameraParameters, _ other: CameraParameters) {
    let cells = ProjectionUncertainty.cellCentres(of: camera.resolution)
    let rays = camera.unproject(cells)
    var rotation = RotationMatrix(rotationVector: SIMD3())
    /// What is far off would turn the rest with it: beyond three times this it counts for less.
    var scale = Double.infinity
    for _ in 0..<Self.steps {
      var normal = [Double](repeating: 0, count: 9)
      var step = [0.0, 0, 0]
      var squares: [Double] = []
      for (cell, ray) in zip(cells, rays) {
        guard let point = ray.map({ rotation * $0 }),
          let image = other.projectWithJacobians(point, parameterJacobian: nil)
        else { continue }
        let (u, v) = (image.u - cell.x, image.v - cell.y)
        let square = u * u + v * v
        guard square.isFinite else { continue }
        squares.append(square)
        let weight = 1 / (1 + square / (9 * scale))
        for (g, error) in [(image.uByPoint, u), (image.vByPoint, v)] {
          let row = [
            point.y * g.2 - point.z * g.1, point.z * g.0 - point.x * g.2,
            point.x * g.1 - point.y * g.0,
          ]
          for i in 0..<3 {
            for j in 0..<3 { normal[3 * i + j] += weight * row[i] * row[j] }
            step[i] -= weight * row[i] * error
          }
        }
      }
      guard squares.count > cells.count / 4, SmallMatrix.solve(normal, 3, &step) else { return nil }
      rotation = RotationMatrix(rotationVector: SIMD3(step[0], step[1], step[2])) * rotation
      squares.sort()
      scale = max(squares[squares.count / 2], 1e-12)
    }
    lengths = zip(cells, rays).map { cell, ray in
      guard let image = ray.flatMap({ other.project(rotation * $0) }) else { return nil }
      let off = image - cell
      let length = (off * off).sum().squareRoot()
      return length.isFinite ? length : nil
    }
  }

  /// The mean of what is known, pixels.
  var knownMean: Double {
    let known = lengths.compactMap(\.self)
    return known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count)
  }

  /// The share of the image within so many pixels; what has no answer is beyond.
  package func share(within pixels: Double) -> Double {
    Double(lengths.count { $0.map { $0 <= pixels } ?? false }) / Double(lengths.count)
  }
}
