public import CameraModel

// For programs that take frames by other means (OpenCV's VideoCapture, GStreamer): look up once, after
// the size of the frames is settled, and keep the record.
extension IntrinsicsStore {
  /// The calibration of an attached camera at a size of frames; nil where it was not calibrated at this
  /// size.
  ///
  /// ```swift
  /// let store = IntrinsicsStore(try StoreRoots())
  /// let record = try store.intrinsics(
  ///   forCameraAt: "/dev/video0", resolution: Resolution(width: 1280, height: 720))
  /// ```
  /// Whether focus and zoom stand as they stood when it was calibrated is not looked at:
  /// `IntrinsicsRecord.lensControls` says what they have to be.
  ///
  /// - Parameters:
  ///   - path: The camera's device file (`/dev/videoN`), or a link to it as in `/dev/v4l/by-id`.
  ///   - resolution: The size of the frames that the program really gets.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown` where no camera is attached there; others
  ///   where there is a record that cannot be read.
  public func intrinsics(
    forCameraAt path: String, resolution: Resolution, sysfs: String = "/sys"
  ) throws(StoreError) -> IntrinsicsRecord? {
    let camera = try AttachedCamera(anyPath: path, sysfs: sysfs)
    return try intrinsics(for: camera.identity.id, resolution: resolution)
  }

  /// The calibration of the camera that a program has open, at a size of frames; nil where it was not
  /// calibrated at this size.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of its video device; it stays the caller's, nothing is read from it.
  ///   - resolution: The size of the frames that the program really gets.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown` where the descriptor is none of a camera;
  ///   others where there is a record that cannot be read.
  public func intrinsics(
    forOpenCamera descriptor: Int32, resolution: Resolution, sysfs: String = "/sys"
  ) throws(StoreError) -> IntrinsicsRecord? {
    let camera = try AttachedCamera(openDescriptor: descriptor, sysfs: sysfs)
    return try intrinsics(for: camera.identity.id, resolution: resolution)
  }
}
