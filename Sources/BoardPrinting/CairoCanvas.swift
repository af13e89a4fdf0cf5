import CCairo

/// A cairo surface to draw on, in metres from its top-left corner.
///
/// Errors of cairo stick to its objects: they are asked for once at the end.
final class CairoCanvas {
  private let surface: OpaquePointer?
  private let context: OpaquePointer?
  /// Whether only coverage is drawn, into an 8-bit picture: there is no white to paint with.
  private let isMask: Bool

  /// Takes a surface over; `scale` is its units per metre.
  init(owning surface: OpaquePointer?, scale: Double, isMask: Bool = false) {
    self.surface = surface
    self.isMask = isMask
    context = cairo_create(surface)
    // Millimetres as user unit: sizes of letters stay in a range that fonts are made for.
    cairo_scale(context, scale / 1000, scale / 1000)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
    // Without hints the letters keep their widths whatever the resolution.
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  /// A canvas that only measures text.
  convenience init() {
    self.init(owning: cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), scale: 10_000)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Fills areas, one after the other; `unit` is the length of their unit in metres.
  ///
  /// Rectangles that follow one another go into one path: PDF viewers move the edges of a path that is
  /// a single rectangle to whole pixels.
  func fill(_ shapes: [PatternShape], origin: SIMD2<Double>, unit: Double) {
    var previous: PatternShape?
    for shape in shapes {
      if let previous, !(previous.joins(shape)) { paint(isDark: previous.isDark) }
      add(shape.outline, origin, unit)
      previous = shape
    }
    if let previous { paint(isDark: previous.isDark) }
  }

  private func add(
    _ outline: PatternShape.Outline, _ origin: SIMD2<Double>, _ unit: Double
  ) {
    func millimetres(_ point: SIMD2<Double>) -> SIMD2<Double> { (origin + point * unit) * 1000 }
    switch outline {
    case .rectangle(let corner, let size):
      // Both corners from their own products: neighbours then share their edges to the last bit.
      let (from, to) = (millimetres(corner), millimetres(corner + size))
      cairo_rectangle(context, from.x, from.y, to.x - from.x, to.y - from.y)
    case .disc(let centre, let radius):
      let middle = millimetres(centre)
      cairo_arc(context, middle.x, middle.y, radius * unit * 1000, 0, 2 * Double.pi)
    case .polygon(let corners):
      for corner in corners.map(millimetres) { cairo_line_to(context, corner.x, corner.y) }
      cairo_close_path(context)
    }
  }

  private func paint(isDark: Bool) {
    let level: Double = isDark ? 0 : 1
    cairo_set_source_rgba(context, level, level, level, 1)
    cairo_set_operator(context, isMask && !isDark ? CAIRO_OPERATOR_DEST_OUT : CAIRO_OPERATOR_OVER)
    cairo_fill(context)
    cairo_set_operator(context, CAIRO_OPERATOR_OVER)
  }

  /// Draws a straight black line with blunt ends.
  func line(from: SIMD2<Double>, to: SIMD2<Double>, width: Double) {
    cairo_set_source_rgba(context, 0, 0, 0, 1)
    cairo_set_line_width(context, width * 1000)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    cairo_new_path(context)
    cairo_move_to(context, from.x * 1000, from.y * 1000)
    cairo_line_to(context, to.x * 1000, to.y * 1000)
    cairo_stroke(context)
  }

  /// Writes a line of text.
  ///
  /// - Parameters:
  ///   - place: The left end of its base line, metres.
  ///   - size: The height of the letters' square, metres.
  ///   - isUpward: Whether it is turned to run up the sheet.
  func write(_ line: SheetLine, at place: SIMD2<Double>, size: Double, isUpward: Bool = false) {
    selectFont(line, size)
    cairo_set_source_rgba(context, 0, 0, 0, 1)
    cairo_save(context)
    cairo_move_to(context, place.x * 1000, place.y * 1000)
    if isUpward { cairo_rotate(context, -Double.pi / 2) }
    cairo_show_text(context, line.text)
    cairo_restore(context)
  }

  /// How wide a line of text is, metres.
  func width(of line: SheetLine, size: Double) -> Double {
    selectFont(line, size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, line.text, &extents)
    return extents.x_advance / 1000
  }

  private func selectFont(_ line: SheetLine, _ size: Double) {
    cairo_select_font_face(
      context, line.isCommand ? "monospace" : "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      line.isCommand ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, size * 1000)
  }

  /// Ends the page or picture.
  ///
  /// - Throws: `PrintingError` with what cairo says of anything that was drawn.
  func finish(_ subject: String) throws(PrintingError) {
    cairo_show_page(context)
    cairo_surface_flush(surface)
    for status in [cairo_status(context), cairo_surface_status(surface)]
    where status != CAIRO_STATUS_SUCCESS {
      throw PrintingError(
        .drawingFailed, subject: subject,
        message: "could not be drawn: \(String(cString: cairo_status_to_string(status)))")
    }
  }
}

extension PatternShape {
  /// Whether both may be filled at once.
  fileprivate func joins(_ other: PatternShape) -> Bool {
    guard case .rectangle = outline, case .rectangle = other.outline else { return false }
    return isDark == other.isDark
  }
}
