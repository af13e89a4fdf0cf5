import Boards
import Calibration
import CalibrationStore
import CameraModel
import CommandLineTool
import Frames
import Glibc
import StoreCommands

/// One run of `calibrate`.
struct CalibrateRun {
  let arguments: ParsedArguments
  let terminal: Terminal
  let roots: StoreRoots?
  let store: IntrinsicsStore?
  let system: CameraSystem
  let stages = StageClock()

  init(
    _ arguments: ParsedArguments, _ terminal: Terminal, system: CameraSystem = CameraSystem()
  ) throws {
    self.arguments = arguments
    self.system = system
    self.terminal = terminal
    if arguments[CalibrateCommand.quiet] { terminal.verbosity = .quiet }
    if arguments[CalibrateCommand.verbose] { terminal.verbosity = .verbose }
    let dryRun = arguments[CalibrateCommand.dryRun]
    do throws(StoreError) {
      roots = try StoreRoots(given: arguments[CalibrateCommand.store])
    } catch {
      guard dryRun else { throw CommandFailure(error.exitStatus, "\(error)") }
      roots = nil
    }
    store = roots.map { IntrinsicsStore($0) }
  }

  func run() throws -> ExitStatus {
    if arguments[CalibrateCommand.timings] {
      let stages = stages
      terminal.sayLast { TimingsLine.text(stages) }
    }
    // What is wrong with the command line is said before anything is looked for.
    let options = try sessionOptions()
    let argument = try SourceArgument(arguments, CameraArgument(system: system))
    let folders = try OutputFolders(arguments, argument)
    let camera = try camera(argument)
    try checkStore()
    if argument == .points { return try deliver(try calibratePoints(options)) }
    if let camera {
      return try finish(try capture(camera, options, into: folders.frames), options, folders)
    }
    let source = try stages.measure(.read) { () throws in try self.source() }
    for notice in source.notices { terminal.note(notice) }
    tell(source.setAside)
    let identity = source.identity
    var images = source.expectedCount.map { "\($0) image\($0 == 1 ? "" : "s")" } ?? "images"
    if source is VideoSource {
      images += ", one of \(arguments[CalibrateCommand.every]) of a video (--every)"
    } else if arguments.isGiven(CalibrateCommand.every) {
      terminal.note("--every is for videos: all photographs are looked at.")
    }
    terminal.note(
      "Camera: \(identity.id) (by \(identity.identifiedBy)), \(source.resolution), \(images)")
    return try finish(source, options, folders)
  }

  /// Refuses a store that cannot take the result, before minutes are spent in vain.
  private func checkStore() throws(CommandFailure) {
    guard !arguments[CalibrateCommand.dryRun], let store else { return }
    do throws(StoreError) {
      try store.checkWritable()
    } catch {
      throw CommandFailure(
        error.systemError == ENOTDIR ? .usage : error.exitStatus,
        "nothing was measured, as the calibration could not be stored: \(error). Choose another folder "
          + "with --store, or store nothing with --dry-run")
    }
  }

  /// Calibrates from a source and delivers the result.
  private func finish(
    _ source: sending any FrameSource, _ options: CalibrationOptions, _ folders: OutputFolders
  ) throws -> ExitStatus {
    var session = session(options)
    let drawings = try folders.drawings.map { try DrawingFolder($0) }
    if let drawings {
      session.onPicture = { frame, image, board in drawings.draw(frame, image, board) }
    }
    terminal.startProgress("Looking for the board", total: source.expectedCount)
    let status: ExitStatus
    do {
      let result: CalibrationSession.Result
      do {
        result = try session.run(source)
      } catch {
        throw failure(calibrating: error)
      }
      status = try deliver(result)
    } catch {
      // One error ends the run; that pictures are missing, too, is said beside it.
      if let loss = drawings?.loss { terminal.warn(loss) }
      throw error
    }
    if let loss = drawings?.loss {
      throw CommandFailure(
        .notStored,
        "\(loss). The calibration itself "
          + (arguments[CalibrateCommand.dryRun] ? "is complete" : "was stored"))
    }
    return status
  }

  /// A session that tells what happens, and keeps the points where that is asked for.
  func session(_ options: CalibrationOptions) -> CalibrationSession {
    var session = CalibrationSession(
      options: options, tool: "calibrate \(packageVersion)", created: .now)
    session.stages = stages
    let terminal = terminal
    session.isCancelled = { Interruption.isRequested }
    session.onCalculation = { begins in
      if begins { Interruption.endAtOnce() } else { Interruption.endInOrder() }
    }
    session.onEvent = { event in
      FrameTalk(terminal: terminal).tell(event)
    }
    if let path = arguments[CalibrateCommand.dumpCorners] {
      let run = self
      session.onPoints = { table in try run.dump(table, options.board, to: path) }
    }
    return session
  }

  /// A session's error as the command's end.
  func failure(calibrating error: any Error) -> any Error {
    switch error {
    case let error as CalibrationError: failure(error)
    case let error as FramesError: CommandFailure(error.exitStatus, "\(error)")
    default: error
    }
  }

  func deliver(_ result: CalibrationSession.Result) throws -> ExitStatus {
    terminal.finishProgress()
    try Interruption.check()
    for detail in result.details { terminal.detail(detail.printable) }
    for notice in result.notices { terminal.note(notice) }
    return try ResultDelivery(
      result: result, arguments: arguments, terminal: terminal, store: store, roots: roots
    ).deliver()
  }

  /// Pictures that are not used are worth a line each, other files one for all.
  private func tell(_ files: [SetAside]) {
    for file in files {
      let line = "\(file.source): \(file.reason)".printable
      if file.isPicture { terminal.note(line) } else { terminal.detail(line) }
    }
    let others = files.count { !$0.isPicture }
    if others > 0, terminal.verbosity < .verbose {
      terminal.note(
        "\(others) other file\(others == 1 ? " is no picture" : "s are not pictures") "
          + "(--verbose lists them)")
    }
  }

  private func sessionOptions() throws -> CalibrationOptions {
    // More threads than processors gain nothing, and keep each search waiting until its time on the
    // clock is over: then what is found would depend on --jobs.
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let board = try BoardArgument(arguments)
    var options = CalibrationOptions(
      board: board.geometry, squareSizeIsKnown: board.sizeIsKnown,
      jobs: min(arguments[CalibrateCommand.jobs] ?? processors, processors))
    options.lensModel = arguments[CalibrateCommand.lens].model
    options.maximumViewCount = arguments[CalibrateCommand.maxViews]
    options.solver = arguments[CalibrateCommand.solver] == .opencv ? .opencv : .own
    options.keepsOutliers = arguments[CalibrateCommand.noOutliers]
    if let count = arguments[CalibrateCommand.coefficients] {
      let models = options.lensModel.map { [$0] } ?? LensModel.allCases
      let most = models.map(\.estimatedCoefficientCount).max() ?? 0
      guard count <= most else {
        throw UsageError(
          .invalidValue, subject: "--coefficients",
          message:
            "--coefficients \(count): a \(arguments[CalibrateCommand.lens].rawValue) lens has at most "
            + "\(most)")
      }
      options.coefficientCount = count
    }
    options.takesBoardForFlat = arguments[CalibrateCommand.noBend]
    options.constraints = try ParameterConstraints(arguments, options.lensModel)
    do throws(ConstraintError) {
      try options.checkSolver()
    } catch {
      throw UsageError(.invalidValue, subject: error.option, message: "\(error.option): \(error)")
    }
    return options
  }

  /// A calibration's error as the command's end.
  func failure(_ error: CalibrationError) -> any Error {
    switch error.code {
    case .interrupted: Interrupted(status: Interruption.status ?? .interrupted)
    case .tooFewViews, .unsolvable: CommandFailure(.noCalibration, "\(error)")
    case .implausible(let option):
      UsageError(.invalidValue, subject: option, message: "\(error)")
    }
  }
}
