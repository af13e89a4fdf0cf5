import CalibrationStore
import CommandLineTool

extension ShowCommand {
  func changeHistory(of device: DeviceID) throws -> ExitStatus {
    throw CommandFailure(.noCalibration, "the history is not built into this version yet")
  }
}
