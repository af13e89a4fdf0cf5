/// The inner corners of a chessboard as typed: columns x rows.
package struct BoardSize: Sendable, Hashable, CustomStringConvertible {
  /// Inner corners in a row.
  package var columns: Int
  /// Rows of inner corners.
  package var rows: Int

  /// Creates a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// `COLUMNSxROWS`.
  package var description: String { "\(columns)x\(rows)" }
}

/// The size of an image as typed: width x height in pixels.
package struct ImageSize: Sendable, Hashable, CustomStringConvertible {
  /// Columns of pixels.
  package var width: Int
  /// Rows of pixels.
  package var height: Int

  /// Creates a size.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// `WIDTHxHEIGHT`.
  package var description: String { "\(width)x\(height)" }
}

extension ValueKind where Value == BoardSize {
  /// The inner corners of a chessboard, for example `9x6`.
  ///
  /// 3 is the least that OpenCV's finders take on either side; 100 bounds the search.
  package static var board: ValueKind {
    ValueKind(metavariable: "COLUMNSxROWS") { (text) throws(ValueError) in
      let size = try pair(text, example: "9x6", meaning: "inner corners in a row x rows of them")
      guard size.0 >= 3, size.1 >= 3 else {
        throw ValueError(
          "a chessboard needs at least 3x3 inner corners (an inner corner is where four squares "
            + "meet: a board of 10x7 squares is 9x6)")
      }
      guard size.0 <= 100, size.1 <= 100 else {
        throw ValueError("a board may have at most 100 inner corners on a side")
      }
      return BoardSize(columns: size.0, rows: size.1)
    }
  }
}

extension ValueKind where Value == ImageSize {
  /// The size of an image in pixels, for example `1280x720`; each side in 1…65535.
  package static var size: ValueKind {
    ValueKind(metavariable: "WIDTHxHEIGHT") { (text) throws(ValueError) in
      let size = try pair(text, example: "1280x720", meaning: "width x height in pixels")
      guard (1...65535).contains(size.0), (1...65535).contains(size.1) else {
        throw ValueError("width and height must be from 1 to 65535 pixels")
      }
      return ImageSize(width: size.0, height: size.1)
    }
  }
}

/// Reads two whole numbers joined by the letter x.
private func pair(
  _ text: String, example: String, meaning: String
) throws(ValueError) -> (Int, Int) {
  let parts = text.split(separator: "x", omittingEmptySubsequences: false)
  if parts.count == 2, let first = decimal(parts[0]), let second = decimal(parts[1]) {
    return (first, second)
  }
  let expected = "write it like \(example) (\(meaning))"
  // Signs and letters that people type for the x: suggest the same numbers with the letter.
  let repaired = text.split { !$0.isWholeNumber || !$0.isASCII }
  let separators = text.filter { !($0.isWholeNumber && $0.isASCII) && $0 != " " }
  if repaired.count == 2, ["×", "X", "*", ",", "/", ":", "by", "х"].contains(separators) {
    throw ValueError("the numbers are joined by the letter x: write \(repaired[0])x\(repaired[1])")
  }
  if parts.count == 1, decimal(text) != nil {
    throw ValueError("it is one number where two are needed; \(expected)")
  }
  if parts.count > 2, parts.allSatisfy({ decimal($0) != nil }) {
    throw ValueError("it is \(parts.count) numbers where two are needed; \(expected)")
  }
  if text.hasPrefix("-") || parts.contains(where: { $0.hasPrefix("-") }) {
    throw ValueError("the numbers must not be negative; \(expected)")
  }
  throw ValueError(expected)
}
