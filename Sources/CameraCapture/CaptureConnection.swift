public import CameraModel
internal import Locking

/// The way from a session's camera to an output, where intrinsics join the frames.
///
/// It comes into being when a session has both. Usable from any thread.
public final class CaptureConnection: Sendable {
  struct State: Sendable {
    var isDeliveryEnabled = false
    var allowsPoor = false
    var origin = PixelOrigin.center
  }

  /// The camera.
  public let input: CaptureDeviceInput
  private let session: SessionReference
  private let state = Lock(State())

  init(input: CaptureDeviceInput, session: CaptureSession) {
    self.input = input
    self.session = SessionReference(session)
  }

  /// Whether intrinsics can be delivered with the frames.
  ///
  /// True exactly when the session's store has a calibration of this camera at the resolution that the
  /// session takes frames in, it is not poor (unless `allowsPoorCalibration`), and no stabilisation or
  /// digital zoom is on. Looks into the store and asks the camera: some milliseconds.
  public var isCameraIntrinsicMatrixDeliverySupported: Bool {
    cameraIntrinsicMatrixDeliveryObstacle == nil
  }

  /// Why intrinsics cannot be delivered, and what to do; nil where they can.
  public var cameraIntrinsicMatrixDeliveryObstacle: String? {
    guard let session = session.session else { return Self.strayMessage }
    return session.deliveryObstacle(device: input.device, allowsPoor: allowsPoorCalibration)
  }

  private static let strayMessage =
    "the connection belongs to no session any more: ask the output for its connections"

  /// Sets the camera's focus, zoom and stabilisation to what they were when it was calibrated, autofocus
  /// off with them, so that its intrinsics can be delivered.
  ///
  /// Does nothing where the calibration does not know them. The camera keeps the settings when the
  /// program ends. At any time, also while the session runs.
  /// - Throws: `intrinsicsUnavailable` where there is no calibration to deliver, `controlUnavailable`
  ///   where the camera refuses a value.
  public func setLensAsCalibrated() throws(CaptureError) {
    func unavailable(_ reason: String) -> CaptureError {
      CaptureError(
        code: .intrinsicsUnavailable, subject: input.device.path, message: reason)
    }
    guard let session = session.session else { throw unavailable(Self.strayMessage) }
    switch try session.calibration(of: input.device, allowsPoor: allowsPoorCalibration) {
    case .unavailable(let reason): throw unavailable(reason)
    case .record(let record): try input.device.setLensControls(of: record)
    }
  }

  /// Whether frames carry intrinsics; false to begin with.
  public var isCameraIntrinsicMatrixDeliveryEnabled: Bool {
    state.withLock { $0.isDeliveryEnabled }
  }

  /// Switches the delivery of intrinsics on or off.
  ///
  /// On iOS this is an assignment, and a wrong one ends the app. Here it throws: a setter cannot.
  /// - Throws: `intrinsicsUnavailable`, saying why, where delivery is not supported; `alreadyRunning`
  ///   while the session runs.
  public func setCameraIntrinsicMatrixDeliveryEnabled(_ isEnabled: Bool) throws(CaptureError) {
    if let session = session.session, session.isRunning {
      throw CaptureError(
        code: .alreadyRunning, subject: "intrinsics delivery",
        message: "it can be switched while the session stands still only: do it before startRunning"
      )
    }
    if isEnabled, let obstacle = cameraIntrinsicMatrixDeliveryObstacle {
      throw CaptureError(
        code: .intrinsicsUnavailable, subject: input.device.path, message: obstacle)
    }
    state.withLock { $0.isDeliveryEnabled = isEnabled }
  }

  /// Whether a calibration that was judged poor is delivered, too; false to begin with.
  ///
  /// Takes effect when the session starts.
  public var allowsPoorCalibration: Bool {
    get { state.withLock { $0.allowsPoor } }
    set { state.withLock { $0.allowsPoor = newValue } }
  }

  /// Where the pixel coordinates of delivered matrices begin: the centre of the top-left pixel
  /// (OpenCV's convention, to begin with) or its corner (Apple's, 0.5 px more).
  ///
  /// Takes effect when the session starts.
  public var intrinsicMatrixOrigin: PixelOrigin {
    get { state.withLock { $0.origin } }
    set { state.withLock { $0.origin = newValue } }
  }
}

/// A session, not kept alive.
final class SessionReference: Sendable {
  private struct Weak: Sendable { weak var session: CaptureSession? }
  private let reference: Lock<Weak>

  init(_ session: CaptureSession) { reference = Lock(Weak(session: session)) }

  var session: CaptureSession? { reference.withLock { $0.session } }
}
