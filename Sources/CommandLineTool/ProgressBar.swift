/// How far a piece of work has come, as a line of text.
struct ProgressBar: Sendable, Hashable {
  let label: String
  let total: Int?
  var done = 0
  var item = ""
  var isDrawn = false
  /// When it was last drawn, nanoseconds.
  var lastDrawn: UInt64

  init(label: String, total: Int?, started: UInt64) {
    self.label = label
    self.total = total
    lastDrawn = started
  }

  var isComplete: Bool { total.map { done >= $0 } ?? false }

  /// `Searching [#####.....] 27/54 left07.jpg`, one column short of the terminal's width: a
  /// character in the last column would make some terminals scroll.
  func line(columns: Int) -> String {
    let room = max(columns - 1, 0)
    let count = total.map { "\(done)/\($0)" } ?? "\(done)"
    var parts = [label]
    if let total, total > 0 {
      let cells = min(30, max(0, room - label.count - count.count - 4) / 2)  // half for the item
      if cells >= 5 {
        let filled = min(cells, cells * min(done, total) / total)
        parts.append(
          "[" + String(repeating: "#", count: filled)
            + String(repeating: ".", count: cells - filled) + "]")
      }
    }
    parts.append(count)
    if !item.isEmpty { parts.append(printable(item)) }
    return String(parts.joined(separator: " ").prefix(room))
  }

  /// `Searching: 27 of 54`.
  var plainLine: String {
    "\(label): \(done)" + (total.map { " of \($0)" } ?? "")
  }
}
