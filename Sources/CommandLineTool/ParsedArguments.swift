/// A command line that has been read: the options' values and the operands.
package struct ParsedArguments: Sendable {
  /// The operands in their order.
  package var operands: [String] = []
  /// The values of each option by its long name, in their order.
  var values: [String: [any Sendable]] = [:]
  /// The texts of those values.
  var texts: [String: [String]] = [:]

  /// The value of an option of the command that was parsed.
  ///
  /// A required option that stands in the command's table has a value, or parsing has failed; asking
  /// for one that doesn't stand there is a mistake in the program and stops it.
  package subscript<Value>(option: Option<Value>) -> Value {
    guard let value = option.resolve(values[option.definition.name] ?? []) else {
      preconditionFailure("--\(option.definition.name) is not in the command's option table")
    }
    return value
  }

  /// Whether the option stood on the command line.
  package func isGiven(_ option: any DeclaredOption) -> Bool {
    values[option.definition.name] != nil
  }
}
