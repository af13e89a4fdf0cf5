// Apple's name for the type, kept so that code written for iOS reads the same.
// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
/// A 3x3 matrix of floats in column-major order, laid out as Apple's type of the same name.
///
/// Three `SIMD3<Float>` columns of 16 bytes each: 48 bytes in all. The element in row r and column c
/// is the float at index 4c + r; the floats at 3, 7 and 11 are padding. An intrinsic matrix holds
/// fx, fy, cx, cy and 1 at the indices 0, 5, 8, 9 and 10.
public struct matrix_float3x3: Sendable {
  /// The three columns, left to right.
  public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

  /// Creates a matrix of zeros.
  public init() {
    columns = (SIMD3(), SIMD3(), SIMD3())
  }

  /// Creates a matrix from its columns, left to right.
  public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) {
    self.columns = columns
  }

  /// Creates a matrix from its columns, left to right.
  public init(_ c0: SIMD3<Float>, _ c1: SIMD3<Float>, _ c2: SIMD3<Float>) {
    columns = (c0, c1, c2)
  }

  /// The column with the index 0, 1 or 2.
  public subscript(column: Int) -> SIMD3<Float> {
    get {
      switch column {
      case 0: columns.0
      case 1: columns.1
      case 2: columns.2
      default: preconditionFailure("a 3x3 matrix has the columns 0, 1 and 2")
      }
    }
    set {
      switch column {
      case 0: columns.0 = newValue
      case 1: columns.1 = newValue
      case 2: columns.2 = newValue
      default: preconditionFailure("a 3x3 matrix has the columns 0, 1 and 2")
      }
    }
  }

  /// The element in a column and a row, in this order, as in Apple's type.
  public subscript(column: Int, row: Int) -> Float {
    get { self[column][row] }
    set { self[column][row] = newValue }
  }

  /// The product of a matrix and a column vector.
  public static func * (matrix: matrix_float3x3, vector: SIMD3<Float>) -> SIMD3<Float> {
    matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
  }
}

extension matrix_float3x3: Hashable {
  /// Whether all nine elements are equal.
  public static func == (a: matrix_float3x3, b: matrix_float3x3) -> Bool {
    a.columns == b.columns
  }

  /// Feeds the nine elements into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns.0)
    hasher.combine(columns.1)
    hasher.combine(columns.2)
  }
}

extension matrix_float3x3: CustomStringConvertible {
  /// The columns in order, each in brackets, as Apple's type prints itself.
  public var description: String {
    func text(_ column: SIMD3<Float>) -> String { "[\(column.x), \(column.y), \(column.z)]" }
    return "matrix_float3x3([\(text(columns.0)), \(text(columns.1)), \(text(columns.2))])"
  }
}
