/// Where a lens puts a point, and how that place moves with the point.
@frozen
@usableFromInline
package struct LensProjection {
  /// The column in pixels, pixel-centre convention.
  @usableFromInline package var u: Double
  /// The row in pixels, pixel-centre convention.
  @usableFromInline package var v: Double
  /// ∂u/∂X, ∂u/∂Y, ∂u/∂Z: pixels per unit of length of the point.
  @usableFromInline package var uByPoint: (Double, Double, Double)
  /// ∂v/∂X, ∂v/∂Y, ∂v/∂Z.
  @usableFromInline package var vByPoint: (Double, Double, Double)

  @inlinable
  package init(
    u: Double, v: Double, uByPoint: (Double, Double, Double), vByPoint: (Double, Double, Double)
  ) {
    self.u = u
    self.v = v
    self.uByPoint = uByPoint
    self.vByPoint = vByPoint
  }
}

/// Writes the columns of fx, fy, cx and cy, which every lens model begins with: a pixel is f·(x, y) + c.
@inlinable
@inline(__always)
package func fillIntrinsics(
  _ u: UnsafeMutablePointer<Double>, _ v: UnsafeMutablePointer<Double>, x: Double, y: Double
) {
  u[0] = x
  u[1] = 0
  u[2] = 1
  u[3] = 0
  v[0] = 0
  v[1] = y
  v[2] = 0
  v[3] = 1
}

/// The formulas of one lens model: value and derivatives from one place.
///
/// Works on plain pointers, so that a solver's inner loop touches no array; what a caller does not
/// use of the result is removed by the optimiser.
package protocol LensKernel: Sendable {
  /// The number of parameters: fx, fy, cx, cy and the coefficients, as `LensModel.parameterNames`.
  static var parameterCount: Int { get }

  /// The image of a point in camera coordinates; nil where the model has no answer.
  ///
  /// - Parameters:
  ///   - parameters: `parameterCount` numbers in the order of `LensModel.parameterNames`.
  ///   - jacobian: nil, or room for 2·`parameterCount` numbers, which become ∂u/∂parameters and then
  ///     ∂v/∂parameters.
  static func project(
    x: Double, y: Double, z: Double, parameters: UnsafePointer<Double>,
    jacobian: UnsafeMutablePointer<Double>?
  ) -> LensProjection?
}

/// Where a fixed lens model becomes the type that carries its formulas.
package protocol LensKernelVisitor {
  associatedtype Result
  /// Called once with the kernel of the lens model.
  mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> Result
}

extension LensModel {
  /// Calls `visitor` with the type that holds this model's formulas.
  package func withKernel<Visitor: LensKernelVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
    switch self {
    case .pinhole: visitor.visit(PinholeKernel.self)
    case .rational: visitor.visit(RationalKernel.self)
    case .fisheye: visitor.visit(KannalaBrandtKernel.self)
    case .spline: visitor.visit(SplineKernel.self)
    }
  }
}
