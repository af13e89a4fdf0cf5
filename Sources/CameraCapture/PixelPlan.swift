internal import CameraModel
internal import Imaging

/// How the camera's bytes become the pixels that an output delivers; made once a run.
final class PixelPlan: Sendable {
  let layout: FrameLayout
  let settings: VideoSettings
  /// The size of the delivered frames.
  let resolution: Resolution
  /// Bytes from one delivered row to the next; 0 for the camera's own compressed bytes.
  let bytesPerRow: Int
  /// Whether frames must be copied before an app sees them, as the driver will overwrite them or has
  /// too few buffers to wait for an app.
  let copiesEarly: Bool
  private let converter: FrameConverter
  private let pool: PixelMemoryPool

  init(
    layout: FrameLayout, settings: VideoSettings, copiesEarly: Bool, converter: FrameConverter
  ) {
    self.layout = layout
    self.settings = settings
    self.copiesEarly = copiesEarly
    self.converter = converter
    resolution = settings.resolution(from: layout.resolution)
    let bytesPerPixel = settings.pixelFormat == .bgra32 ? 4 : 1
    bytesPerRow =
      settings.pixelFormat == .native ? layout.bytesPerRow : resolution.width * bytesPerPixel
    // As many idle blocks as a driver has buffers: more only where an app keeps frames.
    let idle = 4
    pool = PixelMemoryPool(byteCount: bytesPerRow * resolution.height, mostIdle: idle)
  }

  /// Makes sure that a frame is whole, without decoding it.
  func check(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) {
    do {
      _ = try layout.completeFrame(in: bytes)
    } catch {
      throw Self.corrupt(error)
    }
  }

  /// A frame in the pixels that are delivered, where these are the camera's whole upright picture.
  func pixels(of frame: UnsafeRawBufferPointer) throws(CaptureError) -> PixelMemory {
    let result = pool.memory()
    do {
      if settings.pixelFormat == .bgra32 {
        try converter.writeBGRA(
          of: frame, layout: layout, to: result.bytes, bytesPerRow: bytesPerRow)
      } else {
        try converter.writeGray8(
          of: frame, layout: layout, to: result.bytes, bytesPerRow: bytesPerRow)
      }
    } catch {
      throw Self.corrupt(error)
    }
    return result
  }

  /// A frame in the pixels that are delivered, cut, resized and turned.
  func changedPixels(of frame: UnsafeRawBufferPointer) throws(CaptureError) -> [UInt8] {
    do {
      return settings.pixelFormat == .bgra32
        ? try changed(try converter.bgraImage(of: frame, layout: layout))
        : try changed(try converter.grayImage(of: frame, layout: layout))
    } catch {
      throw Self.corrupt(error)
    }
  }

  private func changed(_ image: some PixelImage) throws(ImagingError) -> [UInt8] {
    var image = image
    if let crop = settings.crop {
      image = try image.cropped(x: crop.x, y: crop.y, width: crop.width, height: crop.height)
    }
    if let size = settings.size { image = try image.resized(to: size) }
    return image.oriented(settings.orientation).pixels
  }

  /// The camera's own bytes in memory of ours.
  func copy(of frame: UnsafeRawBufferPointer) throws(CaptureError) -> [UInt8] {
    do {
      return Array(try layout.completeFrame(in: frame))
    } catch {
      throw Self.corrupt(error)
    }
  }

  private static func corrupt(_ error: ImagingError) -> CaptureError {
    CaptureError(code: .corruptFrame, subject: error.path, message: error.message)
  }
}
