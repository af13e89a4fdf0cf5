import Boards
package import CameraModel
import Glibc

/// From which poses random ones are drawn.
package struct PoseRanges: Sendable, Hashable {
  /// The pattern's width, face on, as a share of the image's width.
  package var cover: ClosedRange<Double> = 0.3...0.75
  /// The angle between the board's normal and the optical axis, degrees; its direction is random.
  package var tiltDegrees: ClosedRange<Double> = 0...45
  /// The turn about the board's normal, degrees.
  package var rollDegrees: ClosedRange<Double> = -25...25
  /// The share of the inner corners inside the image; nil asks for the whole pattern of squares.
  package var visibleShare: ClosedRange<Double>?
  /// How far the pattern stays from the image's border, pixels; not with `visibleShare`.
  package var margin = 6.0

  /// Creates the default ranges: what a careful user does.
  package init(
    cover: ClosedRange<Double> = 0.3...0.75, tiltDegrees: ClosedRange<Double> = 0...45,
    rollDegrees: ClosedRange<Double> = -25...25, visibleShare: ClosedRange<Double>? = nil,
    margin: Double = 6
  ) {
    self.cover = cover
    self.tiltDegrees = tiltDegrees
    self.rollDegrees = rollDegrees
    self.visibleShare = visibleShare
    self.margin = margin
  }
}

/// Too few poses in the given ranges show the board as asked.
package struct NoSuchPose: Error, Sendable, Hashable, CustomStringConvertible {
  package var found: Int
  package var wanted: Int

  package var description: String {
    "only \(found) of \(wanted) random poses show the board as asked; widen cover, tilt or margin"
  }
}

extension BoardPose {
  /// Random poses in which the board faces the camera and is in view; the same for the same seed.
  ///
  /// - Throws: `NoSuchPose` when the ranges leave (almost) no such pose.
  package static func random(
    _ count: Int, camera: CameraParameters, board: PrintedBoard, ranges: PoseRanges = PoseRanges(),
    seed: UInt64
  ) throws(NoSuchPose) -> [BoardPose] {
    var random = SeededGenerator(seed: seed, stream: 0x905E)
    let projection = SceneProjection(camera)
    var poses: [BoardPose] = []
    for _ in 0..<(2000 * count) where poses.count < count {
      if let pose = candidate(camera: camera, board: board, ranges: ranges, random: &random),
        pose.shows(board, by: projection, ranges: ranges)
      {
        poses.append(pose)
      }
    }
    guard poses.count == count else { throw NoSuchPose(found: poses.count, wanted: count) }
    return poses
  }

  private static func candidate(
    camera: CameraParameters, board: PrintedBoard, ranges: PoseRanges,
    random: inout SeededGenerator
  ) -> BoardPose? {
    let share = random.uniform(ranges.cover)
    let tilt = random.uniform(ranges.tiltDegrees)
    let direction = random.uniform(-180...180)
    let roll = random.uniform(ranges.rollDegrees)
    let pixel = SIMD2(
      random.unit() * Double(camera.resolution.width) - 0.5,
      random.unit() * Double(camera.resolution.height) - 0.5)
    return aimed(
      at: pixel, cover: share, tiltDegrees: tilt, towardsDegrees: direction, rollDegrees: roll,
      camera: camera, board: board)
  }

  /// The pose in which the middle of the pattern appears at `pixel`; nil where the camera sees
  /// nothing there.
  ///
  /// - Parameters:
  ///   - cover: The pattern's width, face on, as a share of the image's width.
  ///   - tiltDegrees: The angle between the board's normal and the optical axis.
  ///   - towardsDegrees: The axis in the image about which the board is tilted; 0 is the image's x.
  ///   - rollDegrees: The turn about the board's normal.
  package static func aimed(
    at pixel: SIMD2<Double>, cover: Double, tiltDegrees: Double, towardsDegrees: Double,
    rollDegrees: Double, camera: CameraParameters, board: PrintedBoard
  ) -> BoardPose? {
    guard let ray = camera.unproject(pixel), ray.z > 0.05 else { return nil }
    let pattern = board.pattern(grownBy: 0)
    let width = (pattern.maxX - pattern.minX) * board.geometry.squareSizeMetres
    let depth = camera.intrinsics.fx * width / (cover * Double(camera.resolution.width))
    let (tilt, direction) = (tiltDegrees * .pi / 180, towardsDegrees * .pi / 180)
    let rotation =
      BoardRotation(rotationVector: SIMD3(tilt * cos(direction), tilt * sin(direction), 0))
      * BoardRotation(rotationVector: SIMD3(0, 0, rollDegrees * .pi / 180))
    let middle = board.surfacePoint(
      x: (pattern.minX + pattern.maxX) / 2, y: (pattern.minY + pattern.maxY) / 2)
    // Wide lenses keep the distance rather than the depth, so that the board stays as large.
    let centre = camera.lensModel.isAngular ? ray * depth : ray * (depth / ray.z)
    return BoardPose(
      rotation: rotation.rotationVector, translation: centre - rotation * middle)
  }

  /// Whether the board's printed side is in view as the ranges ask.
  package func shows(
    _ board: PrintedBoard, by projection: SceneProjection, ranges: PoseRanges
  ) -> Bool {
    let transform = self.transform
    let pattern = board.pattern(grownBy: 0)
    let normal = transform.rotation * SIMD3(0, 0, 1)
    var places: [(x: Double, y: Double)] = []
    for step in 0...8 {
      let s = Double(step) / 8
      let x = pattern.minX + s * (pattern.maxX - pattern.minX)
      let y = pattern.minY + s * (pattern.maxY - pattern.minY)
      places += [(x, pattern.minY), (x, pattern.maxY), (pattern.minX, y), (pattern.maxX, y)]
    }
    let camera = projection.camera
    for place in places {
      let point = transform(board.surfacePoint(x: place.x, y: place.y))
      let distance = (point * point).sum().squareRoot()
      guard (normal * point).sum() > 0.1 * distance else { return false }
      guard ranges.visibleShare == nil else { continue }
      guard projection.isFaithful(at: point), let pixel = camera.project(point),
        camera.resolution.contains(pixel, margin: ranges.margin)
      else { return false }
    }
    guard let wanted = ranges.visibleShare else { return true }
    let visible = board.cornerPoints.count { corner in
      let point = transform(corner)
      guard projection.isFaithful(at: point), let pixel = camera.project(point) else {
        return false
      }
      return camera.resolution.contains(pixel)
    }
    return wanted.contains(Double(visible) / Double(board.geometry.cornerCount))
  }
}
