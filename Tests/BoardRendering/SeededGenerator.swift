import Glibc

/// A source of random numbers that gives the same numbers for the same seed, everywhere.
///
/// xoshiro256** with its state filled by SplitMix64. Source: Blackman and Vigna, "Scrambled linear
/// pseudorandom number generators", ACM TOMS 47 (2021).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)
  /// The second of the two normal numbers that the polar method makes at a time.
  private var spareNormal: Double?

  /// Creates a generator; `stream` tells apart independent sequences of one seed.
  package init(seed: UInt64, stream: UInt64 = 0) {
    var mixer = seed &+ stream &* 0xD1B5_4A32_D192_ED03
    func next() -> UInt64 {
      mixer &+= 0x9E37_79B9_7F4A_7C15
      var z = mixer
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    state = (next(), next(), next(), next())
  }

  package mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// A number in 0 ..< 1, evenly distributed, of 53 random bits.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in `range`, evenly distributed.
  package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A whole number in `0 ..< bound`, evenly distributed.
  package mutating func index(below bound: Int) -> Int {
    Int(unit() * Double(bound))
  }

  /// A number of the standard normal distribution, by Marsaglia's polar method.
  package mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    while true {
      let (x, y) = (2 * unit() - 1, 2 * unit() - 1)
      let s = x * x + y * y
      guard s > 0, s < 1 else { continue }
      let factor = (-2 * log(s) / s).squareRoot()
      spareNormal = y * factor
      return x * factor
    }
  }
}
