/// A time as a fraction of whole numbers: `MediaTime(value: 1, timescale: 30)` is a thirtieth of a second.
public struct MediaTime: Sendable, Hashable {
  /// The number of units.
  public var value: Int64
  /// How many units make a second, at least 1.
  public var timescale: Int32

  /// Creates a time of `value / timescale` seconds; a `timescale` below 1 is taken as 1.
  public init(value: Int64, timescale: Int32) {
    self.value = value
    self.timescale = max(1, timescale)
  }

  /// The time in seconds.
  public var seconds: Double { Double(value) / Double(timescale) }
}

extension MediaTime: Comparable {
  /// Whether the first time is shorter; fractions are compared exactly.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    let left = a.value.multipliedFullWidth(by: Int64(b.timescale))
    let right = b.value.multipliedFullWidth(by: Int64(a.timescale))
    return (left.high, left.low) < (right.high, right.low)
  }

  /// Whether both are the same time, however it is written.
  public static func == (a: MediaTime, b: MediaTime) -> Bool { !(a < b) && !(b < a) }

  /// Feeds the reduced fraction into `hasher`.
  public func hash(into hasher: inout Hasher) {
    var (a, b) = (value.magnitude, UInt64(timescale))
    while b != 0 { (a, b) = (b, a % b) }
    hasher.combine(value / Int64(max(1, min(a, UInt64(Int64.max)))))
    hasher.combine(UInt64(timescale) / max(1, a))
  }
}

extension MediaTime: CustomStringConvertible {
  /// The fraction in seconds, for example `1/30 s`.
  public var description: String { "\(value)/\(timescale) s" }
}
