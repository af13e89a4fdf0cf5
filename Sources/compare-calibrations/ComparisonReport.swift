import CalibrationComparison
import CalibrationStore
import CameraModel
import CommandLineTool

/// The comparison for people.
struct ComparisonReport {
  let a: IntrinsicsRecord
  let b: IntrinsicsRecord
  let names: [String]
  let comparison: Comparison

  init(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord, names: [String], _ comparison: Comparison) {
    self.a = a
    self.b = b
    self.names = names
    self.comparison = comparison
  }

  var text: String {
    var lines = [
      "A  " + headline(a, names[0]), "B  " + headline(b, names[1]), "",
      "  turn taken out      \(fixed(length(comparison.turn) * 180 / .pi, 3))°",
      "  difference          \(figures(comparison.field.lengths))\(place)",
    ]
    if !comparison.predicted.isEmpty {
      lines.append("  expected (1σ)       \(figures(comparison.predicted))")
    }
    if let ratio = comparison.ratio, let probability = comparison.probability {
      lines.append(
        "  difference/expected \(fixed(ratio, 2)) (root mean square); by chance so large "
          + Self.words(probability))
    }
    let unknown = DifferenceField.count - comparison.field.knownCount
    if unknown > 0 {
      lines.append("  no data             in \(unknown) of \(DifferenceField.count) cells")
    }
    lines += ["", picture, ""]
    for notice in comparison.notices { lines.append("  \(notice)") }
    lines += wrapped(conclusion, width: 100)
    return lines.joined(separator: "\n")
  }

  /// What can be said, and where that is little, what would help.
  private var conclusion: String {
    let difference = "\(fixed(comparison.field.p90, 2)) px (p90)"
    switch comparison.outcome {
    case .differ:
      return comparison.predicted.isEmpty
        ? "differ: by \(difference)" : "differ: by more than their uncertainties explain"
    case .doubtful:
      return "doubtful: A and B differ by \(difference); by chance they would so "
        + "\(Self.words(comparison.probability ?? 1)). More views of both would tell."
    case .notToldApart:
      let expected = fixed(DifferenceField.level(0.9, of: comparison.predicted), 2)
      return "not told apart: A and B differ by \(difference), but are too poorly known to say "
        + "whether they differ: \(expected) px (1σ) are expected of one and the same camera."
    case .noDifference:
      return "no difference seen: A and B agree within what is known of them, \(difference)"
    }
  }

  private func headline(_ record: IntrinsicsRecord, _ name: String) -> String {
    let k = record.camera.intrinsics
    let views = record.views.count { $0.used }
    return "\(name): \(record.camera.resolution) \(record.camera.lensModel.rawValue), "
      + "fx \(fixed(k.fx, 2)) fy \(fixed(k.fy, 2)) cx \(fixed(k.cx, 2)) cy \(fixed(k.cy, 2)), "
      + (views > 0 ? "\(views) views, " : "") + record.created.printable
  }

  private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

  private func figures(_ values: [Double?]) -> String {
    let levels = [("median", 0.5), ("p90", 0.9), ("worst", 1)].map { name, share in
      "\(name) \(fixed(DifferenceField.level(share, of: values), 3)) px"
    }
    return levels.joined(separator: ", ")
  }

  private var place: String {
    guard let worst = comparison.field.worst else { return "" }
    return " at \(fixed(worst.at.x, 0)), \(fixed(worst.at.y, 0))"
  }

  private static func words(_ probability: Double) -> String {
    probability < 1e-6
      ? "less than once in a million times"
      : probability < 0.01
        ? "once in \(fixed(1 / probability, 0)) times"
        : "\(fixed(100 * probability, 0)) % of the time"
  }

  /// Both pictures side by side: 16x9 cells, each the largest of four, so that the worst is among them.
  private var picture: String {
    let lengths = coarse(comparison.field.lengths)
    let worst = lengths.compactMap(\.self).max() ?? 0
    let unit = Self.unit(worst / 9)
    let ratios = comparison.predicted.isEmpty ? nil : coarse(ratioField)
    let title = "  largest difference, in \(Self.short(unit)) px"
    let width = 2 * Self.columns + 2
    var lines = [
      title + String(repeating: " ", count: max(2, width + 4 - title.count))
        + (ratios == nil ? "" : "difference/expected: . < 1, : < 2, + < 3, # beyond")
    ]
    for row in 0..<Self.rows {
      let cells = row * Self.columns..<(row + 1) * Self.columns
      var line = "  |" + lengths[cells].map { " " + digit($0, unit) }.joined() + " |"
      if let ratios { line += "  |" + ratios[cells].map { " " + mark($0) }.joined() + " |" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private static let columns = DifferenceField.columns / 2
  private static let rows = DifferenceField.rows / 2

  private var ratioField: [Double?] {
    zip(comparison.field.lengths, comparison.predicted).map { length, sigma in
      guard let length, let sigma else { return nil }
      return length / max(sigma, 1e-6)
    }
  }

  private func coarse(_ values: [Double?]) -> [Double?] {
    (0..<Self.columns * Self.rows).map { cell in
      let (column, row) = (2 * (cell % Self.columns), 2 * (cell / Self.columns))
      let four = [(0, 0), (1, 0), (0, 1), (1, 1)].compactMap {
        values[(row + $0.1) * DifferenceField.columns + column + $0.0]
      }
      return four.max()
    }
  }

  private func digit(_ value: Double?, _ unit: Double) -> String {
    guard let value else { return "-" }
    return "\(Int(min(9, (value / unit).rounded())))"
  }

  private func mark(_ ratio: Double?) -> String {
    guard let ratio else { return "-" }
    return ratio < 1 ? "." : ratio < 2 ? ":" : ratio < 3 ? "+" : "#"
  }

  /// The smallest of 1, 2, 5, 10 … thousandths of a pixel that is not below `value`.
  private static func unit(_ value: Double) -> Double {
    var scale = 0.001
    while scale < 1e9 {
      for step in [1.0, 2, 5] where scale * step >= value { return scale * step }
      scale *= 10
    }
    return scale
  }

  private static func short(_ unit: Double) -> String {
    fixed(unit, unit < 0.01 ? 3 : unit < 0.1 ? 2 : unit < 1 ? 1 : 0)
  }
}
