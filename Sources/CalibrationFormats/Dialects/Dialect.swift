/// One camera of a file: how the file calls it, and what came of reading it.
///
/// A file with several cameras may hold one that can't be represented beside one that can.
struct Candidate: Sendable {
  var id: String
  var draft: Result<CameraDraft, FormatError>

  init(_ id: String, _ read: () throws(FormatError) -> CameraDraft) {
    self.id = id
    do throws(FormatError) {
      draft = .success(try read())
    } catch {
      draft = .failure(error)
    }
  }
}

/// A dialect whose files are trees of keys and values.
protocol TreeDialect: SendableMetatype {
  /// What people call it.
  static var name: String { get }
  /// Whether a document is of this dialect; cheap, and never an error.
  static func matches(_ root: Node) -> Bool
  /// Its cameras, at least one.
  static func candidates(_ root: Node, options: ImportOptions) throws(FormatError) -> [Candidate]
}

/// A dialect that is a plain text of its own.
protocol TextDialect: SendableMetatype {
  /// What people call it.
  static var name: String { get }
  /// Whether a text is of this dialect; cheap, and never an error.
  static func matches(_ source: SourceText) -> Bool
  /// Its cameras, at least one.
  static func candidates(_ source: SourceText, options: ImportOptions) throws(FormatError)
    -> [Candidate]
}
