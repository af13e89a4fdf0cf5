import BoardPrinting
import Boards
import CommandLineTool
import StoreCommands

/// One run of `make-board`.
struct MakeBoardRun {
  let arguments: ParsedArguments
  let terminal: Terminal

  init(_ arguments: ParsedArguments, _ terminal: Terminal) {
    self.arguments = arguments
    self.terminal = terminal
    if arguments[MakeBoardCommand.quiet] { terminal.verbosity = .quiet }
  }

  func run() throws -> ExitStatus {
    let format = try format()
    let screen = try screen()
    let board = try screen.map { try screenBoard(on: $0) } ?? paperBoard()
    let document = try asFailure { () throws(PrintingError) in
      try BoardDocument(board, on: sheets(for: board, screen), margin: margin)
    }
    let bytes = try asFailure { () throws(PrintingError) in
      try document.data(format, pixelsPerMetre: Double(arguments[MakeBoardCommand.dpi]) / 0.0254)
    }
    try Interruption.check()
    try OutputArgument.write(bytes, to: arguments[MakeBoardCommand.output], terminal)
    tell(board, document, screen)
    return .success
  }

  private var isStandardOutput: Bool {
    arguments[MakeBoardCommand.output] == OutputArgument.standardOutput
  }

  private var margin: Double? { arguments[MakeBoardCommand.margin] }

  // MARK: What is asked for

  private func format() throws -> BoardDocument.Format {
    let path = arguments[MakeBoardCommand.output]
    let isScreen = arguments[MakeBoardCommand.screen] != nil
    let ending = path.lastIndex(of: ".").map { path[$0...].dropFirst().lowercased() }
    // A screen takes one format only; a name that asks for another is a contradiction, none is not.
    let only: BoardDocument.Format? = isScreen && (isStandardOutput || ending == nil) ? .png : nil
    guard
      let format = arguments[MakeBoardCommand.format]
        ?? ending.flatMap({ BoardDocument.Format(rawValue: $0) }) ?? only
    else {
      throw UsageError(
        .missingOption, subject: "--format",
        message: (isStandardOutput
          ? "standard output has no name that ends in .pdf, .svg or .png"
          : "\(quoted(path)) ends in none of .pdf, .svg and .png") + ": say which one with --format"
      )
    }
    if isScreen, format != .png {
      throw UsageError(
        .conflictingOptions, subject: "--screen",
        message:
          "--screen makes a PNG, whose pixels are the screen's, and \(format.rawValue) was asked "
          + "for: name the output .png, or leave --format out")
    }
    if arguments.isGiven(MakeBoardCommand.dpi), format != .png {
      throw UsageError(
        .conflictingOptions, subject: "--dpi",
        message: "--dpi is for PNG; \(format.rawValue.uppercased()) has no pixels")
    }
    return format
  }

  private func screen() throws -> Screen? {
    let operand = arguments.operands.first
    guard let diagonal = arguments[MakeBoardCommand.screen] else {
      guard let operand else { return nil }
      throw UsageError(
        .unexpectedOperand, subject: "PIXELS",
        message: "\(quoted(operand)) is not expected here: pixels are given with --screen only")
    }
    guard let operand else {
      throw UsageError(
        .missingOperand, subject: "PIXELS",
        message: "--screen needs the screen's pixels, too, for example: --screen 27in 2560x1440")
    }
    do throws(ValueError) {
      let size = try ValueKind<ImageSize>.size.read(operand)
      return Screen(diagonal: diagonal, width: size.width, height: size.height)
    } catch {
      throw UsageError(
        .invalidValue, subject: "PIXELS", message: "PIXELS \(quoted(operand)): \(error)")
    }
  }

  private func paperBoard() throws -> ChessboardGeometry {
    guard let square = arguments[MakeBoardCommand.square] else {
      throw UsageError(
        .missingOption, subject: "--square",
        message: "the side of a square is missing: give it like --square 25mm")
    }
    return try geometry(square)
  }

  private func screenBoard(on screen: Screen) throws -> ChessboardGeometry {
    if let square = arguments[MakeBoardCommand.square] {
      return screen.snapped(try geometry(square))
    }
    let sample = try geometry(0.01)
    guard let unit = BoardDocument.largestUnit(sample, on: [Sheet(screen)], margin: margin) else {
      throw UsageError(
        subject: "--screen", message: "a board \(sample) with its text does not fit on this screen")
    }
    return sample.scaled(toUnitMetres: unit)
  }

  private func geometry(_ square: Double) throws -> ChessboardGeometry {
    let size = arguments[MakeBoardCommand.board]
    do throws(BoardError) {
      return try ChessboardGeometry(
        validColumns: size.columns, rows: size.rows, squareSizeMetres: square)
    } catch {
      throw UsageError(.invalidValue, subject: "--square", message: error.message)
    }
  }

  private func sheets(for board: ChessboardGeometry, _ screen: Screen?) -> [Sheet] {
    if let screen { return [Sheet(screen)] }
    let papers = arguments[MakeBoardCommand.paper].map { [$0] } ?? Paper.usual
    return papers.flatMap { Sheet.orientations(of: $0, for: board) }
  }

  // MARK: What comes out

  private func tell(_ board: ChessboardGeometry, _ document: BoardDocument, _ screen: Screen?) {
    let path = arguments[MakeBoardCommand.output]
    terminal.note(
      "\(isStandardOutput ? "" : "\(printable(path)): ")\(board.title), \(document.sheet.name)")
    if let screen {
      let pixels = Int((board.squareSizeMetres / screen.pixel).rounded())
      terminal.note(
        "A square is \(pixels) x \(pixels) pixels; on \(screen) that is "
          + "\(LengthText.spaced(board.squareSizeMetres)).")
    } else if arguments[MakeBoardCommand.paper] == nil,
      !Sheet.orientations(of: usualPaper, for: board).contains(document.sheet)
    {
      tellOfUsualPaper(board)
    }
    for line in document.sheet.advice + [SheetLine("Then: " + board.command)] + board.measuring {
      terminal.note(line.isCommand ? "  " + line.text : line.text)
    }
  }

  /// What would be needed for the paper that most printers hold.
  private func tellOfUsualPaper(_ board: ChessboardGeometry) {
    let sheets = Sheet.orientations(of: usualPaper, for: board)
    guard let largest = BoardDocument.largestUnit(board, on: sheets, margin: margin) else { return }
    let narrower =
      margin == nil ? BoardDocument.widestMargin(board, on: sheets).map(LengthText.typed) : nil
    terminal.note(
      "On \(usualPaper.name): --square \(LengthText.typed(largest))"
        + (narrower.map { ", or these squares with --paper a4 --margin \($0)" } ?? "") + ".")
  }

  private var usualPaper: Paper { Paper.usual[0] }

  /// Runs `body`, whose errors become messages with the right exit status.
  private func asFailure<Value>(_ body: () throws(PrintingError) -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw CommandFailure(error.code == .noFont ? .sourceUnavailable : .usage, "\(error)")
    }
  }
}
