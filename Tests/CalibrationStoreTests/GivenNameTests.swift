import Testing

@testable import CalibrationStore

@Suite("Names that people give cameras")
struct GivenNameTests {
  @Test(
    "What would be another name in disguise, or no name, is refused and quoted",
    arguments: [
      ("", "letter or digit"), (" ", "letter or digit"), ("...", "letter or digit"),
      ("a/b", "can't hold /"), ("..\\b", "can't hold /"), ("a\u{0}b", "control"),
      ("a\nb", "control"), ("\u{1B}[2Jx", "control"), ("a\u{202E}b", "control"),
      (String(repeating: "x", count: 10_000), "10000"),
      (String(repeating: " ", count: 10_000) + "x", "10001"),
    ])
  func refused(name: String, words: String) throws {
    let error = #expect(throws: StoreError.self) {
      try GivenName.identity(name, option: "--device-name")
    }
    let text = "\(try #require(error))"
    #expect(text.contains(words) && text.hasPrefix("--device-name \""), "\(text)")
    #expect(text.utf8.count < 400 && text.printable == text)
    // The same written out as an id.
    #expect(throws: StoreError.self) { try GivenName.id("name:" + name, option: "--device") }
  }

  @Test("Other names give the id of their letters and digits")
  func accepted() throws {
    for (name, id) in [
      ("Front left", "name:front-left"), ("Süd.2", "name:süd.2"), ("..a", "name:a"),
      (String(repeating: "x", count: 255), "name:" + String(repeating: "x", count: 255)),
    ] {
      let identity = try GivenName.identity(name, option: "--device-name")
      #expect(identity.id.rawValue == id && identity.name == name)
      #expect(identity.id.invalidityReason == nil)
    }
  }

  @Test("An id that is written out stays as it is, unless nothing could be filed under it")
  func ids() throws {
    #expect(
      try GivenName.id("usb:046d:0825:A/1", option: "--device").rawValue == "usb:046d:0825:A/1")
    for text in ["", "usb:\u{7}", "bus:" + String(repeating: "1", count: 2000)] {
      #expect(throws: StoreError.self) { try GivenName.id(text, option: "--device") }
    }
  }
}
