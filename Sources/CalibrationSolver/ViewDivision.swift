import CameraModel

/// Views in two groups, each with a camera of its own.
struct ViewDivision {
  /// The views of both, as indices into the active views, ascending.
  var groups: [[Int]]
  /// The way from the common camera to that of each group.
  var steps: [[Double]]
  /// By how much both cameras together lower Σr².
  var gain: Double

  /// Starts with two groups and lets the views go to where they belong; nil where too few are left in
  /// one.
  init?(_ views: ViewInformation, start: Set<Int>, least: Int) {
    var isFirst = (0..<views.count).map(start.contains)
    groups = []
    steps = []
    gain = 0
    for _ in 0..<30 {
      groups = [true, false].map { first in (0..<views.count).filter { isFirst[$0] == first } }
      guard groups.allSatisfy({ $0.count >= least }) else { return nil }
      steps = groups.compactMap { Self.step(of: $0, views) }
      guard steps.count == 2 else { return nil }
      let (first, second) = (views.changes(steps[0]), views.changes(steps[1]))
      gain = 0
      for view in 0..<views.count { gain -= isFirst[view] ? first[view] : second[view] }
      let next = zip(first, second).map { $0 < $1 }
      if next == isFirst { break }
      isFirst = next
    }
  }

  private static func step(of group: [Int], _ views: ViewInformation) -> [Double]? {
    let (hessian, gradient) = views.sums(of: group)
    return views.step(hessian, gradient)
  }

  /// What cameras of their own would still gain all views beyond those of their groups.
  func remainder(_ views: ViewInformation) -> Double? {
    var sum = 0.0
    for (group, step) in zip(groups, steps) {
      for view in group {
        let h = Array(views.hessian(view))
        var gradient = Array(views.gradient(view))
        for i in 0..<views.size {
          for j in 0..<views.size { gradient[i] += h[i * views.size + j] * step[j] }
        }
        guard let own = views.step(h, gradient) else { return nil }
        sum -= zip(own, gradient).reduce(0) { $0 + $1.0 * $1.1 }
      }
    }
    return sum
  }

  /// The largest difference between the groups of a focal length, as a share of it, or of the centre, as a
  /// share of the image's diagonal.
  func difference(_ views: ViewInformation, _ camera: CameraParameters) -> Double {
    let units = [
      "fx": camera.intrinsics.fx, "fy": camera.intrinsics.fy,
      "cx": camera.resolution.diagonal, "cy": camera.resolution.diagonal,
    ]
    return views.names.enumerated().map { slot, name in
      units[name].map { abs(steps[0][slot] - steps[1][slot]) / $0 } ?? 0
    }.max() ?? 0
  }

  /// The largest difference between the groups of one of the intrinsics, in deviations.
  func contrast(_ views: ViewInformation, _ names: [String]) -> Double? {
    var variances = [Double](repeating: 0, count: views.size)
    for group in groups {
      let (hessian, gradient) = views.sums(of: group)
      var steps: [[Double]] = []
      for view in group {
        var (h, g) = (hessian, gradient)
        views.add(view, &h, &g, sign: -1)
        guard let step = views.step(h, g) else { return nil }
        steps.append(step)
      }
      let n = Double(steps.count)
      for k in 0..<views.size {
        let mean = steps.reduce(0) { $0 + $1[k] } / n
        variances[k] += (n - 1) / n * steps.reduce(0) { $0 + ($1[k] - mean) * ($1[k] - mean) }
      }
    }
    return names.indices.filter { ["fx", "fy", "cx", "cy"].contains(names[$0]) }.map { k in
      abs(steps[0][k] - steps[1][k]) / variances[k].squareRoot()
    }.filter(\.isFinite).max()
  }
}
