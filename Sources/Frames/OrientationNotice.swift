/// What is said of EXIF orientations, which are never applied.
enum OrientationNotice {
  /// The notices for photographs of these orientations; nil stands for a photograph without a tag.
  static func notices(_ orientations: [Int?]) -> [String] {
    let turned = orientations.compactMap { $0 }.filter { $0 != 1 }
    guard !turned.isEmpty else { return [] }
    let count = "\(turned.count) of \(orientations.count)"
    var notice =
      "EXIF orientation is ignored (\(count) photographs are marked as turned or mirrored): "
      + "the sensor's own pixel grid counts"
    var counts: [Int: Int] = [:]
    for orientation in orientations { counts[orientation ?? 1, default: 0] += 1 }
    if counts.count > 1 {
      let list = counts.sorted { $0.key < $1.key }.map { "\($0.value) of orientation \($0.key)" }
      notice += "; they differ: \(list.joined(separator: ", "))"
    }
    return [notice]
  }
}
