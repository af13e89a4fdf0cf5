import CalibrationSolver
import CameraModel
import Foundation

/// Prints what one more view costs beside a solution from nothing, what the gain of candidate views costs,
/// and how many times faster two threads are.
func measureGrowth(_ model: String, _ camera: CameraParameters, _ count: Int) throws {
  let set = BenchViews(camera: camera, views: count, seed: 1)
  let views = set.observed
  let start = try CameraStart(
    views, resolution: set.camera.resolution, lensModel: set.camera.lensModel)
  let all = SolverProblem(
    camera: start.camera, views: views, poses: start.poses.compactMap { $0 })
  let whole = try median(
    (0..<11).map { _ in
      let began = processorMilliseconds()
      let start = try CameraStart(
        views, resolution: set.camera.resolution, lensModel: set.camera.lensModel)
      _ = try BundleAdjustment.solve(
        SolverProblem(
          camera: start.camera, views: views, poses: start.poses.compactMap { $0 }))
      return processorMilliseconds() - began
    })

  // The last ten views come one by one.
  let added = 10
  var first = all
  first.views.removeLast(added)
  first.poses.removeLast(added)
  let solution = try BundleAdjustment.solve(first)
  var times: [Double] = []
  var passes = 0
  for _ in 0..<5 {
    var growing = try GrowingSolution(solution, of: first)
    let before = growing.passes
    for view in views.suffix(added) {
      let began = processorMilliseconds()
      try growing.add(view)
      times.append(processorMilliseconds() - began)
    }
    passes = growing.passes - before
  }
  let mean = times.reduce(0, +) / Double(times.count)

  let minimum = try BundleAdjustment.solve(all)
  let candidates = 300
  let began = processorMilliseconds()
  var worth = 0
  if let next = NextView(after: minimum, of: all) {
    for index in 0..<candidates {
      let pose = minimum.poses[index % minimum.poses.count]
      if next.share(leftBy: set.boardPoints, at: pose, weight: 1) != nil { worth += 1 }
    }
  }
  let guess = processorMilliseconds() - began

  // The fastest of many, by turns: other things that the machine does meet both alike.
  func wall(_ jobs: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    let began = wallMilliseconds()
    try body(jobs)
    return wallMilliseconds() - began
  }
  func gain(_ body: (Int) throws -> Void) rethrows -> Double {
    var (one, two) = (Double.infinity, Double.infinity)
    for _ in 0..<25 {
      one = min(one, try wall(1, body))
      two = min(two, try wall(2, body))
    }
    return one / two
  }
  let search = try gain { _ = try BundleAdjustment.solve(all, jobs: $0) }
  let everything = try gain { _ = try Run(set, views, jobs: $0) }
  print(
    String(
      format: "\(model) %d views: one more %.3f ms, 1/%.0f of %.2f ms from nothing (%d passes for "
        + "%d views); %d candidates %.2f ms (%d seen); two threads %.2f times as fast "
        + "(minimisation alone %.2f)",
      count, mean, whole / mean, whole, passes, added, candidates, guess, worth, everything, search)
  )
}
