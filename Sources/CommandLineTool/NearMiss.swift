/// The candidate that `text` was probably meant to be; nil when none is near.
///
/// Near means: one begins with the other (three letters at least), or at most a third of the letters
/// (but always one) differ by the optimal string alignment distance, which counts a swap of two
/// neighbours as one slip. `text` is cut at 64 characters, so the cost is bounded.
package func nearMiss(to text: String, among candidates: [String]) -> String? {
  let typed = Array(text.prefix(64))
  guard !typed.isEmpty else { return nil }
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(typed, Array(candidate))
    if distance <= max(1, typed.count / 3), distance < best?.distance ?? Int.max {
      best = (candidate, distance)
    }
  }
  if let best { return best.candidate }
  guard typed.count >= 3 else { return nil }
  return candidates.first { $0.hasPrefix(text) || ($0.count >= 3 && text.hasPrefix($0)) }
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of
/// neighbours (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var current = [i + 1]
    for j in 0..<b.count {
      let substitution = last[j] + (a[i] == b[j] ? 0 : 1)
      var cost = min(substitution, last[j + 1] + 1, current[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      current.append(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.count]
}
