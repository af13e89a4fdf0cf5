/// A command as its user sees it: the one table behind parsing, help, manual page and completions.
package struct CommandDescription: Sendable {
  /// The name it is called by.
  package var name: String
  /// One sentence without a full stop, lower case, as in a manual page's NAME section.
  package var summary: String
  /// What it does, a paragraph each.
  package var details: [String]
  /// What stands on the command line besides options.
  package var operands: Operands?
  /// The options; `--help` and `--version` are added to them.
  package var groups: [OptionGroup]
  /// Sets of options (long names) of which only one may be given.
  package var exclusive: [[String]]
  /// Calls that are worth copying.
  package var examples: [Example]
  /// The statuses it ends with, without those of every command; `meaning` may be replaced.
  package var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The environment variables it reads.
  package var environment: [Entry]
  /// The files it reads and writes.
  package var files: [Entry]
  /// Related manual pages, for example `show-intrinsics(1)`.
  package var seeAlso: [String]

  /// Creates a description.
  package init(
    name: String, summary: String, details: [String] = [], operands: Operands? = nil,
    groups: [OptionGroup], exclusive: [[String]] = [], examples: [Example] = [],
    exitStatuses: [ExitStatus] = [.success], environment: [Entry] = [],
    files: [Entry] = [], seeAlso: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.operands = operands
    self.groups = groups
    self.exclusive = exclusive
    self.examples = examples
    self.exitStatuses = exitStatuses.map { ($0, $0.meaning) }
    self.environment = environment
    self.files = files
    self.seeAlso = seeAlso
  }

  /// What stands on the command line besides options.
  package struct Operands: Sendable {
    /// The word for one of them, for example `SOURCE`.
    package var metavariable: String
    /// What they are.
    package var help: String
    /// How many there may be.
    package var count: ClosedRange<Int>
    /// What a shell offers for them.
    package var completion: ValueCompletion

    /// Creates a description of operands.
    package init(
      _ metavariable: String, count: ClosedRange<Int>, completion: ValueCompletion = .none,
      help: String
    ) {
      self.metavariable = metavariable
      self.help = help
      self.count = count
      self.completion = completion
    }
  }

  /// A call that is worth copying.
  package struct Example: Sendable {
    /// What it does, a sentence.
    package var purpose: String
    /// The command line.
    package var command: String

    /// Creates an example.
    package init(_ purpose: String, command: String) {
      self.purpose = purpose
      self.command = command
    }
  }

  /// A name with an explanation.
  package struct Entry: Sendable {
    /// The environment variable or path.
    package var name: String
    /// What it is for.
    package var help: String

    /// Creates an entry.
    package init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }
}

extension CommandDescription {
  /// The statuses that every command may end with, whatever it does.
  private static let commonExitStatuses: [ExitStatus] = [
    .usage, .outputFailed, .hungUp, .interrupted, .brokenPipe, .terminated,
  ]

  /// The statuses of the table and those of every command, in the order of their numbers.
  var allExitStatuses: [(status: ExitStatus, meaning: String)] {
    let common = Self.commonExitStatuses.filter { status in
      !exitStatuses.contains { $0.status == status }
    }
    return (exitStatuses + common.map { ($0, $0.meaning) })
      .sorted { $0.status.rawValue < $1.status.rawValue }
  }

  /// `--help`.
  static let help = Option.flag("help", short: "h", help: "Show this help and exit.")
  /// `--version`.
  static let version = Option.flag("version", help: "Show the version and exit.")
  /// `--generate-man`, for `make install`.
  static let generateManPage = hidden(
    Option.flag("generate-man", help: "Print the manual page in roff and exit."))
  /// `--generate-completion SHELL`, for `make install`.
  static let generateCompletion = hidden(
    Option.optional(
      "generate-completion", .choice("SHELL") as ValueKind<Shell>,
      help: "Print the completions for a shell and exit."))

  /// The groups with the options that every command has.
  var allGroups: [OptionGroup] {
    groups + [OptionGroup("Information", [Self.help, Self.version])]
  }

  /// Every option, hidden ones last.
  var allOptions: [OptionDefinition] {
    allGroups.flatMap(\.options)
      + [Self.generateManPage.definition, Self.generateCompletion.definition]
  }

  /// The options that help, manual and completions show.
  var visibleOptions: [OptionDefinition] { allOptions.filter { !$0.isHidden } }

  private static func hidden<Value>(_ option: Option<Value>) -> Option<Value> {
    var definition = option.definition
    definition.isHidden = true
    return Option(definition: definition, resolve: option.resolve)
  }
}

/// A shell that completions can be made for.
package enum Shell: String, Sendable, Hashable, CaseIterable {
  /// GNU Bash.
  case bash
  /// Z shell.
  case zsh
  /// fish.
  case fish
}
