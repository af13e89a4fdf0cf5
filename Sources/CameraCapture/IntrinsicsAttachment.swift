internal import CalibrationStore
internal import CameraModel
internal import FoundationEssentials

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
