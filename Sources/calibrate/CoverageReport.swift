import CalibrationStore

/// What a calibration looked at: views that were left out, and where the board was seen.
struct CoverageReport {
  let record: IntrinsicsRecord

  var text: String {
    var lines: [String] = []
    let unused = record.views.filter { !$0.used }
    if !unused.isEmpty {
      lines.append("  views not used")
      lines += unused.map { "    \($0.source): \($0.reason ?? "unknown")" }
    }
    if let coverage = record.coverage {
      lines.append("  corners seen, by place in the image (. where none was)")
      lines += cells(coverage)
      lines.append("  views, by tilt of the board")
      lines += tilts(coverage)
    }
    return lines.joined(separator: "\n")
  }

  /// One line a row of cells, the counts right-aligned; a dot where no corner was seen.
  private func cells(_ coverage: IntrinsicsRecord.Coverage) -> [String] {
    let width = 1 + (coverage.cornerCounts.map { String($0).count }.max() ?? 1)
    return (0..<coverage.rows).map { row in
      let counts = coverage.cornerCounts[row * coverage.columns..<(row + 1) * coverage.columns]
      return "    "
        + counts.map { count in
          let text = count == 0 ? "." : String(count)
          return String(repeating: " ", count: max(1, width - text.count)) + text
        }.joined()
    }
  }

  /// One bar for each 10°, up to the last that has views.
  private func tilts(_ coverage: IntrinsicsRecord.Coverage) -> [String] {
    let last = coverage.tiltHistogram.lastIndex { $0 > 0 } ?? 0
    let largest = max(1, coverage.tiltHistogram.max() ?? 1)
    return coverage.tiltHistogram.prefix(last + 1).enumerated().map { index, count in
      let range = "\(10 * index)-\(10 * index + 10)°"
      let bar = String(repeating: "#", count: (count * 30 + largest - 1) / largest)
      return "    " + String(repeating: " ", count: max(0, 6 - range.count)) + range
        + " \(bar)\(bar.isEmpty ? "" : " ")\(count)"
    }
  }
}
