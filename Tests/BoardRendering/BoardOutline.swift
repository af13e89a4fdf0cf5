import Boards
import CameraModel

/// A piece of an area's border in the image: start + t (linear + t quadratic), t from 0 to 1, pixels.
package struct BorderPiece: Sendable, Hashable {
  package var start, linear, quadratic: SIMD2<Double>

  /// A piece of border that is a parabola, or straight.
  package init(
    start: SIMD2<Double>, linear: SIMD2<Double>, quadratic: SIMD2<Double> = SIMD2(0, 0)
  ) {
    self.start = start
    self.linear = linear
    self.quadratic = quadratic
  }
}

/// Draws lines of the board into the image, through pose, bend and lens.
package struct BoardOutline {
  private let board: PrintedBoard
  private let transform: RigidTransform
  private let projection: SceneProjection
  /// 1 where the printed side faces the camera, −1 where its (see-through) back does.
  private let facing: Double
  /// The image's area and as much around it as the blur reaches, pixels.
  private let visible: (min: SIMD2<Double>, max: SIMD2<Double>)

  package init(_ scene: BoardScene) {
    board = scene.board
    transform = scene.pose.transform
    projection = SceneProjection(scene.camera)
    let normal = transform.rotation * SIMD3(0, 0, 1)
    let middle = transform(
      scene.board.surfacePoint(
        x: Double(board.geometry.columns - 1) / 2, y: Double(board.geometry.rows - 1) / 2))
    let size = scene.camera.resolution
    let reach =
      8 + 5 * scene.conditions.blurSigma
      + (scene.conditions.motion * scene.conditions.motion).sum().squareRoot()
    visible = (
      SIMD2(-reach, -reach),
      SIMD2(Double(size.width) + reach, Double(size.height) + reach)
    )
    facing = (normal * middle).sum() < 0 ? -1 : 1
  }

  /// The border of a rectangle of the board (in squares), clockwise on the screen.
  package func border(of area: PrintedBoard.Rectangle) -> [BorderPiece] {
    let corners = [
      SIMD2(area.minX, area.minY), SIMD2(area.maxX, area.minY), SIMD2(area.maxX, area.maxY),
      SIMD2(area.minX, area.maxY),
    ]
    let ordered = facing > 0 ? corners : corners.reversed()
    var pieces: [BorderPiece] = []
    for (index, corner) in ordered.enumerated() {
      let next = ordered[(index + 1) % 4]
      let middle = (corner + next) / 2
      append(
        from: corner, to: next, ends: (pixel(corner), pixel(middle), pixel(next)), depth: 0,
        to: &pieces)
    }
    return pieces
  }

  private func pixel(_ place: SIMD2<Double>) -> SIMD2<Double> {
    projection(transform(board.surfacePoint(x: place.x, y: place.y)))
  }

  /// Adds parabolas through start, middle and end of a line, halved until they meet the line's true
  /// image at the quarters to `tolerance`.
  private func append(
    from: SIMD2<Double>, to: SIMD2<Double>,
    ends: (SIMD2<Double>, SIMD2<Double>, SIMD2<Double>), depth: Int, to pieces: inout [BorderPiece]
  ) {
    let (start, middle, end) = ends
    let quadratic = 2 * (start + end - 2 * middle)
    let linear = end - start - quadratic
    let middlePlace = (from + to) / 2
    let first = pixel((from + middlePlace) / 2)
    let last = pixel((middlePlace + to) / 2)
    let firstError = start + 0.25 * (linear + 0.25 * quadratic) - first
    let lastError = start + 0.75 * (linear + 0.75 * quadratic) - last
    let error = max((firstError * firstError).sum(), (lastError * lastError).sum())
    // A miss of this many pixels halfway moves a corner by less than 1e-4 px. Depth 12 is 4096 parts.
    let tolerance = 1e-4
    if error < tolerance * tolerance || depth == 12 || isBeside([start, first, middle, last, end]) {
      pieces.append(BorderPiece(start: start, linear: linear, quadratic: quadratic))
      return
    }
    append(
      from: from, to: middlePlace, ends: (start, first, middle), depth: depth + 1, to: &pieces)
    append(
      from: middlePlace, to: to, ends: (middle, last, end), depth: depth + 1, to: &pieces)
  }

  /// Whether a line stays on one side of the image, where only its ends matter for what is seen.
  private func isBeside(_ points: [SIMD2<Double>]) -> Bool {
    points.allSatisfy { $0.x < visible.min.x } || points.allSatisfy { $0.x > visible.max.x }
      || points.allSatisfy { $0.y < visible.min.y } || points.allSatisfy { $0.y > visible.max.y }
  }
}
