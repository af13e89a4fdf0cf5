public import CalibrationStore
public import CameraModel
import Imaging

/// How sources on a command line are opened.
public struct FrameSourceOptions: Sendable, Hashable {
  /// Of a video: 1 for every frame, 2 for every second, …; photographs are all used.
  public var every: Int
  /// The frame size to use; nil for the most frequent.
  public var resolution: Resolution?
  /// A name for the camera.
  public var deviceName: String?
  /// The camera that the frames are known to be of; goes before all else.
  public var identity: IntrinsicsRecord.DeviceIdentity?

  /// Creates options.
  public init(
    every: Int = 1, resolution: Resolution? = nil, deviceName: String? = nil,
    identity: IntrinsicsRecord.DeviceIdentity? = nil
  ) {
    self.every = every
    self.resolution = resolution
    self.deviceName = deviceName
    self.identity = identity
  }

  /// Opens a video where the only source is one, by content; else photographs, folders and patterns.
  ///
  /// - Throws: `FramesError`; also for a camera, and for a video among other sources.
  public func open(_ sources: [String]) throws(FramesError) -> any FrameSource {
    for source in sources where Self.isVideo(source) {
      guard sources.count == 1 else {
        throw FramesError(
          .badRequest, source: source,
          message: "is a video; give it as the only source, without photographs beside it")
      }
      return try VideoSource(
        path: source, every: every, resolution: resolution, deviceName: deviceName,
        identity: identity)
    }
    return try PhotographSource(
      paths: sources, resolution: resolution, deviceName: deviceName, identity: identity)
  }

  private static func isVideo(_ path: String) -> Bool {
    if case .video = try? ContentKind(ofFileAt: path) { return true }
    return false
  }
}
