import Boards
import CommandLineTool

/// The board that `--board`, `--square` and `--board-size` describe.
struct BoardArgument {
  let geometry: ChessboardGeometry
  /// Whether lengths are metres, else squares.
  let sizeIsKnown: Bool

  /// How much longer one side of a square may be than the other: no printer stretches by more, but
  /// lengths that were exchanged, or measured over the whole pattern, lie beyond.
  private static let mostStretch = 1.05

  init(_ arguments: ParsedArguments) throws {
    let corners = arguments[CalibrateCommand.board]
    let square = arguments[CalibrateCommand.square]
    guard let size = arguments[CalibrateCommand.boardSize] else {
      geometry = ChessboardGeometry(
        columns: corners.columns, rows: corners.rows, squareSizeMetres: square ?? 1)
      sizeIsKnown = square != nil
      try validate("--square")
      return
    }
    geometry = ChessboardGeometry(
      columns: corners.columns, rows: corners.rows,
      squareSizeMetres: size.width / Double(corners.columns - 1),
      squareHeightMetres: size.height / Double(corners.rows - 1))
    sizeIsKnown = true
    let ratio = geometry.squareSizeMetres / geometry.squareHeightMetres
    guard max(ratio, 1 / ratio) <= Self.mostStretch else {
      throw UsageError(
        .invalidValue, subject: "--board-size",
        message: "--board-size: squares of a \(corners) board would be "
          + "\(Self.millimetres(geometry.squareSizeMetres)) x "
          + "\(Self.millimetres(geometry.squareHeightMetres)) mm, which no printer makes. Measure from "
          + "the first to the last inner corner, along the \(corners.columns) corners of a row first"
      )
    }
    try validate("--board-size")
    guard !geometry.hasUnequalSides || geometry.orientationCount < 4 else {
      throw UsageError(
        .invalidValue, subject: "--board-size",
        message:
          "--board-size: a \(corners) board looks the same when turned by 90 degrees, so that "
          + "photographs do not show which of two lengths is which; give the mean of both as --square, "
          + "or use a board like 9x6")
    }
  }

  /// Refuses lengths that no board has.
  private func validate(_ option: String) throws(UsageError) {
    do throws(BoardError) {
      try geometry.validate()
    } catch {
      throw UsageError(.invalidValue, subject: option, message: "\(option): \(error.message)")
    }
  }

  /// Millimetres to a tenth.
  private static func millimetres(_ metres: Double) -> String {
    let tenths = Int((metres * 10_000).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
