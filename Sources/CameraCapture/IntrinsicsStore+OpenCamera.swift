public import CalibrationStore
internal import CameraModel
internal import V4L2

extension IntrinsicsStore {
  /// The calibration of the camera that a program has open, at the size that it is set to now; nil
  /// where it was not calibrated at this size.
  ///
  /// For programs that take frames by other means (OpenCV's VideoCapture, GStreamer): call it after the
  /// size of the frames is settled, and keep the record. The camera is asked for its size
  /// (`VIDIOC_G_FMT`); nothing about it changes, and the descriptor stays the caller's.
  ///
  /// ```swift
  /// let store = IntrinsicsStore(try StoreRoots())
  /// if let record = try store.intrinsics(forOpenCamera: descriptor) { use(record.matrix) }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: An open descriptor of the camera's video device.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown` where the descriptor is none of a camera, or
  ///   the camera does not answer; others where there is a record that cannot be read.
  public func intrinsics(
    forOpenCamera descriptor: Int32, sysfs: String = "/sys"
  ) throws(StoreError) -> IntrinsicsRecord? {
    try intrinsics(forOpenCamera: descriptor, calls: .system, sysfs: sysfs)
  }

  func intrinsics(
    forOpenCamera descriptor: Int32, calls: V4L2Calls, sysfs: String
  ) throws(StoreError) -> IntrinsicsRecord? {
    let camera = try AttachedCamera(openDescriptor: descriptor, sysfs: sysfs)
    return try intrinsics(of: camera, descriptor: descriptor, calls: calls)
  }

  /// The part that does not depend on how the camera was recognised.
  func intrinsics(
    of camera: AttachedCamera, descriptor: Int32, calls: V4L2Calls
  ) throws(StoreError) -> IntrinsicsRecord? {
    let size: Resolution
    do {
      size = try calls.currentSize(ofDescriptor: descriptor, subject: camera.deviceFile)
    } catch {
      throw StoreError(
        code: .cameraUnknown, subject: error.subject, message: error.message,
        systemError: error.systemError)
    }
    return try intrinsics(for: camera.identity.id, resolution: size)
  }
}
