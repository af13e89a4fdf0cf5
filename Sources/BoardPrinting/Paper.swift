/// A size of paper, upright, in metres.
package struct Paper: Sendable, Hashable, CustomStringConvertible {
  /// What it is called: `A4`, `Letter`, `300 x 400 mm`.
  package var name: String
  /// The width in metres.
  package var width: Double
  /// The height in metres.
  package var height: Double

  /// Creates a size of paper from millimetres or any other fraction of a metre.
  package init(name: String, width: Double, height: Double) {
    self.name = name
    self.width = width
    self.height = height
  }

  /// Paper of a size that has no name.
  package init(width: Double, height: Double) {
    self.init(
      name: "\(LengthText.millimetres(width)) x \(LengthText.millimetres(height)) mm",
      width: width, height: height)
  }

  /// What it is called.
  package var description: String { name }

  /// The sizes that have a name, by the word for them on a command line (ISO 216, ANSI/ASME Y14.1).
  package static let named: [(word: String, paper: Paper)] = [
    ("a0", Paper(name: "A0", width: 0.841, height: 1.189)),
    ("a1", Paper(name: "A1", width: 0.594, height: 0.841)),
    ("a2", Paper(name: "A2", width: 0.420, height: 0.594)),
    ("a3", Paper(name: "A3", width: 0.297, height: 0.420)),
    ("a4", Paper(name: "A4", width: 0.210, height: 0.297)),
    ("a5", Paper(name: "A5", width: 0.148, height: 0.210)),
    ("a6", Paper(name: "A6", width: 0.105, height: 0.148)),
    ("letter", Paper(name: "Letter", width: 0.2159, height: 0.2794)),
    ("legal", Paper(name: "Legal", width: 0.2159, height: 0.3556)),
    ("tabloid", Paper(name: "Tabloid", width: 0.2794, height: 0.4318)),
  ]

  /// The sizes that are tried where none is asked for, the smallest first.
  package static let usual: [Paper] = ["a4", "a3", "a2", "a1", "a0"].compactMap { word in
    named.first { $0.word == word }?.paper
  }
}
