/// Where a board is: the rigid motion cameraFromBoard, X_camera = R·X_board + t.
public struct Pose: Sendable, Hashable {
  /// The rotation vector: axis times angle, radians.
  public var rotation: SIMD3<Double>
  /// The board's origin in camera coordinates, in the unit of the board points.
  public var translation: SIMD3<Double>

  /// Creates a pose from a rotation vector (radians) and a translation.
  public init(rotation: SIMD3<Double>, translation: SIMD3<Double>) {
    self.rotation = rotation
    self.translation = translation
  }

  /// The point in camera coordinates.
  public func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    RotationMatrix(rotationVector: rotation) * point + translation
  }

  /// The angle between the board's normal and the optical axis, radians, 0 where the board is frontal.
  public var tilt: Double {
    RotationMatrix(rotationVector: rotation).tilt
  }
}
