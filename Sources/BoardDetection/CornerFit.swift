internal import Glibc
internal import Imaging

/// The fit of a `CornerModel` to the pixels around a corner.
struct CornerFit: Sendable {
  var model: CornerModel
  /// The root of the mean squared residual, in units of the contrast.
  var relativeResidual: Double
  /// The standard deviation of the position, the larger axis, pixels, from the residual.
  var positionSigma: Double

  /// The largest half window, pixels: strong blur needs more than the usual 11.
  static let largestHalfWindow = 20
  /// The most pixels a window can hold.
  static let capacity = (2 * largestHalfWindow + 1) * (2 * largestHalfWindow + 1)

  /// Fits a corner; nil where there are too few pixels or the fit does not settle.
  ///
  /// - Parameters:
  ///   - start: Near the corner, within about a pixel; pixel-centre convention.
  ///   - steps: From this corner to the next along the board's rows and columns, the shorter of both
  ///     sides, pixels.
  ///   - curvatures: Of the edges along rows and columns, 1/px.
  ///   - blur: A guess of the blur's deviation, pixels.
  init?(
    in image: GrayImage, start: SIMD2<Double>,
    steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>), curvatures: SIMD2<Double>,
    blur: Double
  ) {
    // An edge's blur ends 3.5 σ away.
    let half = min(Self.largestHalfWindow, max(11, Int((3.5 * blur).rounded(.up))))
    let fitted = withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.capacity) {
      samples -> CornerFit? in
      let (count, middle) = Self.collect(image, start, steps, half: half, into: samples)
      // Twice as many pixels as unknowns, else noise is fitted.
      guard count >= 2 * CornerModel.parameterCount,
        var model = Self.startModel(
          samples.baseAddress, count, start - middle, steps, curvatures, blur)
      else { return nil }
      guard let (cost, sigma) = Self.settle(&model, samples.baseAddress, count) else { return nil }
      model.position += middle
      let residual = (cost / Double(count - CornerModel.parameterCount)).squareRoot()
      return CornerFit(
        model: model, relativeResidual: residual / abs(model.contrast),
        positionSigma: sigma * residual)
    }
    guard let fitted else { return nil }
    self = fitted
  }

  private init(model: CornerModel, relativeResidual: Double, positionSigma: Double) {
    self.model = model
    self.relativeResidual = relativeResidual
    self.positionSigma = positionSigma
  }

  /// The pixels near the corner that belong to its four squares.
  ///
  /// Up to 0.42 of the way to the next corners, at most `half` px in x and y. Each sample is x, y (from
  /// the middle of the window) and the brightness, 0…1.
  private static func collect(
    _ image: GrayImage, _ start: SIMD2<Double>,
    _ steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>), half: Int,
    into samples: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) -> (count: Int, middle: SIMD2<Double>) {
    guard abs(start.x) < 1e6, abs(start.y) < 1e6 else { return (0, start) }
    let (column, row) = (Int(start.x.rounded()), Int(start.y.rounded()))
    let middle = SIMD2(Double(column), Double(row))
    let determinant = cross(steps.alongRow, steps.alongColumn)
    guard abs(determinant) > 1e-6, (0..<image.width).contains(column),
      (0..<image.height).contains(row)
    else { return (0, middle) }
    let (a, b) = (steps.alongRow, steps.alongColumn)
    let offset = start - middle
    var count = 0
    image.pixels.withUnsafeBufferPointer { pixels in
      // The start lies inside the image, so neither range is empty.
      for y in max(0, row - half)...min(image.height - 1, row + half) {
        for x in max(0, column - half)...min(image.width - 1, column + half) {
          let (dx, dy) = (Double(x - column) - offset.x, Double(y - row) - offset.y)
          let u = (dx * b.y - dy * b.x) / determinant
          let v = (a.x * dy - a.y * dx) / determinant
          guard abs(u) < 0.42, abs(v) < 0.42 else { continue }
          samples[count] = SIMD4(
            Float(x - column), Float(y - row), Float(pixels[y * image.width + x]) / 255, 0)
          count += 1
        }
      }
    }
    return (count, middle)
  }

  /// Levels from the means of the two pairs of opposite quadrants.
  private static func startModel(
    _ samples: UnsafeMutablePointer<SIMD4<Float>>?, _ count: Int, _ start: SIMD2<Double>,
    _ steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>), _ curvatures: SIMD2<Double>,
    _ blur: Double
  ) -> CornerModel? {
    guard let samples else { return nil }
    var (sums, counts) = (SIMD2<Double>(), SIMD2<Double>())
    for index in 0..<count {
      let d = SIMD2(Double(samples[index].x), Double(samples[index].y)) - start
      // The sides of the edges, as the model counts them: left of the direction is negative.
      let same = cross(steps.alongRow, d) * cross(steps.alongColumn, d) > 0
      sums[same ? 0 : 1] += Double(samples[index].z)
      counts[same ? 0 : 1] += 1
    }
    guard counts.x > 4, counts.y > 4 else { return nil }
    let levels = sums / counts
    // The means of blurred quadrants lie nearer together than the levels.
    let contrast = 0.6 * (levels.x - levels.y)
    guard abs(contrast) > 0.004 else { return nil }
    let sharpness = 1 / max(blur, 0.3)
    return CornerModel(
      position: start,
      angles: SIMD2(
        atan2(steps.alongRow.y, steps.alongRow.x), atan2(steps.alongColumn.y, steps.alongColumn.x)),
      sharpness: SIMD2(sharpness, sharpness), mean: (levels.x + levels.y) / 2, contrast: contrast,
      gradient: SIMD2(), curvatures: curvatures)
  }

  /// Gauss–Newton with damping; the cost at the end, and the position's deviation for a residual of 1.
  private static func settle(
    _ model: inout CornerModel, _ samples: UnsafeMutablePointer<SIMD4<Float>>?, _ count: Int
  ) -> (cost: Double, sigma: Double)? {
    guard let samples else { return nil }
    return withUnsafeTemporaryAllocation(
      byteCount: NormalEquations.scratchCount * MemoryLayout<Float>.stride, alignment: 32
    ) { scratch in
      guard let scratch = scratch.baseAddress else { return nil }
      var equations = NormalEquations()
      var cost = equations.build(model, samples, count, scratch: scratch)
      var trial = NormalEquations()
      var damping = 1e-3
      for _ in 0..<12 {
        guard let step = equations.solve(damping: damping) else { return nil }
        let next = model.moved(by: step)
        // The last step need not be checked: what follows one of 0.01 px is far below noise.
        if abs(step[0]) < 0.01, abs(step[1]) < 0.01, damping < 1e-2 {
          model = next
          break
        }
        let trialCost = trial.build(next, samples, count, scratch: scratch)
        guard trialCost.isFinite else { return nil }
        if trialCost < cost {
          (model, cost) = (next, trialCost)
          swap(&equations, &trial)
          damping = max(damping * 0.1, 1e-6)
        } else {
          damping *= 10
          if damping > 10 { break }
        }
      }
      // Two columns of the inverse give the position's variances.
      guard let x = equations.solve(damping: 0, unit: 0),
        let y = equations.solve(damping: 0, unit: 1)
      else { return nil }
      let variance = max(x[0], y[1])
      guard variance > 0 else { return nil }
      return (cost, variance.squareRoot())
    }
  }
}
