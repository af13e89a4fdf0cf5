/// Draws areas the way a camera sees them: blurred by the lens, then averaged over each pixel's
/// area, exactly and in this order, without a grid of samples.
///
/// The value of a pixel is the integral of the area's indicator times the separable kernel
/// W(u − x) W(v − y) of `BlurKernel`. By Green's theorem that is the line integral
/// −∮ S(u − x) W(v − y) dy along the area's border, S the running integral of W. So only borders are
/// visited: each point of a border adds W over the rows and the column differences of S to a small
/// patch of pixels, and one running sum along each row at the end turns the differences into values.
/// Blurring an image that is already made of pixels would move corners by hundredths of a pixel.
package struct CoverageCanvas: ~Copyable {
  /// The columns and rows of the image that the canvas covers.
  package let minX, minY, width, height: Int
  private let kernel: BlurKernel
  private let values: UnsafeMutablePointer<Float>
  /// Room for the interpolated table entries of one point: steps, then weights.
  private let scratch: UnsafeMutablePointer<Float>
  /// Displacements of the image while the shutter is open, each with the same weight, pixels.
  private let displacements: [SIMD2<Double>]

  /// Creates an empty canvas over `width` x `height` pixels from (`minX`, `minY`) on.
  ///
  /// - Parameter motion: How far the image moves while the shutter is open, pixels; the middle of
  ///   the way is where things are said to be.
  package init(
    minX: Int, minY: Int, width: Int, height: Int, kernel: BlurKernel,
    motion: SIMD2<Double> = SIMD2(0, 0)
  ) {
    self.minX = minX
    self.minY = minY
    self.width = width
    self.height = height
    self.kernel = kernel
    values = .allocate(capacity: max(1, width * height))
    values.initialize(repeating: 0, count: max(1, width * height))
    scratch = .allocate(capacity: 2 * kernel.count)
    scratch.initialize(repeating: 0, count: 2 * kernel.count)
    displacements = Self.displacements(motion: motion, sigma: kernel.sigma)
  }

  deinit {
    values.deallocate()
    scratch.deallocate()
  }

  /// Steps of the motion that are short against the blur, so that their mean is the integral.
  package static func displacements(motion: SIMD2<Double>, sigma: Double) -> [SIMD2<Double>] {
    let length = (motion * motion).sum().squareRoot()
    guard length > 0 else { return [SIMD2(0, 0)] }
    let count = Int((length / (0.5 * max(sigma, 0.5))).rounded(.up))
    return (0..<count).map { motion * ((Double($0) + 0.5) / Double(count) - 0.5) }
  }

  /// Adds a piece of the border of an area, a parabola, whose pixels count `weight`.
  ///
  /// The border runs around the area so that x grows along its upper edge (clockwise on the screen).
  ///
  /// - Parameters:
  ///   - start: Where the piece begins, pixels of the image, centre convention.
  ///   - linear: The curve is start + t (linear + t quadratic), t from 0 to 1.
  package func add(
    start: SIMD2<Double>, linear: SIMD2<Double>, quadratic: SIMD2<Double>, weight: Double
  ) {
    let end = start + linear + quadratic
    let length =
      (abs(linear.x) + abs(linear.x + 2 * quadratic.x)) / 2
      + (abs(linear.y) + abs(linear.y + 2 * quadratic.y)) / 2
    let share = weight / Double(displacements.count)
    for displacement in displacements {
      let x0 = start.x + displacement.x - Double(minX)
      let y0 = start.y + displacement.y - Double(minY)
      let sag = abs(quadratic.x) + abs(quadratic.y)
      let lowest = min(start.y, end.y) + displacement.y - Double(minY) - sag
      let highest = max(start.y, end.y) + displacement.y - Double(minY) + sag
      let leftmost = min(start.x, end.x) + displacement.x - Double(minX) - sag
      let reach = Double(kernel.reach + 2)
      if highest < -reach || lowest > Double(height) + reach || leftmost > Double(width) + reach {
        continue
      }
      let parts = max(1, Int(min(1e6, (length / kernel.sigma).rounded(.up))))
      let half = 0.5 / Double(parts)
      var part = 0
      while part < parts {
        let middle = Double(2 * part + 1) * half
        var node = 0
        while node < 3 {
          let t = middle + half * Self.nodes[node]
          addPoint(
            x: x0 + t * (linear.x + t * quadratic.x), y: y0 + t * (linear.y + t * quadratic.y),
            weight: -share * half * Self.nodeWeights[node] * (linear.y + 2 * t * quadratic.y))
          node += 1
        }
        part += 1
      }
    }
  }

  /// Three-point Gauss–Legendre quadrature; on parts no longer than the blur its relative error is
  /// about 1e-5.
  private static let nodes = [-0.6.squareRoot(), 0, 0.6.squareRoot()]
  private static let nodeWeights = [5.0 / 9, 8.0 / 9, 5.0 / 9]

  /// Adds one point of a border, canvas coordinates, with its step −dy · weight.
  private func addPoint(x: Double, y: Double, weight: Double) {
    let (baseX, baseY) = (x.rounded(.down), y.rounded(.down))
    let count = kernel.count
    let limit = 1e6  // far outside of any image; keeps the conversions to Int in range
    guard abs(baseX) < limit, abs(baseY) < limit else { return }
    let firstRow = Int(baseY) - kernel.reach
    var firstColumn = Int(baseX) - kernel.reach
    guard firstRow < height, firstRow + count > 0, firstColumn < width else { return }
    interpolate(kernel.steps, at: x - baseX, into: scratch)
    interpolate(kernel.weights, at: y - baseY, into: scratch + count)
    var steps = UnsafePointer(scratch)
    var columns = min(count, width - firstColumn)
    if firstColumn < 0 {
      // What lies left of the canvas counts from its first column on.
      let hidden = min(-firstColumn, count - 1)
      var k = 0
      while k < hidden {
        scratch[hidden] += scratch[k]
        k += 1
      }
      steps += hidden
      columns = min(count - hidden, width)
      firstColumn = 0
    }
    let scale = Float(weight)
    let weights = scratch + count
    var k = max(0, -firstRow)
    let end = min(count, height - firstRow)
    while k < end {
      let factor = scale * weights[k]
      let row = values + ((firstRow + k) * width + firstColumn)
      var column = 0
      while column < columns {
        row[column] += factor * steps[column]
        column += 1
      }
      k += 1
    }
  }

  /// The table's entries for a point at the place `offset` (0 ..< 1) within its pixel.
  private func interpolate(
    _ table: [Float], at offset: Double, into result: UnsafeMutablePointer<Float>
  ) {
    let position = offset * Double(BlurKernel.places)
    let place = min(Int(position), BlurKernel.places - 1)
    let fraction = Float(position - Double(place))
    let count = kernel.count
    table.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress else { return }
      let lower = base + place * count
      let upper = lower + count
      var k = 0
      while k < count {
        result[k] = lower[k] + fraction * (upper[k] - lower[k])
        k += 1
      }
    }
  }

  /// The pixel values, row by row: the running sums of the column differences.
  ///
  /// Each value is the sum over all areas of weight times coverage.
  package consuming func coverage() -> [Float] {
    var row = 0
    while row < height {
      let pixels = values + row * width
      var sum: Float = 0
      var column = 0
      while column < width {
        sum += pixels[column]
        pixels[column] = sum
        column += 1
      }
      row += 1
    }
    return Array(UnsafeBufferPointer(start: values, count: width * height))
  }
}
