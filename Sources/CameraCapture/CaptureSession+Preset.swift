public import CameraModel

extension CaptureSession {
  /// The size of the frames that a session takes.
  public struct Preset: Sendable, Hashable, CustomStringConvertible {
    /// The size; nil for `high`.
    public let resolution: Resolution?

    /// The preset for frames of exactly this size.
    public init(_ resolution: Resolution) { self.resolution = resolution }

    private init() { resolution = nil }

    /// The camera's largest frames that still come at 24 a second; where none do, its largest.
    public static let high = Preset()
    /// 3840x2160 pixels.
    public static let hd4K3840x2160 = Preset(Resolution(width: 3840, height: 2160))
    /// 1920x1080 pixels.
    public static let hd1920x1080 = Preset(Resolution(width: 1920, height: 1080))
    /// 1280x720 pixels.
    public static let hd1280x720 = Preset(Resolution(width: 1280, height: 720))
    /// 640x480 pixels.
    public static let vga640x480 = Preset(Resolution(width: 640, height: 480))
    /// 352x288 pixels.
    public static let cif352x288 = Preset(Resolution(width: 352, height: 288))

    /// The size, or `high`.
    public var description: String { resolution.map { "\($0)" } ?? "high" }
  }
}
