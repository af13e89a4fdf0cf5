import CameraModel

/// A lens model's formulas inside the solver's loops.
///
/// The same as `LensKernel`, whose conformances are in another module: through those the optimiser
/// would call the formulas for each point instead of setting them into the loop.
protocol InnerKernel {
  static var parameterCount: Int { get }
  /// As `LensKernel.project`.
  static func project(
    _ x: Double, _ y: Double, _ z: Double, _ parameters: UnsafePointer<Double>,
    _ jacobian: UnsafeMutablePointer<Double>
  ) -> LensProjection?
}

/// `PinholeKernel`.
enum PinholeLoop: InnerKernel {
  static var parameterCount: Int { 9 }

  @inline(__always)
  static func project(
    _ x: Double, _ y: Double, _ z: Double, _ parameters: UnsafePointer<Double>,
    _ jacobian: UnsafeMutablePointer<Double>
  ) -> LensProjection? {
    PinholeKernel.project(x: x, y: y, z: z, parameters: parameters, jacobian: jacobian)
  }
}

/// `RationalKernel`.
enum RationalLoop: InnerKernel {
  static var parameterCount: Int { 12 }

  @inline(__always)
  static func project(
    _ x: Double, _ y: Double, _ z: Double, _ parameters: UnsafePointer<Double>,
    _ jacobian: UnsafeMutablePointer<Double>
  ) -> LensProjection? {
    RationalKernel.project(x: x, y: y, z: z, parameters: parameters, jacobian: jacobian)
  }
}

/// `SplineKernel`, without its limit.
enum SplineLoop: InnerKernel {
  static var parameterCount: Int { 14 }

  @inline(__always)
  static func project(
    _ x: Double, _ y: Double, _ z: Double, _ parameters: UnsafePointer<Double>,
    _ jacobian: UnsafeMutablePointer<Double>
  ) -> LensProjection? {
    SplineKernel.project(
      x: x, y: y, z: z, parameters: parameters, jacobian: jacobian, stopsAtLimit: false)
  }
}

/// `KannalaBrandtKernel`.
enum KannalaBrandtLoop: InnerKernel {
  static var parameterCount: Int { 8 }

  @inline(__always)
  static func project(
    _ x: Double, _ y: Double, _ z: Double, _ parameters: UnsafePointer<Double>,
    _ jacobian: UnsafeMutablePointer<Double>
  ) -> LensProjection? {
    KannalaBrandtKernel.project(x: x, y: y, z: z, parameters: parameters, jacobian: jacobian)
  }
}
