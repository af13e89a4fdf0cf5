/// A board that can't be used as a calibration target.
public struct BoardError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with a board; more may be added.
  public struct Code: Sendable, Hashable {
    private let name: String

    /// Fewer or more inner corners than a board can have.
    public static let cornerCount = Code(name: "cornerCount")
    /// The side of a square is not a positive length.
    public static let squareSize = Code(name: "squareSize")
  }

  /// What is wrong.
  public var code: Code
  /// What was found, what was expected and what to do.
  public var message: String

  /// Creates an error.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// What was found, what was expected and what to do.
  public var description: String { message }
}
