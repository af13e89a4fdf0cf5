import Glibc

/// A moment to the second in UTC, written as in ISO 8601: `2026-11-30T05:21:30Z`.
public struct UTCTime: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var secondsSince1970: Int

  /// Creates a moment from the seconds since 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The moment by the system's clock.
  public static var now: UTCTime { UTCTime(secondsSince1970: time(nil)) }
}

extension UTCTime: LosslessStringConvertible {
  /// Reads `2026-11-30T05:21:30Z`; a fraction of a second (`.123`) is cut off.
  ///
  /// Nil for other forms and for dates that no calendar has.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (index, separator) in zip([4, 7, 10, 13, 16], "--T::".utf8) where bytes[index] != separator
    {
      return nil
    }
    func number(_ range: Range<Int>) -> Int32? {
      bytes[range].reduce(Int32(0) as Int32?) { value, byte in
        guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return value * 10 + Int32(byte - UInt8(ascii: "0"))
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21,
        bytes[20..<bytes.count - 1].allSatisfy({ (48...57).contains($0) })
      else { return nil }
    }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    let seconds = timegm(&parts)
    self.init(secondsSince1970: seconds)
    // timegm carries the 31st of a shorter month over into the next.
    guard description.utf8.prefix(19).elementsEqual(bytes[..<19]) else { return nil }
  }

  /// The moment as `2026-11-30T05:21:30Z`.
  public var description: String {
    let p = parts
    return "\(p.year)-\(p.month)-\(p.day)T\(p.hour):\(p.minute):\(p.second)Z"
  }

  /// The moment in the basic form without colons, `20261130T052130Z`, which every file system takes.
  var fileName: String {
    let p = parts
    return "\(p.year)\(p.month)\(p.day)T\(p.hour)\(p.minute)\(p.second)Z"
  }

  /// Reads both forms: `2026-11-30T05:21:30Z`, and `20261130T052130Z` as names of files have it.
  package init?(anyForm text: String) {
    if let time = UTCTime(text) {
      self = time
      return
    }
    let digits = Array(text)
    guard digits.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    self.init(
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))")
  }

  private struct Parts {
    var year, month, day, hour, minute, second: String
  }

  private var parts: Parts {
    var seconds: time_t = secondsSince1970
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ value: Int32, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return Parts(
      year: padded(parts.tm_year &+ 1900, 4), month: padded(parts.tm_mon + 1, 2),
      day: padded(parts.tm_mday, 2), hour: padded(parts.tm_hour, 2),
      minute: padded(parts.tm_min, 2), second: padded(parts.tm_sec, 2))
  }
}
