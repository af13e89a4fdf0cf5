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
      var equations = TurnEquations()
      var squares: [Double] = []
      for (cell, ray) in zip(cells, rays) {
        guard let image = ray.flatMap({ TurnedImage(of: rotation * $0, in: other) }) else {
          continue
        }
        let off = image.pixel - cell
        let square = (off * off).sum()
        guard square.isFinite else { continue }
        squares.append(square)
        equations.add(image, at: cell, weight: 1 / (1 + square / (9 * scale)))
      }
      guard squares.count > cells.count / 4, let step = equations.step() else { return nil }
      rotation = RotationMatrix(rotationVector: step) * rotation
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
