import CommandLineTool
import Testing

@Suite("Random command lines")
struct ParserFuzzTests {
  /// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static let words = [
    "--board", "--board=", "-b", "9x6", "9x", "--", "-", "---", "--=", "-=", "--square", "25mm",
    "--lens=fisheye", "--size", "640x480", "-j", "4", "-j4", "--skip", "--store", "-q", "-v", "-qv",
    "--quiet=1", "", " ", "\u{0}", "é", "🏁", "--🏁", "-🏁", "\u{301}", "-\u{301}", "a/b.jpg", "=",
    "-1", "--help=", "-qh", "--board=9x6", "-b9x6", "%s", "\\", "'", "\"",
  ]

  @Test(
    "Every command line is read or refused with a message", arguments: 1...20 as ClosedRange<UInt64>
  )
  func random(seed: UInt64) {
    var generator = Generator(state: seed)
    for _ in 0..<200 {
      let arguments = (0..<Int.random(in: 0...8, using: &generator)).map { _ -> String in
        let word = Self.words.randomElement(using: &generator) ?? ""
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return word }
        // A splice: any beginning of one word with any end of another.
        let other = Self.words.randomElement(using: &generator) ?? ""
        return String(
          word.prefix(Int.random(in: 0...word.count, using: &generator))
            + other.suffix(Int.random(in: 0...other.count, using: &generator)))
      }
      do throws(UsageError) {
        if case .run(let parsed) = try SampleCommand.command.parse(arguments) {
          #expect(parsed[SampleCommand.board].columns >= 3, "\(arguments)")
          #expect(!(parsed[SampleCommand.quiet] && parsed[SampleCommand.verbose]))
        }
      } catch {
        #expect(!error.message.isEmpty && error.message.count < 1000, "\(arguments)")
        #expect(!error.message.contains("\u{0}"), "\(arguments)")
      }
    }
  }
}
