public import CameraModel

extension IntrinsicsRecord {
  /// The calibration in the form of iOS's `AVCameraCalibrationData`, with lens distortion tables.
  ///
  /// In Apple's pixel-*corner* convention. Takes some hundredths of a second: make it once and keep it.
  ///
  /// - Parameter pixelSize: The side of a pixel in millimetres, where a data sheet says it.
  public func cameraCalibrationData(pixelSize: Float? = nil) -> CameraCalibrationData {
    CameraCalibrationData(camera, pixelSize: pixelSize)
  }
}
