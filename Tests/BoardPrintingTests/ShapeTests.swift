import Imaging
import Testing

@testable import BoardPrinting

@Suite("Shapes of other boards")
struct ShapeTests {
  /// A light triangle on a dark disc, as markers and circles have them.
  private struct Target: PrintableBoard {
    var unitMetres = 0.01
    var patternUnits = SIMD2(4.0, 4)
    var marginUnits = 1.0
    var shapes = [
      PatternShape(.disc(centre: SIMD2(2, 2), radius: 2)),
      PatternShape(.polygon([SIMD2(1, 1), SIMD2(3, 1), SIMD2(1, 3)]), isDark: false),
    ]
    var title = "Target"
    var unitName = "units"
    var command = "calibrate"
    var measuring: [SheetLine] = []
    func scaled(toUnitMetres unit: Double) -> Target {
      var copy = self
      copy.unitMetres = unit
      return copy
    }
  }

  @Test("Discs and polygons have their areas, and light ones cover dark ones, in PDF and PNG")
  func areas() throws {
    let sheet = Sheet(Paper(width: 0.15, height: 0.15), isLandscape: false)
    let document = try BoardDocument(Target(), on: [sheet])
    let scale = 300 / 0.0254
    let png = try document.data(.png, pixelsPerMetre: scale)
    for image in [
      try Poppler.image(of: document.data(.pdf, pixelsPerMetre: 0), dpi: 300),
      try ImageFile.grayImage(of: png.span.bytes, named: "png"),
    ] {
      let from = (document.layout.origin * scale).rounded(.down) - 2
      let side = Int(0.04 * scale) + 4
      var dark = 0.0
      for y in 0..<side {
        for x in 0..<side {
          dark += 255 - Double(image.pixels[(Int(from.y) + y) * image.width + Int(from.x) + x])
        }
      }
      let unit = 0.01 * scale
      let area = dark / 255 / (unit * unit)
      #expect(abs(area / (Double.pi * 4 - 2) - 1) < 0.002, "\(area)")
    }
  }
}
