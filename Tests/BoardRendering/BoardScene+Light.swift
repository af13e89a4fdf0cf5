import CameraModel

extension BoardScene {
  /// The light that arrives at each pixel under even illumination: reflectances, blurred by the
  /// lens and averaged over the pixels' areas.
  func reflectedLight() -> [Float] {
    let (width, height) = (camera.resolution.width, camera.resolution.height)
    let kernel = BlurKernel(blurSigma: conditions.blurSigma)
    let background = LightField.background(of: conditions, width: width, height: height)
    var flat: Float = 0
    if case .flat(let level) = conditions.background { flat = Float(level) }
    var light = background?.values ?? Array(repeating: flat, count: width * height)

    let outline = BoardOutline(self)
    let sheet = outline.border(of: board.sheet)
    let reach =
      Double(kernel.reach + 2) + conditions.motion.x.magnitude
      + conditions.motion.y.magnitude
    guard let window = Window(of: sheet, grownBy: reach, in: camera.resolution) else {
      return light
    }
    func canvas() -> CoverageCanvas {
      CoverageCanvas(
        minX: window.minX, minY: window.minY, width: window.width, height: window.height,
        kernel: kernel, motion: conditions.motion)
    }
    // The sheet hides the background, and the black squares lie on the sheet: linear in both areas.
    // (Where the background is not even, the rim of the sheet is mixed after the blur: away from
    // the squares by the margin, and right wherever the background is even.)
    let paper = canvas()
    paper.add(sheet, weight: 1)
    let ink = canvas()
    for square in board.blackSquares {
      ink.add(outline.border(of: square), weight: conditions.black - conditions.white)
    }
    let white = Float(conditions.white)
    let (paperCoverage, inkCoverage) = (paper.coverage(), ink.coverage())
    light.withUnsafeMutableBufferPointer { light in
      paperCoverage.withUnsafeBufferPointer { paper in
        inkCoverage.withUnsafeBufferPointer { ink in
          var row = 0
          while row < window.height {
            let source = row * window.width
            let target = (window.minY + row) * width + window.minX
            var column = 0
            while column < window.width {
              let behind = light[target + column]
              light[target + column] =
                behind + paper[source + column] * (white - behind) + ink[source + column]
              column += 1
            }
            row += 1
          }
        }
      }
    }
    return light
  }
}

/// The part of an image that an area can touch.
private struct Window {
  var minX, minY, width, height: Int

  init?(of pieces: [BorderPiece], grownBy margin: Double, in resolution: Resolution) {
    var (lowX, lowY, highX, highY) = (Double.infinity, Double.infinity, -1.0, -1.0)
    for piece in pieces {
      lowX = min(lowX, piece.start.x)
      highX = max(highX, piece.start.x)
      lowY = min(lowY, piece.start.y)
      highY = max(highY, piece.start.y)
    }
    // Between the ends of its pieces a border bulges by much less than this.
    let margin = margin + 4
    lowX = max(0, (lowX - margin).rounded(.down))
    lowY = max(0, (lowY - margin).rounded(.down))
    highX = min(Double(resolution.width), (highX + margin).rounded(.up))
    highY = min(Double(resolution.height), (highY + margin).rounded(.up))
    guard lowX < highX, lowY < highY else { return nil }
    (minX, minY) = (Int(lowX), Int(lowY))
    (width, height) = (Int(highX) - minX, Int(highY) - minY)
  }
}

extension CoverageCanvas {
  /// Adds an area by its border.
  package func add(_ border: [BorderPiece], weight: Double) {
    for piece in border {
      add(
        start: piece.start, linear: piece.linear, quadratic: piece.quadratic, weight: weight)
    }
  }
}
