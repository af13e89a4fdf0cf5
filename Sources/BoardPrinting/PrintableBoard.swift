/// A calibration target that can be drawn: any kind of board.
///
/// A board is described in units (a chessboard's unit is the side of a square), so that its largest
/// size for a sheet can be found without knowing its kind.
package protocol PrintableBoard: Sendable {
  /// The length of a unit in metres.
  var unitMetres: Double { get }
  /// The width and height of the pattern in units, without the white margin.
  var patternUnits: SIMD2<Double> { get }
  /// The least white margin around the pattern in units.
  var marginUnits: Double { get }
  /// What is drawn, in units.
  var shapes: [PatternShape] { get }
  /// What the board is, in words: `Chessboard 9x6, squares of 25 mm`.
  var title: String { get }
  /// What a person calls the unit: `squares`.
  var unitName: String { get }
  /// The command that calibrates with this board.
  var command: String { get }
  /// What to measure on the finished board, and how to pass it on.
  var measuring: [SheetLine] { get }

  /// The same board with another length of a unit.
  func scaled(toUnitMetres unit: Double) -> Self
}

/// A line of text on a sheet.
package struct SheetLine: Sendable, Hashable {
  /// The text.
  package var text: String
  /// Whether it is something to type.
  package var isCommand: Bool

  /// Creates a line.
  package init(_ text: String, isCommand: Bool = false) {
    self.text = text
    self.isCommand = isCommand
  }
}
