import Boards
import Calibration
import CalibrationStore
import CameraModel
import CommandLineTool
import CornerTables
import Frames
import StoreCommands

extension CalibrateRun {
  /// Calibrates from points that somebody detected.
  func calibratePoints(_ options: CalibrationOptions) throws -> CalibrationSession.Result {
    let size = arguments[CalibrateCommand.size].map {
      Resolution(width: $0.width, height: $0.height)
    }
    let files = arguments[CalibrateCommand.corners] + arguments.operands
    let table: CornerTable
    do throws(CornerTableError) {
      table = try stages.measure(.read) { () throws(CornerTableError) in
        try CornerTable.read(files, board: options.board, resolution: size)
      }
    } catch {
      throw failure(error)
    }
    let identity = try pointsIdentity(files)
    for notice in table.notices { terminal.note(notice) }
    let count = table.views.count
    terminal.note(
      "Camera: \(identity.id) (by \(identity.identifiedBy)), "
        + "\(table.resolution.map { "\($0)" } ?? "–"), points of \(count) image\(count == 1 ? "" : "s")"
    )
    do {
      return try session(options).run(table, identity: identity)
    } catch {
      throw failure(calibrating: error)
    }
  }

  /// Whose camera it is: as the command line says, else that of the record which the points lie beside in
  /// a store, else by the folder that the tables lie in.
  private func pointsIdentity(_ files: [String]) throws -> IntrinsicsRecord.DeviceIdentity {
    if let identity = try device() { return identity }
    do throws(FramesError) {
      if let name = arguments[CalibrateCommand.deviceName] { return try SourceIdentity.named(name) }
    } catch {
      throw CommandFailure(error.exitStatus, "\(error)")
    }
    do throws(StoreError) {
      var devices: [IntrinsicsRecord.DeviceIdentity] = []
      for file in files {
        guard let device = try IntrinsicsStore.device(ofPoints: file) else {
          return SourceIdentity.folder(of: files)
        }
        devices.append(device)
      }
      if let device = devices.first, devices.allSatisfy({ $0.id == device.id }) { return device }
    } catch {
      throw CommandFailure(
        error.exitStatus,
        "\(error). It stands beside the points and says whose they are: name the device with "
          + "--device-name, or move the points elsewhere")
    }
    return SourceIdentity.folder(of: files)
  }

  /// Writes the points where `--dump-corners` says.
  func dump(_ table: CornerTable, _ board: ChessboardGeometry, to path: String) throws {
    let text: String
    do throws(CornerTableError) {
      text =
        path.lowercased().hasSuffix(".json")
        ? table.jsonText(board: board) : try table.text(board: board)
    } catch {
      throw failure(error)
    }
    try OutputArgument.write(Array(text.utf8), to: path, terminal)
  }

  private func failure(_ error: CornerTableError) -> any Error {
    switch error.code {
    case .missingSize:
      UsageError(.missingOption, subject: "--size", message: "\(error)")
    case .unwritable:
      UsageError(.invalidValue, subject: "--dump-corners", message: "--dump-corners: \(error)")
    case .malformed: CommandFailure(.badData, "\(error)")
    case .unreadable: CommandFailure(.sourceUnavailable, "\(error)")
    case .noPermission: CommandFailure(.noPermission, "\(error)")
    }
  }
}
