package import BoardDetection
import Boards
import CalibrationSolver
package import CalibrationStore
import CameraModel
package import CornerTables
package import Frames
package import Imaging
import OpenCV

/// One calibration, from frames to a record: detect, select, solve, evaluate.
///
/// It is handed a source of frames and does not know whether that is a folder or a camera; it stores
/// nothing.
package struct CalibrationSession: Sendable {
  /// What is asked for.
  package var options: CalibrationOptions
  /// What made the record, for its `tool`.
  package var tool: String
  /// When the record is made.
  package var created: UTCTime
  /// Whether to stop: asked between two pieces of work, on any thread.
  package var isCancelled: @Sendable () -> Bool = { false }
  /// Is called before and after the calculation, which may take minutes for thousands of views and asks
  /// `isCancelled` between its parts only; all that comes from outside has been read by then.
  package var onCalculation: @Sendable (_ begins: Bool) -> Void = { _ in }
  /// Where the time goes.
  package var stages = StageClock()
  /// Called once a frame, in the order of the frames, by one thread at a time.
  package var onEvent: @Sendable (DetectionEvent) -> Void = { _ in }
  /// Called with the picture of each frame and what was found in it, on several threads.
  package var onPicture: (@Sendable (Frame, GrayImage, DetectedBoard?) -> Void)?
  /// Called once with the points of all views, before they are solved for.
  package var onPoints: (@Sendable (CornerTable) throws -> Void)?

  /// Creates a session.
  package init(options: CalibrationOptions, tool: String, created: UTCTime) {
    self.options = options
    self.tool = tool
    self.created = created
  }

  /// What came out.
  package struct Result: Sendable {
    /// The record, ready to be stored.
    package var record: IntrinsicsRecord
    /// The points behind it.
    package var points: CalibrationPoints
    /// What else the user should know.
    package var notices: [String]
    /// What only those want to know who ask for it.
    package var details: [String] = []
    /// Of another lens model, as the verdict has it; nil where the one at hand is right.
    package var lensHint: String?
  }

  /// Reads the source to its end and calibrates.
  ///
  /// - Throws: What the source throws; `CalibrationError` where no calibration comes about.
  package func run(_ source: sending any FrameSource) throws -> Result {
    let board = options.board
    let identity = source.identity
    let resolution = source.resolution
    try options.constraints.check(resolution, options.lensModel)
    let pixelFormat = source.pixelFormat
    let controls = source.lensControls
    let expectedCount = source.expectedCount ?? .max
    let setAsideBefore = source.setAside.count
    var stage = DetectionStage(
      detector: ChessboardDetector(board: board), jobs: options.jobs, isCancelled: isCancelled,
      onEvent: onEvent)
    stage.stages = stages
    if let onPicture {
      stage.inspect = { frame, image, detection in onPicture(frame, image, detection.board) }
    }
    let detected = try stage.run(source)
    if let other = detected.otherBoard {
      let asked = "\(board.columns)x\(board.rows) board"
      throw CalibrationError(
        .tooFewViews,
        "The first \(BoardTrial.count) images show "
          + (other.isLarger ? "more than a \(asked)" : "no \(asked)")
          + "; \(other.names.count) of them show \(other.board), for example \(other.names[0]): try "
          + "--board \(other.board.columns)x\(other.board.rows)."
          + (expectedCount > BoardTrial.count ? " The rest was not searched." : ""))
    }
    let seen = SeenViews(detected.events, resolution: resolution, options)
    guard seen.selection.kept.count >= LensFitting.fewestViews else {
      try onPoints?(seen.table(resolution))
      let detector = ChessboardDetector(board: board)
      throw CalibrationError(
        .tooFewViews,
        shortage(
          seen.events, seen.selection,
          suggestion: stages.measure(.detect) { suggestion(detected.missed, detector) })
          + detected.source.setAside.dropFirst(setAsideBefore).map {
            " \($0.source): \($0.reason)."
          }.joined())
    }
    let settled: (seen: SeenViews, outcome: Outcome, details: [String])
    do throws(CalibrationError) {
      settled = try solved(seen, resolution, lookingAgainAt: detected.again)
    } catch {
      try onPoints?(seen.table(resolution))
      throw error
    }
    try onPoints?(settled.seen.table(resolution))
    var result = try result(
      settled.outcome, settled.seen, sourcesSetAside: detected.source.setAside, identity)
    result.details = settled.details
    result.record.pixelFormat = pixelFormat
    result.record.lensControls = controls
    return result
  }

  /// What comes of views that were solved for.
  func result(
    _ outcome: Outcome, _ seen: SeenViews, sourcesSetAside: [SetAside],
    _ identity: IntrinsicsRecord.DeviceIdentity
  ) throws(CalibrationError) -> Result {
    onCalculation(true)
    defer { onCalculation(false) }
    let builder = RecordBuilder(
      events: seen.events, sourcesSetAside: sourcesSetAside, selection: seen.selection,
      fit: outcome.settled.fit, boardPoints: options.board.cornerPoints)
    let evaluation = try Evaluation(
      outcome.settled.fit, coverage: builder.coverage,
      disagreement: outcome.settled.disagreement, constraints: options.constraints,
      coefficientCount: options.coefficientCount,
      flatShape: options.flatOption == nil ? nil : BendKnowledge.shape(options.board),
      flatOption: options.flatOption ?? "--no-bend",
      lensHint: outcome.lensHint, jobs: options.jobs, stages: stages)
    var record = record(evaluation, builder, identity)
    record.lensComparison = outcome.candidates
    return Result(
      record: record, points: builder.points, notices: outcome.notices,
      lensHint: outcome.lensHint?.text)
  }

  /// What views amount to.
  struct Outcome {
    /// The fit without stray views, and what is to be said of the set.
    var settled: SettledFit
    /// What each lens model would give; nil where one was asked for.
    var candidates: [IntrinsicsRecord.LensCandidate]?
    /// What the user should know of how it came about.
    var notices: [String] = []
    /// Of another lens model that would be better.
    var lensHint: LensHint?
  }

  /// Solves for selected views.
  func solve(
    _ selection: ViewSelection, _ resolution: Resolution
  ) throws(CalibrationError) -> Outcome {
    onCalculation(true)
    defer { onCalculation(false) }
    let boardPoints = options.board.cornerPoints
    let observed = selection.kept.map { $0.observed(on: boardPoints) }
    var fitting = LensFitting(observed, resolution: resolution, options, stages: stages)
    fitting.names = selection.kept.map(\.source)
    let sample = ViewSelection.mostDifferent(selection.kept, count: StartValues.sampleSize)
    guard options.lensModel != nil else {
      let choice = try LensChoice(
        fitting, sample: sample, isCancelled: isCancelled)
      try CalibrationError.check(isCancelled)
      let lens = choice.settled.fit.solution.camera.lensModel
      return Outcome(
        settled: choice.settled, candidates: choice.candidates,
        notices: options.constraints.withoutEffect(on: lens).map { [$0] } ?? [])
    }
    let settled = try SettledFit(fitting, sample: sample, isCancelled: isCancelled)
    let fit = settled.fit
    // What was said of this lens says nothing of another one.
    let hint =
      options.constraints.isEmpty
      ? stages.measure(.hint) {
        LensHint(fit, fitting, sample: sample, isCancelled: isCancelled)
      } : nil
    try CalibrationError.check(isCancelled)
    return try answer(Outcome(settled: settled, lensHint: hint), fitting, sample: sample)
  }

  /// OpenCV's answer in place of our own, where that is asked for.
  private func answer(
    _ outcome: Outcome, _ fitting: LensFitting, sample: [Int]
  ) throws(CalibrationError) -> Outcome {
    guard options.solver == .opencv else { return outcome }
    var outcome = outcome
    let answer = try stages.measure(.solve) { [outcome] () throws(CalibrationError) in
      try OpenCVAnswer(outcome.settled.fit, fitting, sample: sample)
    }
    outcome.settled.fit = answer.fit
    outcome.notices += answer.notices
    return outcome
  }

  private func record(
    _ evaluation: Evaluation, _ builder: RecordBuilder,
    _ identity: IntrinsicsRecord.DeviceIdentity
  ) -> IntrinsicsRecord {
    var record = IntrinsicsRecord(
      device: identity, camera: builder.fit.solution.camera, verdict: evaluation.verdict,
      created: created.description, tool: tool)
    record.standardDeviations = evaluation.deviations
    record.covariance = evaluation.covariance
    record.reprojectionError = evaluation.error
    record.projectionUncertainty = evaluation.uncertainty
    record.residualPatterns = evaluation.residualPatterns
    record.held = evaluation.held
    record.board = IntrinsicsRecord.BoardDescription(
      kind: "chessboard", columns: options.board.columns, rows: options.board.rows,
      squareSize: options.squareSizeIsKnown ? options.board.squareSizeMetres : nil,
      squareHeight: options.squareSizeIsKnown && options.board.hasUnequalSides
        ? options.board.squareHeightMetres : nil, bend: evaluation.bend)
    record.held["bend"] = bendReason(builder.fit)
    record.views = builder.views
    record.coverage = builder.coverage
    return record
  }

  /// Why the board's bend was not estimated, or not by the views alone; nil where it was.
  private func bendReason(_ fit: LensFit) -> String? {
    guard let shape = fit.selection.problem.shape else {
      return options.flatOption.map { "held at 0: the board is taken for flat (\($0))" }
        ?? "held at 0: the board has no extent in one direction"
    }
    return shape.prior.map { prior in
      let unit = options.squareSizeIsKnown ? "mm" : "squares"
      let deviation =
        options.squareSizeIsKnown
        ? fixed(prior.deviation * 1000, 2) : fixed(prior.deviation, 4)
      return
        "held by a prior at 0 ± \(deviation) \(unit): "
        + (fit.members.count < VerdictRules.fewestViews
          ? "fewer than \(VerdictRules.fewestViews) views"
          : "the views alone do not tell it well enough")
    }
  }
}
