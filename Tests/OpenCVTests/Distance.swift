/// The distance of two points.
func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
  ((a - b) * (a - b)).sum().squareRoot()
}
