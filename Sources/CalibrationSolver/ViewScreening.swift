/// Finds views that can't be what they claim to be, before anything is known of the camera.
package enum ViewScreening {
  /// Views whose points are not even roughly the image of a flat board, by index, with the reason.
  ///
  /// A homography is fitted between board and pixels. Lens distortion leaves a few per cent of the
  /// board's extent; points in a wrong order leave half of it and more. (An order that turns or
  /// mirrors the whole board is a possible view of it and does no harm to the camera.)
  package static func misfits(_ views: [ObservedView]) -> [(view: Int, reason: String)] {
    views.indices.compactMap { index in
      guard let misfit = relativeMisfit(views[index]), misfit > 0.15 else { return nil }
      return (
        index,
        "its corners are not the image of a flat board (off by \(Int((misfit * 100).rounded())) % "
          + "of its size): wrong detection, or corners in a wrong order"
      )
    }
  }

  /// The RMS of the best homography's residuals, relative to the RMS distance of the pixels from their
  /// centre; nil where nothing is used or no homography exists.
  package static func relativeMisfit(_ view: ObservedView) -> Double? {
    let used = view.pixels.indices.filter { view.isUsed[$0] }
    let board = used.map { SIMD2(view.boardPoints[$0].x, view.boardPoints[$0].y) }
    let pixels = used.map { view.pixels[$0] }
    guard let homography = Homography(from: board, to: pixels) else { return nil }
    let centre = pixels.reduce(SIMD2()) { $0 + $1 } / Double(pixels.count)
    var squares = 0.0
    var extent = 0.0
    for (point, pixel) in zip(board, pixels) {
      let d = pixel - centre
      extent += (d * d).sum()
      // A point at infinity is as wrong as can be.
      let r = homography(point).map { $0 - pixel } ?? d * 10
      squares += (r * r).sum()
    }
    guard extent > 0 else { return nil }
    let relative = (squares / extent).squareRoot()
    return relative.isFinite ? relative : .greatestFiniteMagnitude
  }
}
