public import Imaging

/// One picture of a source, decoded when it is asked for.
public struct Frame: Sendable {
  /// The file's path, or the video's path with the frame's number: `calibration.mp4#120`.
  public let name: String
  /// The frame's place in its source, from 0: among the pictures used, or in the video.
  public let index: Int
  /// Whether its picture takes no memory until it is asked for, so that it can be held for a second look.
  package let isLight: Bool
  private let load: @Sendable () throws -> GrayImage

  /// Creates a frame whose picture is there already.
  public init(name: String, index: Int, image: GrayImage) {
    self.init(name: name, index: index, isLight: false) { image }
  }

  /// Creates a frame whose picture `load` decodes, on whichever thread asks for it.
  public init(name: String, index: Int, load: @escaping @Sendable () throws -> GrayImage) {
    self.init(name: name, index: index, isLight: true, load: load)
  }

  private init(
    name: String, index: Int, isLight: Bool, load: @escaping @Sendable () throws -> GrayImage
  ) {
    self.name = name
    self.index = index
    self.isLight = isLight
    self.load = load
  }

  /// The picture in the sensor's own pixel grid.
  ///
  /// Decoding happens in this call and its result is not kept, so that several threads can decode
  /// several frames and memory holds only what is in use.
  /// - Throws: `ImagingError` or `FramesError` when the picture is damaged or has changed.
  public func grayImage() throws -> GrayImage { try load() }
}
