/// The largest difference between numbers of the same place; infinite where the counts differ.
///
/// For whole images, where chains of `zip`, `map` and `max` take seconds in debug builds.
package func worstDifference<Number: BinaryInteger>(_ a: [Number], _ b: [Number]) -> Double {
  worstDifference(a, b) { Double($0) }
}

/// The largest difference between numbers of the same place; infinite where the counts differ.
package func worstDifference(_ a: [Float], _ b: [Float]) -> Double {
  worstDifference(a, b) { Double($0) }
}

private func worstDifference<Number>(
  _ a: [Number], _ b: [Number], _ value: (Number) -> Double
) -> Double {
  guard a.count == b.count else { return .infinity }
  return zip(a, b).reduce(0) { max($0, abs(value($1.0) - value($1.1))) }
}
