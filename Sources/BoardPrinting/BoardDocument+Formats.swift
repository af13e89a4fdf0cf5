import CCairo
import Imaging

extension BoardDocument {
  /// A format that boards are written in.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// Portable Document Format.
    case pdf
    /// Scalable Vector Graphics, in millimetres.
    case svg
    /// Portable Network Graphics, 8-bit grey, with its resolution.
    case png
  }

  /// The most pixels of a picture, and the most on one of its sides.
  private static let mostPixels = 400_000_000
  private static let mostOnASide = 30_000

  /// Points (1/72 in) in a metre.
  private static let pointsPerMetre = 72 / 0.0254

  /// The document as a file's bytes.
  ///
  /// - Parameter pixelsPerMetre: The resolution of PNG; on a screen its own.
  /// - Throws: `PrintingError`.
  package func data(_ format: Format, pixelsPerMetre: Double) throws(PrintingError) -> [UInt8] {
    switch format {
    case .pdf: try pdf()
    case .svg: try svg()
    case .png: try png(pixelsPerMetre: sheet.pixel.map { 1 / $0 } ?? pixelsPerMetre)
    }
  }

  private func pdf() throws(PrintingError) -> [UInt8] {
    let size = sheet.size * Self.pointsPerMetre
    let title = documentTitle
    return try vector("PDF", scale: Self.pointsPerMetre) { write, sink in
      let surface = cairo_pdf_surface_create_for_stream(write, sink, size.x, size.y)
      cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
      return surface
    }
  }

  private func svg() throws(PrintingError) -> [UInt8] {
    let size = sheet.size * 1000
    return try vector("SVG", scale: 1000) { write, sink in
      let surface = cairo_svg_surface_create_for_stream(write, sink, size.x, size.y)
      cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_MM)
      return surface
    }
  }

  /// Bytes that cairo hands out piece by piece.
  private final class Sink {
    var bytes: [UInt8] = []
  }

  private func vector(
    _ subject: String, scale: Double,
    _ surface: (cairo_write_func_t, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(PrintingError) -> [UInt8] {
    let sink = Sink()
    let write: cairo_write_func_t = { sink, data, count in
      guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
      Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes
        .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
      return CAIRO_STATUS_SUCCESS
    }
    // The surface writes the end of the file when it is destroyed, so the canvas must go before the
    // bytes are complete, and the sink stay until then.
    try withExtendedLifetime(sink) { () throws(PrintingError) in
      let canvas = CairoCanvas(
        owning: surface(write, Unmanaged.passUnretained(sink).toOpaque()), scale: scale)
      draw(on: canvas)
      try canvas.finish(subject)
    }
    return sink.bytes
  }

  private func png(pixelsPerMetre: Double) throws(PrintingError) -> [UInt8] {
    let size = (sheet.size * pixelsPerMetre).rounded(.toNearestOrEven)
    let dpi = Int((pixelsPerMetre * 0.0254).rounded())
    guard size.x <= Double(Self.mostOnASide), size.y <= Double(Self.mostOnASide),
      size.x * size.y <= Double(Self.mostPixels), size.x >= 1, size.y >= 1
    else {
      throw PrintingError(
        .tooManyPixels, subject: "PNG",
        message: sheet.pixel == nil
          ? "\(sheet.name) at \(dpi) dpi is too large a picture; choose a lower --dpi, or PDF or SVG"
          : "\(sheet.name) is too large a picture; the most is \(Self.mostPixels / 1_000_000) million "
            + "pixels, \(Self.mostOnASide) on a side")
    }
    let (width, height) = (Int(size.x), Int(size.y))
    let image = try coverage(width: width, height: height, scale: pixelsPerMetre)
    do {
      return PNGResolution.adding(pixelsPerMetre, to: try image.pngData())
    } catch {
      throw PrintingError(.drawingFailed, subject: "PNG", message: "\(error)")
    }
  }

  /// Draws black on nothing and turns the coverage into grey.
  private func coverage(
    width: Int, height: Int, scale: Double
  ) throws(PrintingError) -> GrayImage {
    let stride = Int(cairo_format_stride_for_width(CAIRO_FORMAT_A8, Int32(width)))
    var bytes = [UInt8](repeating: 0, count: stride * height)
    var failure: PrintingError?
    bytes.withUnsafeMutableBufferPointer { buffer in
      let canvas = CairoCanvas(
        owning: cairo_image_surface_create_for_data(
          buffer.baseAddress, CAIRO_FORMAT_A8, Int32(width), Int32(height), Int32(stride)),
        scale: scale, isMask: true)
      draw(on: canvas)
      do throws(PrintingError) { try canvas.finish("PNG") } catch { failure = error }
    }
    if let failure { throw failure }
    var pixels = [UInt8](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width { pixels[row * width + column] = 255 - bytes[row * stride + column] }
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }
}
