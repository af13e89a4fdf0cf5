import Calibration
import CalibrationStore
import CameraModel
import CommandLineTool
import StoreCommands

/// What happens to a result: it is stored, printed, and turned into an exit status.
struct ResultDelivery {
  let result: CalibrationSession.Result
  let arguments: ParsedArguments
  let terminal: Terminal
  let store: IntrinsicsStore?
  let roots: StoreRoots?

  func deliver() throws -> ExitStatus {
    let record = result.record
    let wantsJSON = arguments[CalibrateCommand.json]
    var outcome = "not stored (--dry-run)"
    var status: ExitStatus = record.verdict.level == .poor ? .poor : .success
    var failure: CommandFailure?
    if !arguments[CalibrateCommand.dryRun], let store {
      do throws(StoreError) {
        let old = try? store.intrinsics(
          for: record.device.id, resolution: record.camera.resolution)
        let saved = try store.save(
          record, points: result.points, replace: arguments[CalibrateCommand.replace])
        outcome = saved.description
        if case .stored = saved, let doubt = ReplacementDoubt(record, replacing: old) {
          terminal.warn(doubt.warning)
        }
      } catch {
        outcome = "not stored"
        failure = rescue(error)
        status = .notStored
      }
    }
    if wantsJSON || failure != nil {
      terminal.print(try json(record))
    }
    if !wantsJSON {
      let report =
        RecordReport(record: record, path: nil, now: .now, origin: .center).text
        + CoverageReport(record: record).text + "\n  " + outcome
      if failure == nil { terminal.print(report) } else { terminal.note(report) }
    } else {
      // The report has it in its verdict.
      if let hint = result.lensHint { terminal.note(hint) }
      terminal.note("\(record.verdict.level.rawValue): \(outcome)")
    }
    if let failure { throw failure }
    return status
  }

  private func json(_ record: IntrinsicsRecord) throws -> String {
    try asFailure { () throws(StoreError) in try record.jsonText() }
  }

  /// Keeps the record where the store could not: nothing that was measured is lost.
  private func rescue(_ error: StoreError) -> CommandFailure {
    do throws(StoreError) {
      let path = try RecordRescue.save(result.record)
      return CommandFailure(
        .notStored,
        "\(error)\(error.storeAdvice). The record is on standard output and in \(path): import-calibration "
          + "\(path) stores it once the fault is mended.")
    } catch {
      return CommandFailure(
        .notStored, "\(error)\(error.storeAdvice). The record is on standard output only: keep it.")
    }
  }
}
