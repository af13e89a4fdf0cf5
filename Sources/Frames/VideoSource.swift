public import CalibrationStore
public import CameraModel
import Imaging

/// A video file as a source of frames, decoded by the `ffmpeg` program while frames are asked for.
///
/// It is decoded from its start without seeking, since a seek lands only on key frames, of which a
/// video may have a single one. Rotation metadata is ignored. Memory holds one frame, and the program
/// waits while frames are not asked for; it is ended when the source goes away.
public struct VideoSource: FrameSource {
  /// Whose video it is: as told, else by its folder.
  public let identity: IntrinsicsRecord.DeviceIdentity
  /// The size of all frames.
  public var resolution: Resolution { decoder.resolution }
  /// The video's codec, for example `h264`; nil where `ffprobe` can't tell.
  public let pixelFormat: String?
  /// Nil: videos do not tell.
  public var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  /// What the user should know of the video.
  public let notices: [String]
  /// Where the video is damaged or ends early: grows until `next` has given nil.
  public private(set) var setAside: [SetAside] = []
  /// The number of frames by the file's own account, which may be off.
  public let expectedCount: Int?

  private let path: String
  private let every: Int
  private let decoder: VideoDecoder
  private var first: GrayImage?
  private var count = 0
  private var isOver = false

  /// Opens a video and decodes its first frame.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - every: 1 for every frame, 2 for every second, …
  ///   - resolution: The size that the video must have; nil for any.
  ///   - deviceName: A name for the camera; it is filed under the name's slug.
  ///   - identity: The camera whose video it is known to be; goes before all else.
  /// - Throws: `FramesError` when the file is missing or no video, has no frames, or ffmpeg is not
  ///   installed.
  public init(
    path: String, every: Int = 1, resolution: Resolution? = nil, deviceName: String? = nil,
    identity: IntrinsicsRecord.DeviceIdentity? = nil
  ) throws(FramesError) {
    guard every >= 1 else {
      throw FramesError(
        .badRequest, source: path, message: "every \(every)th frame is asked for; 1 is the least")
    }
    let named = try deviceName.map { name throws(FramesError) in try SourceIdentity.named(name) }
    let properties = VideoProperties(ofFileAt: path)
    let decoder = try VideoDecoder.open(path: path, every: every)
    if let resolution, resolution != decoder.resolution {
      throw FramesError(
        .noSuchSize, source: path,
        message: "the video is \(decoder.resolution), not \(resolution) as asked for")
    }
    self.path = path
    self.every = every
    self.decoder = decoder
    self.first = decoder.takeFirst()
    self.identity = identity ?? named ?? SourceIdentity.folder(of: [path])
    self.pixelFormat = properties.codec
    self.expectedCount = properties.frameCount.map { ($0 + every - 1) / every }
    var notices: [String] = []
    if properties.isRotated {
      notices.append("the video's rotation mark is ignored: the sensor's own pixel grid counts")
    }
    if let count = properties.frameCount, count > 0, every > 1, every >= count {
      notices.append(
        "the video has \(count) frame\(count == 1 ? "" : "s"), so every \(every)th of them is the "
          + "first alone: take a smaller step (--every)")
    }
    self.notices = notices
  }

  /// The next frame, decoded; nil after the last.
  ///
  /// A video that is damaged or ends early ends here with an entry in `setAside`; the frames before
  /// are whole.
  /// - Throws: `FramesError` when ffmpeg stops answering.
  public mutating func next() throws(FramesError) -> Frame? {
    guard !isOver else { return nil }
    let image: GrayImage
    if let first {
      image = first
      self.first = nil
    } else if let next = try decoder.next() {
      image = next
    } else {
      isOver = true
      if let damage = decoder.damage() {
        setAside.append(
          SetAside(source: "\(path)#\(count * every)", reason: "and all after: \(damage)"))
      }
      return nil
    }
    defer { count += 1 }
    let index = count * every
    return Frame(name: "\(path)#\(index)", index: index, image: image)
  }
}
