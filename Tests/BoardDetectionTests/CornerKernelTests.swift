import CCornerKernels
import Glibc
import Testing

@testable import BoardDetection

@Suite("Kernels of the corner fit")
struct CornerKernelTests {
  /// Memory aligned as the kernels want it, filled with `values` and up to eight more zeros.
  private func withFloats<Result>(
    _ values: [Float], _ body: (UnsafeMutablePointer<Float>, Int) throws -> Result
  ) rethrows -> Result {
    let count = (values.count + 7) / 8 * 8
    return try withUnsafeTemporaryAllocation(byteCount: 4 * count, alignment: 32) { memory in
      let floats = memory.bindMemory(to: Float.self)
      floats.initialize(repeating: 0)
      for (index, value) in values.enumerated() { floats[index] = value }
      guard let base = floats.baseAddress else { preconditionFailure("no memory") }
      return try body(base, count)
    }
  }

  @Test("An edge's profile is right to two millionths, also far away and at odd numbers")
  func profile() {
    let places = (-6000...6000).map { Float($0) / 1000 } + [0, -0, 100, -1e9, 1e-20]
    withFloats(places) { u, count in
      withFloats(places) { step, _ in
        withFloats(places) { peak, _ in
          cck_edge_profile(u, Int32(count), step, peak)
          for (index, place) in places.enumerated() {
            let t = Double(place)
            #expect(abs(Double(step[index]) - erf(t / 2.0.squareRoot())) < 1e-5, "\(t)")
            let truth = (2 / Double.pi).squareRoot() * exp(-t * t / 2)
            // Beyond 4.5 deviations it stays at 3e-5 of the peak.
            #expect(abs(Double(peak[index]) - truth) < (abs(t) < 4.5 ? 2e-6 : 4e-5), "\(t)")
          }
        }
      }
    }
    withFloats([.nan, .infinity]) { u, count in
      withFloats([0, 0]) { step, _ in
        withFloats([0, 0]) { peak, _ in
          cck_edge_profile(u, Int32(count), step, peak)
          #expect(step[0].isNaN && abs(step[1] - 1) < 1e-5)
        }
      }
    }
  }

  @Test("The normal equations are those of the model's own derivatives")
  func derivatives() {
    // Not a multiple of eight.
    let pixels = (0..<101).map { SIMD2(Float($0 % 11) - 5, Float($0 / 11) - 4) }
    var parameters: [Float] = [0.3, -0.2, 0.1, 1.64, 0.5, 0.3, 0.8, 1.1, 0.002, -0.003]
    func model(_ p: [Float]) -> cck_model {
      cck_model(
        x: p[0], y: p[1], cos1: cos(p[2]), sin1: sin(p[2]), cos2: cos(p[3]), sin2: sin(p[3]),
        sharpness1: p[6], sharpness2: p[7], curvature1: 0.001, curvature2: -0.0008, mean: p[4],
        contrast: p[5], gradientX: p[8], gradientY: p[9])
    }
    /// Brightness by the definition, in double precision.
    func brightness(_ p: [Float], _ pixel: SIMD2<Float>) -> Double {
      let q = p.map(Double.init)
      let (dx, dy) = (Double(pixel.x) - q[0], Double(pixel.y) - q[1])
      func along(_ angle: Double) -> Double { cos(angle) * dx + sin(angle) * dy }
      func across(_ angle: Double, _ curvature: Double) -> Double {
        cos(angle) * dy - sin(angle) * dx - curvature / 2 * along(angle) * along(angle)
      }
      let (u, v) = (across(q[2], 0.001) * q[6], across(q[3], -0.0008) * q[7])
      let rho = cos(q[2] - q[3])
      let (e, f) = (erf(u / 2.0.squareRoot()), erf(v / 2.0.squareRoot()))
      let pp = 2 / Double.pi * exp(-(u * u + v * v) / 2)
      let shape = e * f + rho * pp + 0.5 * rho * rho * u * v * pp
      return (q[4] + q[5] * shape) * (1 + q[8] * Double(pixel.x) + q[9] * Double(pixel.y))
    }
    let target = pixels.map { Float(brightness(parameters, $0)) }
    let truth = parameters
    parameters[0] += 0.02
    parameters[5] -= 0.01
    let stride = 104
    var samples = [Float](repeating: 0, count: 3 * stride)
    for (index, pixel) in pixels.enumerated() {
      samples[index] = pixel.x
      samples[stride + index] = pixel.y
      samples[2 * stride + index] = target[index]
    }
    var values = [Float](repeating: 0, count: 110)
    var kernel = model(parameters)
    let cost = withFloats(samples) { memory, _ in
      withFloats([Float](repeating: 0, count: 11 * stride)) { scratch, _ in
        cck_normal_equations(&kernel, memory, 101, Int32(stride), scratch, &values)
      }
    }
    let residuals = pixels.indices.map {
      Double(target[$0]) - brightness(parameters, pixels[$0])
    }
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    #expect(abs(Double(cost) - squares) < 1e-4 * squares)
    #expect(squares > 0 && truth != parameters)
    let derivatives = parameters.indices.map { k -> [Double] in
      let h: Float = 1e-3
      var (less, more) = (parameters, parameters)
      less[k] -= h
      more[k] += h
      let step = Double(more[k]) - Double(less[k])
      return pixels.map { (brightness(more, $0) - brightness(less, $0)) / step }
    }
    for i in 0..<10 {
      for j in i..<10 {
        let sum = zip(derivatives[i], derivatives[j]).reduce(0) { $0 + $1.0 * $1.1 }
        let size =
          (derivatives[i].reduce(0) { $0 + $1 * $1 } * derivatives[j].reduce(0) { $0 + $1 * $1 })
          .squareRoot()
        // That the angles change ρ, too, is left out: the step is a little off, the minimum is not.
        let share = [2, 3].contains(i) || [2, 3].contains(j) ? 0.1 : 0.01
        #expect(abs(Double(values[11 * i + j]) - sum) < share * size, "\(i) \(j)")
      }
      let sum = zip(derivatives[i], residuals).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(Double(values[11 * i + 10]) - sum) < 0.05 * abs(sum) + 1e-3, "\(i)")
    }
  }
}
