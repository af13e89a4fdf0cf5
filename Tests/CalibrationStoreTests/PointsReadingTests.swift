import Testing

@testable import CalibrationStore

/// Both readers of a points file, the store and the tables of corners, read its views by this.
@Suite("A view of a points file")
struct PointsReadingTests {
  private func view(_ changes: String...) throws(JSONError) -> CalibrationPoints.View {
    let text = """
      {"source": "a", "board": [0, 0, 0, 1, 0, 0], "pixels": [10, 20, 30, 40], \
      \(changes.map { $0 + ", " }.joined())"used": [true, false]}
      """
    return try CalibrationPoints.View(JSONField(JSONValue(parsing: Array(text.utf8))))
  }

  @Test("may say what was offered and how well each point is known, and need not")
  func optionalMembers() throws {
    let bare = try view(#""residuals": []"#)
    #expect(bare.offered == nil && bare.deviations == nil && bare.residuals.isEmpty)
    #expect(bare.pixels == [SIMD2(10, 20), SIMD2(30, 40)] && bare.used == [true, false])
    let full = try view(
      #""residuals": [0.5, -0.5, null, null]"#, #""offered": [true, true]"#,
      #""deviations": [1, 2.5]"#)
    #expect(full.offered == [true, true] && full.deviations == [1, 2.5])
    #expect(full.residuals[0] == SIMD2(0.5, -0.5) && full.residuals[1].x.isNaN)
  }

  @Test(
    "is refused, with the place, where something is not said of each of its points",
    arguments: [
      (#""offered": [true]"#, "offered", "found 1 flags, expected one a point: 2"),
      (#""offered": [true, 1]"#, "offered[1]", "true or false"),
      (#""deviations": [1]"#, "deviations", "found 1 numbers, expected 2"),
      (#""deviations": [1, null]"#, "deviations", "found null"),
      (#""deviations": [1, 0]"#, "deviations", "above 0"),
      (#""deviations": [1, -2]"#, "deviations", "above 0"),
    ])
  func refused(change: String, place: String, words: String) throws {
    let error = #expect(throws: JSONError.self) { try view(#""residuals": []"#, change) }
    #expect(error?.place == place)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("is refused where its residuals are neither none nor one a point")
  func residuals() throws {
    let error = #expect(throws: JSONError.self) { try view(#""residuals": [1, 2]"#) }
    #expect(error?.message.contains("expected none or 4") == true)
  }
}
