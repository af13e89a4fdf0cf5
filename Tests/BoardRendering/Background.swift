import Glibc

/// An image of light, one Float a pixel, rows without gaps.
struct LightField {
  var width, height: Int
  var values: [Float]

  /// The scene behind the board, seen through the same lens; nil where it is even.
  static func background(
    of conditions: RenderingConditions, width: Int, height: Int
  ) -> LightField? {
    guard case .clutter(let seed) = conditions.background else { return nil }
    let scene = clutter(width: width, height: height, seed: seed)
    return scene.blurred(BlurKernel(blurSigma: conditions.blurSigma), motion: conditions.motion)
  }

  /// A scene of pixel-sized squares: bars, boxes and discs painted over one another.
  private static func clutter(width: Int, height: Int, seed: UInt64) -> LightField {
    var random = SeededGenerator(seed: seed, stream: 0xBAC)
    var field = LightField(
      width: width, height: height, values: Array(repeating: 0.3, count: width * height))
    let scale = Double(max(width, height))
    for _ in 0..<260 {
      let centre = SIMD2(random.unit() * Double(width), random.unit() * Double(height))
      let level = Float(random.uniform(0.02...0.9))
      let long = scale * 0.006 * exp(random.uniform(0...2.8))
      let short = long * random.uniform(0.15...1)
      let angle = random.uniform(0 ... .pi)
      let isDisc = random.unit() < 0.3
      field.paint(
        centre: centre, halfSides: SIMD2(long, isDisc ? long : short), angle: angle,
        isDisc: isDisc, level: level)
    }
    return field
  }

  private mutating func paint(
    centre: SIMD2<Double>, halfSides: SIMD2<Double>, angle: Double, isDisc: Bool, level: Float
  ) {
    let (c, s) = (cos(angle), sin(angle))
    let (a, b) = (halfSides.x, halfSides.y)
    let extent = isDisc ? SIMD2(a, a) : SIMD2(abs(a * c) + abs(b * s), abs(a * s) + abs(b * c))
    let firstColumn = max(0, Int(centre.x - extent.x))
    let firstRow = max(0, Int(centre.y - extent.y))
    let lastColumn = min(width - 1, Int(centre.x + extent.x))
    let lastRow = min(height - 1, Int(centre.y + extent.y))
    let (width, x0, y0) = (width, centre.x, centre.y)
    values.withUnsafeMutableBufferPointer { values in
      var row = firstRow
      while row <= lastRow {
        let dy = Double(row) - y0
        var column = firstColumn
        while column <= lastColumn {
          let dx = Double(column) - x0
          let along = dx * c + dy * s
          let across = dy * c - dx * s
          let inside =
            isDisc ? dx * dx + dy * dy <= a * a : abs(along) <= a && abs(across) <= b
          if inside { values[row * width + column] = level }
          column += 1
        }
        row += 1
      }
    }
  }

  /// The scene after the lens, the motion and the pixel's area: exact for pixel-sized squares.
  private func blurred(_ kernel: BlurKernel, motion: SIMD2<Double>) -> LightField {
    // Steps of a pixel are fine enough for what is only there to distract.
    let displacements = CoverageCanvas.displacements(motion: motion, sigma: 2)
    guard displacements.count > 1 else {
      return filtered(kernel, shift: 0).transposed.filtered(kernel, shift: 0).transposed
    }
    var sum: [Float] = Array(repeating: 0, count: width * height)
    for displacement in displacements {
      let moved = filtered(kernel, shift: displacement.x).transposed
        .filtered(kernel, shift: displacement.y).transposed
      let share = 1 / Float(displacements.count)
      moved.values.withUnsafeBufferPointer { moved in
        sum.withUnsafeMutableBufferPointer { sum in
          var index = 0
          while index < sum.count {
            sum[index] += share * moved[index]
            index += 1
          }
        }
      }
    }
    return LightField(width: width, height: height, values: sum)
  }

  /// Each row filtered; borders repeat their last pixel.
  private func filtered(_ kernel: BlurKernel, shift: Double) -> LightField {
    // A square from k − ½ to k + ½, moved by `shift`, seen by pixel u: S(u−k+½−shift) − S(u−k−½−shift),
    // which is the step table's entry for a point at k − ½ + shift.
    let place = 0.5 + shift
    let whole = place.rounded(.down)
    let first = Int(whole) - 1 - kernel.reach
    let entry = Int(((place - whole) * Double(BlurKernel.places)).rounded())
    let taps = Array(kernel.steps[(entry * kernel.count)..<((entry + 1) * kernel.count)])
    var result = self
    let (width, height) = (width, height)
    values.withUnsafeBufferPointer { source in
      result.values.withUnsafeMutableBufferPointer { target in
        taps.withUnsafeBufferPointer { taps in
          var row = 0
          while row < height {
            var column = 0
            while column < width {
              var sum: Float = 0
              var k = 0
              while k < taps.count {
                let from = min(max(column - first - k, 0), width - 1)
                sum += taps[k] * source[row * width + from]
                k += 1
              }
              target[row * width + column] = sum
              column += 1
            }
            row += 1
          }
        }
      }
    }
    return result
  }

  private var transposed: LightField {
    var result = LightField(
      width: height, height: width, values: Array(repeating: 0, count: values.count))
    let (width, height) = (width, height)
    values.withUnsafeBufferPointer { source in
      result.values.withUnsafeMutableBufferPointer { target in
        var row = 0
        while row < height {
          var column = 0
          while column < width {
            target[column * height + row] = source[row * width + column]
            column += 1
          }
          row += 1
        }
      }
    }
    return result
  }
}
