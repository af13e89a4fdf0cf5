package import Boards
internal import CalibrationStore

extension CornerTable {
  /// The table as a vnlog that mrcal reads: `# filename x y level`, or sigma where points are known
  /// unequally; `-` in the last column for a point that is to be passed over.
  ///
  /// Numbers are written so that they come back to the last bit.
  ///
  /// - Throws: `CornerTableError` with the code `unwritable` for names that hold spaces.
  package func text(board: ChessboardGeometry) throws(CornerTableError) -> String {
    let hasLevels = isUniform || confidence != .sigma && confidence != .weight
    var lines = [
      "## corners of a \(board) board, row by row; the centre of the first pixel is 0, 0"
    ]
    if let resolution { lines.append("## images of \(resolution) pixels") }
    lines.append("# filename x y \(hasLevels ? "level" : "sigma")")
    for view in views {
      guard !view.source.contains(where: \.isWhitespace), !view.source.hasPrefix("#"),
        !view.source.isEmpty
      else {
        throw CornerTableError(
          .unwritable,
          "'\(view.source)' has spaces or begins with #, which a table of corners can't hold: name a "
            + "file that ends in .json")
      }
      if let reason = view.reason { lines.append("## \(view.source): \(reason)".printable) }
      if view.isEmpty {
        lines.append("\(view.source) - - -")
        continue
      }
      for (pixel, (isUsed, deviation)) in zip(view.pixels, zip(view.isUsed, view.deviations)) {
        let place = pixel.isSeen ? "\(pixel.x) \(pixel.y)" : "- -"
        let last =
          !isUsed || !pixel.isSeen
          ? "-" : hasLevels ? "\(isUniform ? 0 : deviation.exponent)" : "\(deviation)"
        lines.append("\(view.source) \(place) \(last)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
