public import CalibrationStore
public import CameraModel
import Imaging

/// Photographs in files, as a source of frames.
///
/// All headers are read at once, the pictures when their frames are asked for. One size is used: the
/// one asked for, else the most frequent.
public struct PhotographSource: FrameSource {
  /// Whose photographs they are: as told, else by EXIF, else by their folder.
  public let identity: IntrinsicsRecord.DeviceIdentity
  /// The size of all photographs used.
  public let resolution: Resolution
  /// The file format where all agree, for example `JPEG`.
  public let pixelFormat: String?
  /// Nil: photographs do not tell.
  public var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  /// What the user should know of the photographs.
  public let notices: [String]
  /// The files that are not used, with the reasons.
  public let setAside: [SetAside]
  /// The number of photographs used.
  public var expectedCount: Int? { photographs.count }

  private let photographs: [String]
  private var position = 0

  /// Opens files, folders (their files in natural order) and patterns (`*`, `?`, `[…]`, where no file
  /// has that name).
  ///
  /// - Parameters:
  ///   - paths: The sources. A file is used once however often it is named.
  ///   - resolution: The size to use; nil for the most frequent, of equally frequent ones the larger.
  ///   - deviceName: A name for the camera; it is filed under the name's slug.
  ///   - identity: The camera whose photographs they are known to be; goes before all else.
  /// - Throws: `FramesError` when a source is missing or unreadable, or no picture can be used.
  public init(
    paths: [String], resolution: Resolution? = nil, deviceName: String? = nil,
    identity: IntrinsicsRecord.DeviceIdentity? = nil
  ) throws(FramesError) {
    let named = try deviceName.map { name throws(FramesError) in try SourceIdentity.named(name) }
    let expansion = try SourceExpansion(paths)
    var selection = PhotographSelection(setAside: expansion.setAside)
    for file in expansion.files { selection.add(file) }
    let size = try selection.choose(resolution, of: paths)
    let chosen = selection.take(size, isRequested: resolution != nil)
    self.resolution = size
    self.photographs = chosen.map(\.path)
    self.setAside = selection.setAside
    self.notices = selection.notices + OrientationNotice.notices(chosen.map(\.header.orientation))
    let formats = Set(chosen.map(\.header.format))
    self.pixelFormat = formats.count == 1 ? formats.first?.description : nil
    self.identity =
      identity ?? named
      ?? SourceIdentity.exif(chosen.map { ($0.header.make, $0.header.model) })
      ?? SourceIdentity.folder(of: photographs)
  }

  /// The next photograph, not yet decoded; nil after the last.
  public mutating func next() -> Frame? {
    guard position < photographs.count else { return nil }
    defer { position += 1 }
    let (path, expected) = (photographs[position], resolution)
    return Frame(name: path, index: position) {
      let image = try ImageFile.grayImage(ofFileAt: path)
      guard image.resolution == expected else {
        throw FramesError(
          .changed, source: path,
          message: "was \(expected) when the sources were listed and is \(image.resolution) now; "
            + "start again when the files are complete")
      }
      return image
    }
  }
}
