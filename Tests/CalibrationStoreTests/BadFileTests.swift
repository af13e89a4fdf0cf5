import CalibrationStore
import CameraModel
import Glibc
import Testing

/// A change that makes a good record's text bad, and what is said then.
struct BadFile: Sendable, CustomTestStringConvertible {
  var name: String
  var code: StoreError.Code
  /// A part of the message, which names the key or the line.
  var message: String
  var change: @Sendable (inout JSONValue) -> Void = { _ in }
  var text: String?

  var testDescription: String { name }

  /// Sets the value at a path of keys and indices; nil removes the key.
  static func setting(
    _ path: String, to value: JSONValue?, _ code: StoreError.Code = .invalidRecord,
    says message: String? = nil
  ) -> BadFile {
    let name = "\(path) = \(value?.compactJSONText ?? "missing")"
    return BadFile(name: name.clipped, code: code, message: message ?? path) {
      $0.set(path.split(separator: ".").map(String.init)[...], to: value)
    }
  }

  static let all: [BadFile] =
    [
      "schema", "device", "device.id", "device.name", "device.identifiedBy", "resolution",
      "resolution.width", "resolution.height", "pixelOrigin", "lensModel", "intrinsics",
      "intrinsics.fx", "intrinsics.fy", "intrinsics.cx", "intrinsics.cy", "distortion",
      "distortion.k3", "verdict", "verdict.level", "verdict.reasons", "created", "tool",
      "covariance.noise", "covariance.parameters", "reprojectionError.rms",
      "projectionUncertainty.sigma", "projectionUncertainty.columns", "board.kind",
      "coverage.cornerCounts",
    ].flatMap { path in
      [
        setting(path, to: nil, says: "\(path): this key is missing"),
        setting(path, to: .array([.array([])])), setting(path, to: .boolean(true)),
      ]
    } + [
      setting("schema", to: .integer(2), .unsupportedSchema, says: "newer version"),
      setting("schema", to: .integer(0)), setting("schema", to: .string("1")),
      setting("schema", to: .number(1.5)),
      setting("lensModel", to: .string("splined"), .unsupportedLensModel, says: "\"splined\""),
      setting("pixelOrigin", to: .string("corner"), says: "\"corner\""),
      setting("device.id", to: .string("")),
      setting("device.id", to: .string(String(repeating: "x", count: 2000)), says: "2000 bytes"),
      setting("device.id", to: .string("/dev/video0"), says: "replug"),
      setting("device.id", to: .string("usb:other"), .mismatch, says: "belongs to"),
      setting("resolution.width", to: .integer(0)), setting("resolution.width", to: .integer(-5)),
      setting("resolution.width", to: .integer(.max)),
      setting("resolution.width", to: .number(1e300)),
      setting("resolution.width", to: .number(640.5)),
      setting("resolution.width", to: .integer(641), .mismatch, says: "641x480"),
      setting("intrinsics.fx", to: .integer(0)), setting("intrinsics.fx", to: .number(-5.5)),
      setting("intrinsics.fx", to: .null), setting("intrinsics.fx", to: .number(1e300)),
      setting("intrinsics.fx", to: .number(1e-60)), setting("intrinsics.cx", to: .number(-1e39)),
      setting("distortion.k9", to: .number(0.5)), setting("distortion.k1", to: .null),
      setting("covariance.noise", to: .array([.numbers([1])])),
      setting("covariance.noise.0", to: .numbers([1, 2]), says: "covariance.noise[0]"),
      setting("covariance.noise.0.0", to: .number(-1.5), says: "variance is negative"),
      setting("covariance.noise.0.1", to: .string("x"), says: "covariance.noise[0][1]"),
      setting("covariance.viewToView", to: .array([])),
      setting("covariance.parameters.0", to: .string("fy"), says: "named twice"),
      setting("covariance.parameters.0", to: .string("zoom"), says: "zoom"),
      setting("standardDeviations.fx", to: .number(-0.5)),
      setting("projectionUncertainty.columns", to: .integer(.max)),
      setting("projectionUncertainty.rows", to: .integer(2), says: "4·2"),
      setting("projectionUncertainty.sigma", to: .array([]), says: "found 0 numbers"),
      setting("projectionUncertainty.share", to: .array([])),
      setting("board.columns", to: .integer(0)),
      setting("views", to: .object([])), setting("views.0", to: .null, says: "views[0]"),
      setting("views.0.used", to: .integer(1), says: "views[0].used"),
      setting("views.0.pose.rotation", to: .numbers([1, 2]), says: "views[0].pose.rotation"),
      setting("coverage.columns", to: .integer(7), says: "7·6 = 42"),
      setting("coverage.cornerCounts.3", to: .integer(-1), says: "coverage.cornerCounts[3]"),
      setting("verdict.level", to: .string("great"), says: "\"great\""),
      setting("lensControls.focus_absolute.value", to: .number(0.5)),
      setting("lensControls.focus_absolute.locked", to: .null),
      setting("created", to: .string("yesterday"), says: "\"yesterday\""),
      setting("created", to: .string("2026-02-30T00:00:00Z")),
      setting("scaledFrom", to: .object([])),
      setting(
        "scaledFrom", to: .object([.init("width", .integer(2)), .init("height", .integer(2))]),
        .mismatch, says: "scaled from 2x2"),
    ] + [
      text("empty", "", says: "empty"), text("blank", " \n", says: "truncated"),
      text("binary", "\u{0}\u{1}ELF", says: "binary"),
      text("not JSON", "fx: 500", says: "line 1, column 1"),
      text("YAML", "%YAML 1.2\n", says: "damaged"),
      text("another JSON", "{\"a\": 1}", .invalidRecord, says: "schema: this key is missing"),
      text("an array", "[]", .invalidRecord, says: "found an array, expected an object"),
      text(
        "deep nesting", String(repeating: "[", count: 100_000), says: "nested deeper than 64 levels"
      ),
      text(
        "deep objects", String(repeating: "{\"a\":", count: 100_000),
        says: "nested deeper than 64 levels"),
      text("a key twice", "{\"schema\": 1,\n \"schema\": 1}", says: "line 2, column 2"),
      text(
        "a key twice among many",
        "{" + (0..<20).map { "\"\($0)\": 1," }.joined() + "\"17\": 1}", says: "second time"),
      text("a huge number", "{\"schema\": 1e999}", says: "range of a double"),
      text("NaN", "{\"schema\": NaN}", says: "\"N\" stands where a value was expected"),
      text("a comment", "{} // x", says: "follows after the end"),
      text("half a surrogate pair", "{\"a\": \"\\ud800\"}", says: "surrogate"),
      text("a terminal's escape", "{\u{1B}[2J", says: "0x1b"),
    ]

  static func text(
    _ name: String, _ text: String, _ code: StoreError.Code = .corrupt, says message: String
  ) -> BadFile {
    BadFile(name: name, code: code, message: message, text: text)
  }
}

extension JSONValue {
  /// Sets the value at a path; what the path leads through must exist.
  mutating func set(_ path: ArraySlice<String>, to value: JSONValue?) {
    guard let key = path.first else {
      self = value ?? self
      return
    }
    switch self {
    case .object:
      if path.count == 1 {
        self[key] = value
        return
      }
      var member = self[key] ?? .object([])
      member.set(path.dropFirst(), to: value)
      self[key] = member
    case .array(var elements):
      guard let index = Int(key) else { return }
      elements[index].set(path.dropFirst(), to: value)
      self = .array(elements)
    default: Issue.record("no \(key)")
    }
  }
}

/// Whether there is time for more of the same (`make test-long`).
private let isLong = getenv("CAMERA_INTRINSICS_LONG_TESTS") != nil

@Suite("A file that is no good record")
struct BadFileTests {
  @Test("is an error of its own, and is never overwritten", arguments: BadFile.all)
  func badFile(_ bad: BadFile) throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let good = Sample.record(grid: (4, 3))
      try store.save(good)
      let path = try store.path(for: good.device.id, resolution: good.camera.resolution)
      var value = try JSONValue(parsing: Array(good.jsonText().utf8))
      bad.change(&value)
      let text = bad.text ?? value.jsonText()
      try writeFile(path, Array(text.utf8))

      let error = try #require(throws: StoreError.self) {
        try store.intrinsics(for: good.device.id, resolution: good.camera.resolution)
      }
      #expect(error.code == bad.code, "\(error)")
      #expect(error.subject == path)
      #expect(error.message.contains(bad.message), "\(error)")
      #expect(!error.description.unicodeScalars.contains { $0.value < 32 }, "\(error)")

      // Saving refuses with the same error and says what can be done.
      let refusal = try #require(throws: StoreError.self) { try store.save(good) }
      #expect(refusal.code == bad.code)
      #expect(refusal.message.contains("--replace"))
      #expect(bytes(of: path) == Array(text.utf8))

      // With replace it is kept as it is.
      guard case .stored(_, let kept?) = try store.save(good, replace: true) else {
        Issue.record("the file was not kept")
        return
      }
      #expect(bytes(of: kept) == Array(text.utf8))
      #expect(
        try store.intrinsics(for: good.device.id, resolution: good.camera.resolution) == good)
    }
  }

  @Test("when truncated anywhere is an error, never a part of a record")
  func truncated() throws {
    let text = Array(try Sample.record().jsonText().utf8)
    // The newline at the end is not part of the JSON text.
    for length in stride(from: 0, to: text.count - 1, by: isLong ? 1 : 101) {
      let error = try #require(throws: StoreError.self) {
        try IntrinsicsRecord(jsonBytes: Array(text[..<length]), source: "file")
      }
      #expect(error.code == .corrupt)
      #expect(error.message.contains("truncated") || error.message.contains("empty"))
    }
  }

  @Test("that is damaged at random never traps, and what is read can be written")
  func mutated() throws {
    var generator = SeededGenerator(state: 7)
    let original = Array(try Sample.record().jsonText().utf8)
    let alphabet = Array("{}[],:\"\\0123456789.eE+-ntfu \n".utf8) + [0, 0xFF, 0xC3]
    var readable = 0
    let count = isLong ? 30_000 : 300
    for _ in 0..<count {
      var text = original
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let at = Int.random(in: 0..<text.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text[at] = alphabet.randomElement(using: &generator) ?? 0
        case 1: text.remove(at: at)
        default: text.insert(alphabet.randomElement(using: &generator) ?? 0, at: at)
        }
      }
      guard let record = try? IntrinsicsRecord(jsonBytes: text) else { continue }
      readable += 1
      _ = try record.jsonText()
    }
    // Digits and texts may change without harm: some must still be readable, not all.
    #expect(readable > count / 30 && readable < count * 29 / 30, "\(readable)")
  }

  @Test("because it is no regular file, or may not be read, is an error and not \"not found\"")
  func notARegularFile() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let good = Sample.record()
      let path = try store.path(for: good.device.id, resolution: good.camera.resolution)
      func lookUp() throws -> IntrinsicsRecord? {
        try store.intrinsics(for: good.device.id, resolution: good.camera.resolution)
      }
      try store.save(good)
      unlink(path)
      // A pipe that nobody writes to would block a reader for ever.
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: StoreError.self) { try lookUp() }
      unlink(path)
      #expect(mkdir(path, 0o700) == 0)
      #expect(throws: StoreError.self) { try lookUp() }
      rmdir(path)
      #expect(symlink("/dev/zero", path) == 0)
      #expect(throws: StoreError.self) { try lookUp() }
      unlink(path)
      #expect(symlink(path, path) == 0)
      let loop = try #require(throws: StoreError.self) { try lookUp() }
      #expect(loop.systemError == ELOOP)
      unlink(path)
      #expect(try lookUp() == nil)
    }
  }
}
