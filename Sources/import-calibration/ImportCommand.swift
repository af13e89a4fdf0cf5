import CalibrationFormats
import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

/// One run of `import-calibration`.
struct ImportCommand {
  let arguments: ParsedArguments
  let terminal: Terminal
  let roots: StoreRoots
  let store: IntrinsicsStore
  /// The calibration file.
  let path: String

  init(_ arguments: ParsedArguments, _ terminal: Terminal) throws {
    self.arguments = arguments
    self.terminal = terminal
    path = arguments.operands.first ?? ""
    if arguments[Self.quiet] { terminal.verbosity = .quiet }
    roots = try asFailure { () throws(StoreError) in
      try StoreRoots(given: arguments[ImportCommand.store])
    }
    store = IntrinsicsStore(roots)
  }

  func run() throws -> ExitStatus {
    // What is wrong with the command line is said before the file is read.
    let given = try givenIdentity()
    let camera = try readCamera()
    for notice in camera.notices { terminal.note(notice.printable) }
    let record = camera.record(
      for: try given ?? identity(of: camera), created: UTCTime.now.description,
      tool: "import-calibration \(packageVersion)", fileName: fileName)
    if arguments[Self.dryRun] {
      try show(record, dialect: camera.dialect)
      terminal.note("not stored (--dry-run)")
      return record.verdict.level == .poor ? .poor : .success
    }
    try protectMeasured(from: camera, record)
    let outcome = try asFailure(.notStored) { () throws(StoreError) in
      do throws(StoreError) {
        return try store.save(record, replace: arguments[ImportCommand.replace])
      } catch {
        var error = error
        error.message += error.storeAdvice
        throw error
      }
    }
    try show(record, dialect: camera.dialect)
    terminal.note("\(outcome) (store: \(roots))".printable)
    return record.verdict.level == .poor ? .poor : .success
  }

  /// The file's name without its folder.
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

  private func readCamera() throws -> ImportedCamera {
    let size = arguments[Self.size].map { Resolution(width: $0.width, height: $0.height) }
    do throws(FormatError) {
      return try CalibrationFile.read(
        path,
        options: ImportOptions(
          camera: arguments[Self.camera], resolution: size, lensModel: arguments[Self.lens]))
    } catch {
      throw CommandFailure(error.exitStatus, "\(error)")
    }
  }

  /// Makes sure that numbers of unknown quality don't take the place of measured ones.
  ///
  /// The store itself only keeps poor results from taking the place of better ones.
  private func protectMeasured(from camera: ImportedCamera, _ record: IntrinsicsRecord) throws {
    guard !arguments[Self.replace], camera.record == nil, record.verdict.level != .poor else {
      return
    }
    // A store that can't be read can't take the record, either.
    let current = try asFailure(.notStored) { () throws(StoreError) in
      try store.intrinsics(for: record.device.id, resolution: record.camera.resolution)
    }
    guard let current, current.verdict.level != .poor, current.wasMeasured else { return }
    throw CommandFailure(
      .notStored,
      "not stored: \(record.device.id) has a calibration at \(record.camera.resolution) that was "
        + "measured (\(current.verdict.level.rawValue), \(current.created)), and the quality of "
        + "this one is not known; --replace puts it in its place, the measured one goes to the "
        + "history")
  }

  private func show(_ record: IntrinsicsRecord, dialect: String) throws {
    if arguments[Self.json] {
      let text = try asFailure { () throws(StoreError) in try record.jsonText() }
      return terminal.write(Array(text.utf8))
    }
    terminal.print(ImportReport(record: record, dialect: dialect, fileName: fileName).text)
  }
}

extension IntrinsicsRecord {
  /// Whether the record rests on views that this package has seen.
  fileprivate var wasMeasured: Bool { !views.isEmpty || projectionUncertainty != nil }
}
