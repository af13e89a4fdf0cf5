/// A camera as the source of a session.
public final class CaptureDeviceInput: Sendable {
  /// The camera.
  public let device: CaptureDevice

  /// Opens a camera.
  ///
  /// Opening alone keeps no other program from using it; `CaptureSession.startRunning` does.
  /// - Throws: `noPermission`, `busy`, `noCamera` (it was unplugged meanwhile), `notACamera`.
  public init(device: CaptureDevice) throws(CaptureError) {
    _ = try device.node()
    self.device = device
  }
}
