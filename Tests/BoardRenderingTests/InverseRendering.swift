import BoardRendering
import Boards
import CameraModel
import Glibc

/// A second way to the same picture, for checking the first: from pixels back to the board.
///
/// The renderer goes forwards (the board's lines through the lens) and integrates along lines; this
/// goes backwards (`unproject`, then the ray's meeting with the sheet) and sums over a fine grid. They
/// share neither the projection nor the blur's tables.
struct InverseRendering {
  let scene: BoardScene
  private let boardFromCamera: BoardRotation

  init(_ scene: BoardScene) {
    self.scene = scene
    boardFromCamera = BoardRotation(rotationVector: -scene.pose.rotation)
  }

  /// Where on the board, in squares, a pixel looks; nil where it looks past the board's plane.
  func boardPlace(_ pixel: SIMD2<Double>) -> SIMD2<Double>? {
    guard let ray = scene.camera.unproject(pixel) else { return nil }
    let origin = boardFromCamera * -scene.pose.translation
    let direction = boardFromCamera * ray
    guard direction.z > 0 else { return nil }
    let size = scene.board.geometry.squareSizeMetres
    var height = 0.0
    var place = SIMD2(0.0, 0.0)
    // Meets the plane z = height, then takes the sheet's height there, until nothing changes.
    for _ in 0..<(scene.board.bend == SIMD2(0, 0) ? 1 : 30) {
      let point = origin + direction * ((height - origin.z) / direction.z)
      place = SIMD2(point.x, point.y) / size
      height = scene.board.surfacePoint(x: place.x, y: place.y).z
    }
    return place
  }

  /// A patch of pixels, white = 1, black = 0, and its change when the picture moves by one pixel.
  struct Patch {
    var firstX, firstY, side: Int
    var values, changeByX, changeByY: [Double]
  }

  /// The (2 radius + 1)² pixels around an inner corner, squares only (no rim of the sheet).
  func patch(around corner: SIMD2<Double>, radius: Int) -> Patch? {
    let sigma = scene.conditions.blurSigma
    let reach = radius + Int((4.5 * sigma + 0.5).rounded(.up)) + 1
    let (centreX, centreY) = (Int(corner.x.rounded()), Int(corner.y.rounded()))
    // Board places at the corners, edge middles and middle of each pixel-sized cell.
    let side = 4 * reach + 1
    var lattice: [SIMD2<Double>] = []
    for row in 0..<side {
      for column in 0..<side {
        let x = Double(centreX - reach) + Double(column) / 2
        let y = Double(centreY - reach) + Double(row) / 2
        guard let place = boardPlace(SIMD2(x, y)) else { return nil }
        lattice.append(place)
      }
    }
    var patch = Patch(
      firstX: centreX - radius, firstY: centreY - radius, side: 2 * radius + 1, values: [],
      changeByX: [], changeByY: [])
    patch.values = [Double](repeating: 0, count: patch.side * patch.side)
    (patch.changeByX, patch.changeByY) = (patch.values, patch.values)
    let weights = Self.weights(radius: radius, reach: reach, sigma: sigma)
    for row in 0..<(2 * reach) {
      for column in 0..<(2 * reach) {
        let cell = (0..<9).map { lattice[(2 * row + $0 / 3) * side + 2 * column + $0 % 3] }
        for sample in Self.whiteness(of: cell) where sample.white > 0 {
          weights.add(
            sample.white, row: row * Self.parts + sample.row,
            column: column * Self.parts + sample.column, to: &patch)
        }
      }
    }
    return patch
  }

  /// Samples a side of a pixel-sized cell.
  private static let parts = 8

  /// The share of white in each part of a cell, from nine board places (parabolas in between).
  ///
  /// A board line passes through a part as a ramp as wide as the part: that keeps its place exactly
  /// and blurs it by less than a hundredth of the lens.
  private static func whiteness(
    of cell: [SIMD2<Double>]
  ) -> [(row: Int, column: Int, white: Double)] {
    func sign(_ place: Double, width: Double) -> Double {
      let toLine = place - place.rounded()
      let isOdd = Int(place.rounded()) & 1 != 0
      return max(-1, min(1, 2 * toLine / width)) * (isOdd ? -1 : 1)
    }
    let across = cell[5] - cell[3]
    let down = cell[7] - cell[1]
    let widthX = (abs(across.x) + abs(down.x)) / Double(parts)
    let widthY = (abs(across.y) + abs(down.y)) / Double(parts)
    return (0..<(parts * parts)).map { index in
      let (row, column) = (index / parts, index % parts)
      let wx = parabola((Double(column) + 0.5) / Double(parts))
      let wy = parabola((Double(row) + 0.5) / Double(parts))
      var place = SIMD2(0.0, 0.0)
      for (k, known) in cell.enumerated() { place += known * (wx[k % 3] * wy[k / 3]) }
      // +1 · +1 just right of and below an even line pair is a black square.
      let product = sign(place.x, width: widthX) * sign(place.y, width: widthY)
      return (row, column, 0.5 - 0.5 * product)
    }
  }

  private static func parabola(_ t: Double) -> SIMD3<Double> {
    SIMD3((1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1))
  }

  /// The kernel's weights of all sample positions along one axis, and their derivatives.
  private struct Weights {
    var pixels: Int
    var value: [Double]
    var slope: [Double]

    func add(_ white: Double, row: Int, column: Int, to patch: inout Patch) {
      let share = white / Double(InverseRendering.parts * InverseRendering.parts)
      for y in 0..<pixels where value[row * pixels + y] != 0 {
        let (wy, sy) = (value[row * pixels + y] * share, slope[row * pixels + y] * share)
        for x in 0..<pixels {
          let (wx, sx) = (value[column * pixels + x], slope[column * pixels + x])
          guard wx != 0 else { continue }
          patch.values[y * pixels + x] += wx * wy
          patch.changeByX[y * pixels + x] -= sx * wy
          patch.changeByY[y * pixels + x] -= wx * sy
        }
      }
    }
  }

  private static func weights(radius: Int, reach: Int, sigma: Double) -> Weights {
    func density(_ z: Double) -> Double { exp(-z * z / 2) / (sigma * (2 * .pi).squareRoot()) }
    var result = Weights(pixels: 2 * radius + 1, value: [], slope: [])
    for sample in 0..<(2 * reach * parts) {
      let place = (Double(sample) + 0.5) / Double(parts) - Double(reach)
      for pixel in -radius...radius {
        let t = Double(pixel) - place
        let isFar = abs(t) > 5 * sigma + 0.5
        let (low, high) = ((t - 0.5) / sigma, (t + 0.5) / sigma)
        let root = 2.0.squareRoot()
        result.value.append(isFar ? 0 : 0.5 * (erf(high / root) - erf(low / root)))
        result.slope.append(isFar ? 0 : density(high) - density(low))
      }
    }
    return result
  }
}
