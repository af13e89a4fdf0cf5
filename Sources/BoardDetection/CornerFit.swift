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
    let fitted = withUnsafeTemporaryAllocation(
      byteCount: (CornerSamples.floatCount + NormalEquations.scratchCount)
        * MemoryLayout<Float>.stride, alignment: 32
    ) { memory -> CornerFit? in
      guard let base = memory.baseAddress?.assumingMemoryBound(to: Float.self) else { return nil }
      var samples = CornerSamples(floats: base)
      let (levels, middle) = Self.collect(image, start, steps, half: half, into: &samples)
      // Twice as many pixels as unknowns, else noise is fitted.
      guard samples.count >= 2 * CornerModel.parameterCount, let levels,
        var model = Self.startModel(levels, start - middle, steps, curvatures, blur)
      else { return nil }
      guard
        let (cost, sigma) = Self.settle(
          &model, &samples, scratch: base + CornerSamples.floatCount)
      else { return nil }
      model.position += middle
      let residual = (cost / Double(samples.count - CornerModel.parameterCount)).squareRoot()
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
  /// Up to 0.42 of the way to the next corners, at most `half` px in x and y.
  ///
  /// - Returns: The mean brightness of the squares on the sides of both edges' one direction and of those
  ///   on the others, nil where there are next to no pixels of either; and the middle of the window.
  private static func collect(
    _ image: GrayImage, _ start: SIMD2<Double>,
    _ steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>), half: Int,
    into samples: inout CornerSamples
  ) -> (levels: SIMD2<Double>?, middle: SIMD2<Double>) {
    guard abs(start.x) < 1e6, abs(start.y) < 1e6 else { return (nil, start) }
    let (column, row) = (Int(start.x.rounded()), Int(start.y.rounded()))
    let middle = SIMD2(Double(column), Double(row))
    let determinant = cross(steps.alongRow, steps.alongColumn)
    guard abs(determinant) > 1e-6, (0..<image.width).contains(column),
      (0..<image.height).contains(row)
    else { return (nil, middle) }
    let (a, b) = (steps.alongRow / determinant, steps.alongColumn / determinant)
    let offset = start - middle
    var (sums, counts) = (SIMD2<Double>(), SIMD2<Double>())
    image.pixels.withUnsafeBufferPointer { pixels in
      let columns = (
        max(0, column - half) - column, min(image.width - 1, column + half) - column
      )
      // The start lies inside the image, so neither range is empty.
      for y in max(0, row - half)...min(image.height - 1, row + half) {
        let dy = Double(y - row) - offset.y
        // How far along row and column of the board a pixel is: u = p·b.y − q, v = r − p·a.y for the
        // pixel p from the start. Only the pixels are visited at which both are below 0.42.
        let (q, r) = (dy * b.x, a.x * dy)
        var (low, high) = (Double(columns.0) - offset.x, Double(columns.1) - offset.x)
        narrow(&low, &high, slope: b.y, shift: -q)
        narrow(&low, &high, slope: -a.y, shift: r)
        guard low <= high else { continue }
        let line = pixels.baseAddress.map { $0 + y * image.width + column }
        guard let line else { return }
        var x = Int((low + offset.x).rounded(.up))
        let last = Int((high + offset.x).rounded(.down))
        var (same, other, sameCount, otherCount) = (0, 0, 0, 0)
        while x <= last {
          let dx = Double(x) - offset.x
          let value = line[x]
          samples.add(x, y - row, Float(value) / 255)
          // The sides of the edges, as the model counts them: left of the direction is negative.
          if (dx * b.y - q) * (r - dx * a.y) < 0 {
            same += Int(value)
            sameCount += 1
          } else {
            other += Int(value)
            otherCount += 1
          }
          x += 1
        }
        sums += SIMD2(Double(same), Double(other))
        counts += SIMD2(Double(sameCount), Double(otherCount))
      }
    }
    guard counts.x > 4, counts.y > 4 else { return (nil, middle) }
    return (sums / counts / 255, middle)
  }

  /// Narrows a range of x to where |slope·x + shift| stays below 0.42.
  private static func narrow(
    _ low: inout Double, _ high: inout Double, slope: Double, shift: Double
  ) {
    let reach = 0.42
    guard abs(slope) > 1e-12 else {
      if abs(shift) >= reach { high = -.infinity }
      return
    }
    let (first, second) = ((-reach - shift) / slope, (reach - shift) / slope)
    low = max(low, min(first, second))
    high = min(high, max(first, second))
  }

  /// Levels from the means of the two pairs of opposite quadrants.
  private static func startModel(
    _ levels: SIMD2<Double>, _ start: SIMD2<Double>,
    _ steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>), _ curvatures: SIMD2<Double>,
    _ blur: Double
  ) -> CornerModel? {
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
    _ model: inout CornerModel, _ samples: inout CornerSamples,
    scratch: UnsafeMutablePointer<Float>
  ) -> (cost: Double, sigma: Double)? {
    let (count, stride) = (samples.count, samples.pack())
    let floats = samples.floats
    var equations = NormalEquations()
    var cost = equations.build(model, floats, count: count, stride: stride, scratch: scratch)
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
      let trialCost = trial.build(next, floats, count: count, stride: stride, scratch: scratch)
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
