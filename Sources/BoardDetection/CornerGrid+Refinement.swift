internal import Glibc
internal import Imaging
internal import OpenCV

/// Corners after refinement.
struct RefinedCorners: Sendable {
  var grid: CornerGrid
  /// The deviation of the blur, pixels: the median over the fitted corners, 0 if none was fitted.
  var blurSigma: Double
  /// Which corners have their position from a sound fit of the corner's image.
  var isFitted: [Bool]
  /// The corners that lie off what the others say, without a sound fit that would speak for them.
  private(set) var outliers: [Int] = []
  /// Where the others say that each corner is; nil if they are too few to say.
  private(set) var predicted: [SIMD2<Double>]?

  init(grid: CornerGrid, blurSigma: Double, isFitted: [Bool]) {
    self.grid = grid
    self.blurSigma = blurSigma
    self.isFitted = isFitted
  }

  /// Whether an outer row or column shows hardly a corner though nearly all others do.
  ///
  /// A finder that is asked for one row too many takes the ends of the outer squares for it: two
  /// squares meet there instead of four, which no fit of a corner takes for sound.
  var hasEmptyBorder: Bool {
    let (columns, rows) = (grid.columns, grid.rows)
    let total = isFitted.count { $0 }
    let lines = [
      (0..<columns).map { $0 }, (0..<columns).map { (rows - 1) * columns + $0 },
      (0..<rows).map { $0 * columns }, (0..<rows).map { $0 * columns + columns - 1 },
    ]
    return lines.contains { line in
      let fitted = line.count { isFitted[$0] }
      return 4 * fitted <= line.count
        && 10 * (total - fitted) >= 9 * (isFitted.count - line.count)
    }
  }

  /// Looks for outliers.
  ///
  /// A corner with a sound fit is none unless it lies off by a fifth of a square: a strong lens bends
  /// more than a polynomial can follow.
  mutating func judge() {
    guard let smoothness = GridSmoothness(grid) else { return }
    let spacings = grid.spacings
    predicted = smoothness.predicted
    outliers = smoothness.outliers(spacings: spacings).filter {
      !isFitted[$0] || smoothness.deviations[$0] > max(1, 0.2 * spacings[$0])
    }
  }
}

extension CornerGrid {
  /// The corners refined: by cornerSubPix, then by a fit of the corner's image where that is sound.
  ///
  /// cornerSubPix gets a window that holds no other corner: half of it is 0.4 of the distance to the
  /// nearest neighbour, 2…11 px. A fixed window takes in other corners of small squares: with OpenCV's
  /// own sample (11 px where corners are 22 px apart) fx is 0.6 % off on its own photographs.
  func refined(in image: GrayImage) throws -> RefinedCorners {
    var result = try subPixel(in: image).fitted(in: image)
    // Corners that are off, and in whose image nothing says otherwise, start again from where their
    // neighbours say they are. Strong blur throws the finders and cornerSubPix off by pixels, to either
    // side by turns (dark squares grow or shrink): then all that could not be fitted do.
    for _ in 0..<2 {
      result.judge()
      guard let predicted = result.predicted else { break }
      let restarted =
        result.blurSigma > 2
        ? points.indices.filter { !result.isFitted[$0] } : result.outliers
      if restarted.isEmpty || result.outliers.count * 4 > points.count { break }
      var grid = result.grid
      for index in restarted { grid.points[index] = predicted[index] }
      // First without cornerSubPix: from so near a start it can only lead away.
      for start in [grid, try grid.subPixel(in: image, only: restarted)] {
        let again = start.fitted(in: image, only: restarted, blur: result.blurSigma)
        for index in restarted where again.isFitted[index] && !result.isFitted[index] {
          result.grid.points[index] = again.grid.points[index]
          result.isFitted[index] = true
        }
      }
    }
    result.judge()
    return result
  }

  /// The corners (or those listed) refined by cornerSubPix, unless they jump.
  func subPixel(in image: GrayImage, only: [Int]? = nil) throws -> CornerGrid {
    var result = self
    let spacings = spacings
    let chosen = only ?? Array(points.indices)
    let inside = chosen.filter {
      let p = points[$0]
      return p.x >= 0 && p.y >= 0 && p.x < Double(image.width) && p.y < Double(image.height)
    }
    let moved = try SubPixelRefinement.refine(
      inside.map { points[$0] }, in: image,
      halfWindows: inside.map { min(11, max(2, Int(0.4 * spacings[$0]))) })
    for (index, point) in zip(inside, moved) {
      // A jump of more than a third of a square went to something else.
      let jump = length(point - points[index])
      if jump.isFinite, jump <= max(1, 0.35 * spacings[index]) { result.points[index] = point }
    }
    return result
  }

  /// The corners with positions from `CornerFit` where it is sound.
  ///
  /// - Parameters:
  ///   - only: The corners to fit; nil for all.
  ///   - blur: A first guess of the blur's deviation, pixels.
  func fitted(in image: GrayImage, only: [Int]? = nil, blur guess: Double = 1) -> RefinedCorners {
    var grid = self
    var blurs: [Double] = []
    var isFitted = [Bool](repeating: false, count: points.count)
    var blur = max(0.4, guess)
    let spacings = spacings
    let chosen = only.map(Set.init)
    for row in 0..<rows {
      for column in 0..<columns {
        if let chosen, !chosen.contains(row * columns + column) { continue }
        let start = self[column, row]
        let steps = shorterSteps(column, row)
        guard
          let fit = CornerFit(
            in: image, start: start, steps: steps, curvatures: curvatures(column, row), blur: blur)
        else { continue }
        let spacing = spacings[row * columns + column]
        // Neighbours are blurred alike: a good guess for the next.
        blur = max(0.4, fit.model.blurSigma)
        blurs.append(fit.model.blurSigma)
        if fit.isSound(start: start, steps: steps, spacing: spacing) {
          grid[column, row] = fit.model.position
          isFitted[row * columns + column] = true
        }
      }
    }
    blurs.sort()
    return RefinedCorners(
      grid: grid, blurSigma: blurs.isEmpty ? 0 : blurs[blurs.count / 2], isFitted: isFitted)
  }

  /// Steps to the next corners along row and column, of both sides the shorter.
  private func shorterSteps(_ column: Int, _ row: Int)
    -> (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>)
  {
    func step(_ before: SIMD2<Double>?, _ after: SIMD2<Double>?) -> SIMD2<Double> {
      guard let before else { return after ?? SIMD2() }
      guard let after else { return before }
      // Direction of both together (along the tangent), length of the shorter.
      let sum = before + after
      return sum * (min(length(before), length(after)) / max(length(sum), 1e-9))
    }
    let here = self[column, row]
    return (
      step(
        column > 0 ? here - self[column - 1, row] : nil,
        column + 1 < columns ? self[column + 1, row] - here : nil),
      step(
        row > 0 ? here - self[column, row - 1] : nil,
        row + 1 < rows ? self[column, row + 1] - here : nil)
    )
  }

  /// The curvature of the edges through a corner, 1/px, from three corners of its row and column (at
  /// the border the three next to it).
  private func curvatures(_ column: Int, _ row: Int) -> SIMD2<Double> {
    func curvature(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
      let chord = c - a
      let size = length(chord)
      guard size > 1 else { return 0 }
      // Across the chord, on the side the model counts as positive; half the chord is one step.
      return cross(chord, a + c - 2 * b) / size / (size * size / 4)
    }
    let c = min(max(column, 1), columns - 2)
    let r = min(max(row, 1), rows - 2)
    return SIMD2(
      curvature(self[c - 1, row], self[c, row], self[c + 1, row]),
      curvature(self[column, r - 1], self[column, r], self[column, r + 1]))
  }
}

extension CornerFit {
  /// Whether the fit may replace the position that it started from.
  ///
  /// A reflection, a shadow or a thumb at the corner makes the model wrong; then cornerSubPix, which
  /// only looks at gradients, is the safer answer.
  func isSound(
    start: SIMD2<Double>, steps: (alongRow: SIMD2<Double>, alongColumn: SIMD2<Double>),
    spacing: Double
  ) -> Bool {
    // cornerSubPix is off by more than half a pixel only where blur or noise defeat it.
    let jump = length(model.position - start)
    guard jump < min(0.5 + 0.02 * spacing + 0.5 * model.blurSigma, 0.15 * spacing) else {
      return false
    }
    // Residuals of a third of the contrast are no noise.
    guard relativeResidual < 0.35, positionSigma < 0.3 else { return false }
    // Blur of more than a third of a square mixes with the next edge.
    guard model.blurSigma < 0.33 * spacing else { return false }
    // Edges run along the board, within about 15°.
    func turned(_ angle: Double, _ step: SIMD2<Double>) -> Bool {
      let direction = SIMD2(cos(angle), sin(angle))
      return (direction * step).sum() > 0.96 * length(step)
    }
    return turned(model.angles.x, steps.alongRow) && turned(model.angles.y, steps.alongColumn)
  }
}
