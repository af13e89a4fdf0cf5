/// The order in which people number files: `img2` comes before `img10`.
enum NaturalOrder {
  /// Whether `first` comes before `second`: digits compare as numbers, all else byte by byte.
  ///
  /// Names that differ only in leading zeros compare byte by byte, so that the order is total and does
  /// not depend on the order in which a folder lists its files.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (a, b) = (Array(first.utf8), Array(second.utf8))
    var (i, j) = (0, 0)
    while i < a.count && j < b.count {
      if isDigit(a[i]) && isDigit(b[j]) {
        let (left, right) = (number(a, &i), number(b, &j))
        // Without leading zeros the longer number is the larger, however long both are.
        if left.count != right.count { return left.count < right.count }
        if !left.elementsEqual(right) { return left.lexicographicallyPrecedes(right) }
      } else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
      }
    }
    if i < a.count || j < b.count { return i >= a.count }
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Moves past the digits at `index` and returns them without leading zeros.
  private static func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let digits = bytes[index...].prefix(while: isDigit)
    index = digits.endIndex
    return digits.drop { $0 == 0x30 }
  }
}
