import CommandLineTool
import Testing

@Suite("Values of options")
struct ValueKindTests {
  @Test(
    "A board that is no board is explained",
    arguments: [
      ("1x1", "at least 3x3 inner corners"), ("0x6", "at least 3x3"), ("9x2", "at least 3x3"),
      ("9", "one number where two are needed; write it like 9x6"),
      ("9x6x2", "3 numbers where two are needed"),
      ("9×6", "joined by the letter x: write 9x6"), ("9X6", "write 9x6"), ("9*6", "write 9x6"),
      ("9 by 6", "write 9x6"), ("-9x6", "must not be negative"), ("9x-6", "must not be negative"),
      ("", "write it like 9x6"), ("x", "write it like 9x6"), ("9x", "write it like 9x6"),
      ("+9x6", "write it like 9x6"), ("९x६", "write it like 9x6"),
      ("101x6", "at most 100"), ("99999999999999999999x6", "write it like 9x6"),
    ])
  func wrongBoards(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.board.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test("Boards are columns x rows")
  func boards() throws {
    #expect(try ValueKind.board.read("9x6") == BoardSize(columns: 9, rows: 6))
    #expect(try ValueKind.board.read("3x100") == BoardSize(columns: 3, rows: 100))
  }

  @Test(
    "A length is the double nearest to its value in metres",
    arguments: [
      ("25mm", 0.025), ("2.5cm", 0.025), ("0.025m", 0.025), ("1in", 0.0254), ("30 mm", 0.03),
      ("24.5mm", 0.0245), (".5m", 0.5), ("25MM", 0.025), ("27IN", 0.6858), ("1 Cm", 0.01),
    ])
  func lengths(text: String, metres: Double) throws {
    #expect(try ValueKind.length.read(text) == metres)
  }

  @Test(
    "A length that is no length is explained",
    arguments: [
      ("25", "the unit is missing: write 25mm"), ("25px", "'px' is not a unit"),
      ("25,4mm", "the decimal sign is a point"), ("0mm", "greater than zero"),
      ("-25mm", "greater than zero"), ("mm", "write a number and its unit"),
      ("101m", "at most 100m"), ("1e3mm", "'e3mm' is not a unit"), ("nan", "write a number"),
      ("1.2.3mm", "write a number"), ("", "write a number"),
    ])
  func wrongLengths(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.length.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test(
    "Two lengths share their unit or have one each",
    arguments: [
      ("200x125mm", 0.2, 0.125), ("8x5in", 0.2032, 0.127), ("20cmx125mm", 0.2, 0.125),
      ("200.4x125.25mm", 0.2004, 0.12525), ("200X125MM", 0.2, 0.125), ("8INX125mm", 0.2032, 0.125),
    ])
  func planeSizes(text: String, width: Double, height: Double) throws {
    let size = try ValueKind.planeSize.read(text)
    #expect(abs(size.width - width) < 1e-15 && abs(size.height - height) < 1e-15)
  }

  @Test(
    "What is no pair of lengths is explained",
    arguments: [
      ("200x125", "the unit is missing: write 125mm"), ("200mm", "like 200x125mm"),
      ("200x125x3mm", "like 200x125mm"), ("x125mm", "like 200x125mm"), ("", "like 200x125mm"),
      ("200mmx125", "the unit is missing: write 125mm"), ("0x125mm", "greater than zero"),
      ("200x-1mm", "greater than zero"), ("200,5x125mm", "decimal sign is a point"),
      ("200×125mm", "like 200x125mm"),
    ])
  func wrongPlaneSizes(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.planeSize.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test("Parameters have names, values and deviations")
  func parameters() throws {
    #expect(
      try ValueKind.namedValues.read("centre,k1=-0.28,fx=1.4e3") == [
        NamedValue(name: "centre", value: nil), NamedValue(name: "k1", value: -0.28),
        NamedValue(name: "fx", value: 1400),
      ])
    for text in ["fx=1400:20", "fx=1400±20", "fx=1400+-20"] {
      #expect(
        try ValueKind.namedPriors.read(text)
          == [NamedPrior(name: "fx", value: 1400, deviation: 20)])
    }
    #expect(try ValueKind.namedPriors.read("fx=1:2,k1=-0.3±0.1").count == 2)
  }

  @Test(
    "What is no parameter is explained",
    arguments: [
      ("", "a name is missing"), ("fx=1,", "a name is missing"), ("=3", "no name of a parameter"),
      ("f x=3", "'f x' is no name"), ("fx=", "'' is no number"), ("fx=inf", "'inf' is no number"),
      ("fx=0x10", "is no number"), ("fx=nan", "is no number"), ("fx=1e999", "is no number"),
    ])
  func wrongParameters(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.namedValues.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test(
    "What is no prior is explained",
    arguments: [
      ("fx", "has no value: write it like fx=1400:20"), ("fx=3", "has no deviation"),
      ("fx=3:0", "must be above 0"), ("fx=3:-1", "must be above 0"), ("fx=3:", "is no number"),
      ("fx=a:1", "'a' is no number"), ("fx=1:2:3", "'2:3' is no number"),
    ])
  func wrongPriors(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.namedPriors.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test("Image sizes are 1…65535 pixels a side")
  func sizes() throws {
    #expect(try ValueKind.size.read("1280x720") == ImageSize(width: 1280, height: 720))
    for text in ["0x720", "1280x65536", "1280", "1280×720", "1280x720x3"] {
      #expect(throws: ValueError.self) { try ValueKind.size.read(text) }
    }
  }

  @Test("Counts are whole numbers in their range")
  func counts() throws {
    let kind = ValueKind<Int>.count(in: 1...10)
    #expect(try kind.read("10") == 10)
    for text in ["0", "11", "-1", "+1", "1.0", "", "1 ", "0x1", "99999999999999999999"] {
      #expect(throws: ValueError.self) { try kind.read(text) }
    }
  }

  @Test("An accuracy is in pixels or a share of the diagonal, a time has its unit, a rate has none")
  func liveValues() throws {
    #expect(try ValueKind.accuracy.read("0.5px") == .pixels(0.5))
    #expect(try ValueKind.accuracy.read("0.1 %") == .percent(0.1))
    #expect(try ValueKind.accuracy.read("2PX") == .pixels(2))
    #expect(try ValueKind.duration.read("10min") == 600)
    #expect(try ValueKind.duration.read("10 MIN") == 600)
    #expect(try ValueKind.duration.read("1.5h") == 5400)
    #expect(try ValueKind.frameRate.read("29.97") == 29.97)
    #expect(
      [600.0, 90, 3600, 1.5].map(ValueKind.duration.describe) == ["10min", "90s", "1h", "1.5s"])
  }

  @Test("A comma in place of the decimal point is told in every kind of number with a fraction")
  func decimalCommas() throws {
    func message(_ read: () throws(ValueError) -> some Sendable) -> String {
      do throws(ValueError) { return "\(try read())" } catch { return error.message }
    }
    for text in ["0,1%", "0,5px", "2,5", "1,000px"] {
      #expect(
        message { () throws(ValueError) in try ValueKind.accuracy.read(text) }
          .contains("the decimal sign is a point"), "\(text)")
    }
    for text in ["1,5min", "0,5h", ",5h"] {
      #expect(
        message { () throws(ValueError) in try ValueKind.duration.read(text) }
          .contains("the decimal sign is a point"), "\(text)")
    }
    #expect(
      message { () throws(ValueError) in try ValueKind.frameRate.read("29,97") }
        .contains("the decimal sign is a point"))
    #expect(
      message { () throws(ValueError) in try ValueKind.length.read("2,5cm") }
        .contains("the decimal sign is a point"))
  }

  @Test("A choice is found in capitals or not; what is written as it stands goes first")
  func choices() throws {
    let kind = ValueKind<Int>.choice("X", [("MJPG", 1), ("png", 2), ("PNG", 3)])
    #expect(try kind.read("mjpg") == 1)
    #expect(try kind.read("Mjpg") == 1)
    #expect(try kind.read("PNG") == 3)
    #expect(try kind.read("png") == 2)
    #expect(throws: ValueError.self) { try kind.read("jpg") }
  }

  @Test(
    "What is no accuracy, time or rate is explained",
    arguments: [
      ("0.5", "the unit is missing: write 0.5px"), ("0px", "greater than zero"),
      ("1mm", "use px or %"), ("11%", "at most 10%"), ("px", "like 0.5px"), ("-1px", "like 0.5px"),
      ("1e9px", "'e9px' is not a unit"), ("", "like 0.5px"),
    ])
  func wrongAccuracies(text: String, message: String) throws {
    let error = try #require(throws: ValueError.self) { try ValueKind.accuracy.read(text) }
    #expect(error.message.contains(message), "\(error.message)")
    for text in ["10", "0s", "25h", "5d", "", "-1s", "nan"] {
      #expect(throws: ValueError.self) { try ValueKind.duration.read(text) }
    }
    for text in ["0", "30fps", "1001", "", "-1", "inf"] {
      #expect(throws: ValueError.self) { try ValueKind.frameRate.read(text) }
    }
  }
}
