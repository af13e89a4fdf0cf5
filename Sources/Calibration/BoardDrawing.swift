package import BoardDetection
import Boards
package import Imaging

/// A photograph with the found board drawn in, for people to check what was taken for the board.
package enum BoardDrawing {
  /// The rows of the board as coloured lines from red to blue, the corners as circles, the first
  /// corner filled; without a board a red cross over the image.
  package static func picture(_ image: GrayImage, _ found: DetectedBoard?) -> ColorImage {
    var picture = ColorImage(image)
    // Visible when the picture is shrunk to a screen.
    let width = max(1.5, Double(image.width) / 640)
    guard let found else {
      let red = ColorImage.Color(red: 255, green: 0, blue: 0)
      let (right, bottom) = (Double(image.width - 1), Double(image.height - 1))
      picture.drawLine(from: SIMD2(0, 0), to: SIMD2(right, bottom), width: width, color: red)
      picture.drawLine(from: SIMD2(0, bottom), to: SIMD2(right, 0), width: width, color: red)
      return picture
    }
    let columns = found.board.columns
    for row in 0..<found.board.rows {
      let color = color(row: row, of: found.board.rows)
      let corners = found.corners[row * columns..<(row + 1) * columns]
      for (start, end) in zip(corners, corners.dropFirst()) {
        picture.drawLine(from: start, to: end, width: width, color: color)
      }
      for corner in corners {
        picture.drawCircle(center: corner, radius: 4 * width, width: width, color: color)
      }
    }
    picture.fillCircle(center: found.corners[0], radius: 4 * width, color: color(row: 0, of: 2))
    return picture
  }

  /// Red for the first row, by way of yellow and green to blue for the last.
  private static func color(row: Int, of rows: Int) -> ColorImage.Color {
    let t = 3 * Double(row) / Double(max(1, rows - 1))
    func level(_ value: Double) -> UInt8 { UInt8(255 * min(max(value, 0), 1)) }
    return ColorImage.Color(
      red: level(2 - t), green: level(min(t, 3 - t)), blue: level(t - 2))
  }
}
