public import CalibrationStore
public import CameraModel

/// Pictures of one camera at one resolution, one after the other.
///
/// All that is known before the first frame is decoded stands in the properties. A source is used from
/// one thread; its frames may be decoded on any.
public protocol FrameSource {
  /// Whose frames they are.
  var identity: IntrinsicsRecord.DeviceIdentity { get }
  /// The size of every frame, in the sensor's own pixel grid.
  var resolution: Resolution { get }
  /// The frames' format, for example `JPEG` or `h264`; nil when it varies or is not known.
  var pixelFormat: String? { get }
  /// The controls that change the lens, by name; nil when they are not known.
  var lensControls: [String: IntrinsicsRecord.LensControl]? { get }
  /// What the user should know of the source, for example that EXIF orientations are ignored.
  var notices: [String] { get }
  /// What was named or found and is not used, with the reasons; of a video, complete after the last
  /// frame.
  var setAside: [SetAside] { get }
  /// How many frames `next` will give, by headers alone; nil when not known beforehand.
  var expectedCount: Int? { get }
  /// The next frame; nil after the last.
  mutating func next() throws -> Frame?
}

/// A file that was named or found and gives no frame.
public struct SetAside: Sendable, Hashable {
  /// The file.
  public var source: String
  /// Why it is not used, and what would change that.
  public var reason: String
  /// Whether it is a picture that could have given a view; false for what merely lay in a folder.
  public var isPicture: Bool

  /// Creates an entry.
  public init(source: String, reason: String, isPicture: Bool = true) {
    self.source = source
    self.reason = reason
    self.isPicture = isPicture
  }
}
