internal import CalibrationStore
internal import CameraModel
internal import FoundationEssentials
internal import Locking

/// What a frame carries of the camera's intrinsics; made once a run, shared by its frames.
final class IntrinsicsAttachment: Sendable {
  /// The record as it is stored.
  let record: IntrinsicsRecord
  /// The camera of the delivered pixels: the record's after crop, resize and turn.
  let camera: CameraParameters
  let matrix: matrix_float3x3
  /// The matrix's 48 bytes.
  let data: Data
  let origin: PixelOrigin
  let lensControlsKnown: Bool
  /// Made when it is first asked for, as its tables take some hundredths of a second.
  private let calibration = Lock<CameraCalibrationData?>(nil)

  /// The camera of the delivered pixels in the form of iOS's `AVCameraCalibrationData`.
  var calibrationData: CameraCalibrationData {
    calibration.withLock { made in
      if let made { return made }
      let new = CameraCalibrationData(camera)
      made = new
      return new
    }
  }

  init(
    record: IntrinsicsRecord, settings: VideoSettings, origin: PixelOrigin, lensControlsKnown: Bool
  ) {
    self.record = record
    self.origin = origin
    self.lensControlsKnown = lensControlsKnown
    camera = settings.camera(from: record.camera)
    var delivered = record
    delivered.camera = camera
    matrix = delivered.matrix(origin: origin)
    data = delivered.matrixData(origin: origin)
  }
}
