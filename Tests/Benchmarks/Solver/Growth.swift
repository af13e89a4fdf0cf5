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

  // On a machine that does other things too, wall time tells little: what the calling thread itself
  // has left to do with two is how fast they could be.
  func solved(_ jobs: Int) throws -> (wall: Double, thread: Double) {
    var (wall, thread) = (Double.infinity, Double.infinity)
    for _ in 0..<15 {
      let began = (wallMilliseconds(), threadMilliseconds())
      _ = try BundleAdjustment.solve(all, jobs: jobs)
      wall = min(wall, wallMilliseconds() - began.0)
      thread = min(thread, threadMilliseconds() - began.1)
    }
    return (wall, thread)
  }
  let (one, two) = (try solved(1), try solved(2))
  print(
    String(
      format: "\(model) %d views: one more %.3f ms, 1/%.0f of %.2f ms from nothing (%d passes for "
        + "%d views); %d candidates %.2f ms (%d seen); two threads %.2f times as fast, "
        + "%.2f by their share of the work",
      count, mean, whole / mean, whole, passes, added, candidates, guess, worth,
      one.wall / two.wall, one.thread / two.thread))
}

/// Milliseconds of processor time of the calling thread.
private func threadMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
}
