import Testing

@testable import CalibrationFormats

@Suite("Decimal numbers")
struct DecimalTextTests {
  @Test(
    "What programs write as numbers is read",
    arguments: [
      ("1.", 1), (".5", 0.5), ("+2", 2), ("-0.25", -0.25),
      ("2.4294558104715766e+003", 2429.4558104715766),
      ("1e-7", 1e-7), ("7.02E2", 702), ("0", 0),
    ])
  func reads(text: String, value: Double) {
    #expect(DecimalText(text, line: 1)?.value == value)
  }

  @Test(
    "What is no finite decimal number is refused",
    arguments: [
      "", ".", "-", "nan", "NaN", ".nan", "inf", "-inf", ".inf", "Infinity", "0x10", "1e", "1e+",
      "1,5", "1_000", "1d3", "1e999", "١", "1 2", "1e9999999", "--1", "1.2.3",
      String(repeating: "1", count: 2000),
    ])
  func refuses(text: String) {
    #expect(DecimalText(text, line: 1) == nil)
  }

  @Test(
    "Sums are exact",
    arguments: [
      ("1", "-0.5", "0.5"), ("0.25", "-0.5", "-0.25"), ("-0.5", "0.5", "0.0"),
      ("959.9999998077274", "-0.5", "959.4999998077274"), ("512.3", "-0.5", "511.8"),
      ("9.6e2", "0.5", "960.5"), ("1e-20", "0.5", "0.50000000000000000001"),
      ("999.5", "0.5", "1000.0"),
      ("-3.75", "0.5", "-3.25"), ("0", "0.5", "0.5"),
    ])
  func sums(a: String, b: String, sum: String) throws {
    let x = try #require(DecimalText(a, line: 1))
    let y = try #require(DecimalText(b, line: 1))
    #expect(x.adding(y)?.text == sum)
    #expect(y.adding(x)?.text == sum)
  }

  /// Pixel positions of every magnitude, also where half a pixel is below the last digit or far
  /// above the number, where a sum of doubles would round.
  @Test("A position passes from centre to corner and back with the same bits")
  func originRoundTrip() throws {
    let half = try #require(DecimalText(0.5))
    let minusHalf = try #require(DecimalText(-0.5))
    var generator = SeededGenerator(state: 7)
    var roundedByDoubles = 0
    for _ in 0..<4000 {
      let scale = Double(
        sign: .plus, exponent: Int.random(in: -60...70, using: &generator), significand: 1)
      let centre = Double.random(in: -1...1, using: &generator) * scale
      let corner = try #require(DecimalText(centre)?.adding(half))
      let back = try #require(DecimalText(corner.text, line: 1)?.adding(minusHalf))
      #expect(back.value.bitPattern == centre.bitPattern, "\(centre) became \(corner.text)")
      if (centre + 0.5) - 0.5 != centre { roundedByDoubles += 1 }
    }
    // The test is worth its name only where adding doubles would have failed.
    #expect(roundedByDoubles > 200)
  }

  @Test("A corner position of up to fifteen digits is written as it was read")
  func textRoundTrip() throws {
    let half = try #require(DecimalText(0.5))
    let minusHalf = try #require(DecimalText(-0.5))
    var generator = SeededGenerator(state: 11)
    for _ in 0..<4000 {
      let decimals = Int.random(in: 1...11, using: &generator)
      let digits = (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &generator)) }
      // A zero at the end has no place in a shortest text.
      let text =
        "\(Int.random(in: 1...9999, using: &generator))." + digits.dropLast().joined() + "5"
      let stored = try #require(DecimalText(text, line: 1)?.adding(minusHalf)).value
      #expect(DecimalText(stored)?.adding(half)?.text == (text.hasSuffix(".5") ? text : text))
    }
  }
}
