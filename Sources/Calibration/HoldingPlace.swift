import Boards
import CameraModel
import Glibc

/// A way to hold the board, in words and as a pose.
struct HoldingPlace: Sendable, Hashable {
  /// Columns of places, from left to right, as shares of the image's width.
  static let columns: [(share: Double, name: String)] = [
    (0.15, "left"), (0.5, ""), (0.85, "right"),
  ]
  /// Rows of places, from top to bottom, as shares of the image's height.
  static let rows: [(share: Double, name: String)] = [
    (0.15, "upper"), (0.5, ""), (0.85, "lower"),
  ]
  /// How much of the image's width the board fills, face on.
  static let sizes: [(share: Double, name: String)] = [
    (0.3, "filling a third of the width"), (0.45, "filling almost half the width"),
    (0.65, "near, filling two thirds of the width"),
  ]
  /// How the board is tilted: 35° about an axis in the image, given as rotation vector.
  ///
  /// A rotation about x moves the lower edge away, one about y the left edge: conventions.md, "Frames
  /// and poses".
  static let tilts: [(rotation: SIMD3<Double>, name: String)] = {
    let angle = 35 * Double.pi / 180
    return [
      (SIMD3(0, 0, 0), "facing the camera"),
      (SIMD3(-angle, 0, 0), "its upper edge tilted away"),
      (SIMD3(angle, 0, 0), "its lower edge tilted away"),
      (SIMD3(0, angle, 0), "its left edge tilted away"),
      (SIMD3(0, -angle, 0), "its right edge tilted away"),
    ]
  }()

  /// Indices into the lists above.
  var column, row, size, tilt: Int

  /// All ways.
  static let all: [HoldingPlace] = rows.indices.flatMap { row in
    columns.indices.flatMap { column in
      sizes.indices.flatMap { size in
        tilts.indices.map { HoldingPlace(column: column, row: row, size: size, tilt: $0) }
      }
    }
  }

  /// What to do, as a sentence.
  ///
  /// Left and right are the image's.
  var sentence: String {
    "Hold the board \(place), \(Self.sizes[size].name), \(Self.tilts[tilt].name)."
  }

  private var place: String {
    switch (Self.rows[row].name, Self.columns[column].name) {
    case ("", ""): "in the middle of the image"
    case ("", let side): "at the \(side) of the image"
    case ("upper", ""): "at the top of the image"
    case ("lower", ""): "at the bottom of the image"
    case (let height, let side): "at the \(height) \(side) of the image"
    }
  }

  /// The pose of the board held this way, as far out as all of its corners stay in the image; nil where
  /// that is no longer near the place.
  func pose(of board: ChessboardGeometry, before camera: CameraParameters) -> Pose? {
    let points = board.cornerPoints
    guard let last = points.last else { return nil }
    let rotation = Self.tilts[tilt].rotation
    let middle = RotationMatrix(rotationVector: rotation) * (last / 2)
    let width = Double(board.columns + 1) * board.squareSizeMetres
    let size = SIMD2(Double(camera.resolution.width), Double(camera.resolution.height))
    let depth = camera.intrinsics.fx * width / (Self.sizes[self.size].share * size.x)
    let wanted = SIMD2(Self.columns[column].share, Self.rows[row].share)
    // A step towards the image's middle until the board fits.
    for step in 0...5 {
      let share = SIMD2(0.5, 0.5) + (wanted - 0.5) * (1 - 0.1 * Double(step))
      guard let ray = camera.unproject(share * size - 0.5), ray.z > 0.05 else { continue }
      let distance = camera.lensModel.isAngular ? depth / length(ray) : depth / ray.z
      let pose = Pose(rotation: rotation, translation: ray * distance - middle)
      if isInside(points, at: pose, camera) { return pose }
      if column == 1, row == 1 { return nil }
    }
    return nil
  }

  private func isInside(
    _ points: [SIMD3<Double>], at pose: Pose, _ camera: CameraParameters
  ) -> Bool {
    let rotation = RotationMatrix(rotationVector: pose.rotation)
    return points.allSatisfy { point in
      let place = rotation * point + pose.translation
      guard place.z > 0, let pixel = camera.project(place) else { return false }
      return pixel.x > 2 && pixel.y > 2 && pixel.x < Double(camera.resolution.width) - 3
        && pixel.y < Double(camera.resolution.height) - 3
    }
  }

  private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}
