import CalibrationSolver
import CameraModel
import Foundation

/// What judging a solution of given points costs, beside the solution: a line on standard error.
///
/// The part of `calibrate --timings` that is `evaluate`, without a choice of coefficients: held-out error,
/// views that contradict the others, two cameras in one set.
func measureJudgement(_ model: String, _ camera: CameraParameters, _ count: Int) throws {
  let set = BenchViews(camera: camera, views: count, seed: 1)
  let views = set.observed
  let names = ["held-out error", "single views", "two cameras"]
  var solves: [Double] = []
  var parts: [[Double]] = []
  for _ in 0..<(count <= 200 ? 15 : 7) {
    let run = try Run(set, views, jobs: 1)
    solves.append(run.processor)
    let solution = run.solution
    let problem = SolverProblem(camera: solution.camera, views: views, poses: solution.poses)
    var last = processorMilliseconds()
    func lap() -> Double {
      let now = processorMilliseconds()
      defer { last = now }
      return now - last
    }
    _ = try HeldOutError.evaluate(problem, from: solution)
    var own = [lap()]
    _ = ViewConsistency(problem, solution: solution)
    own.append(lap())
    _ = TwoCameras(solution)
    own.append(lap())
    parts.append(own)
  }
  let medians = names.indices.map { index in median(parts.map { $0[index] }) }
  let ratio = medians.reduce(0, +) / median(solves)
  let text = zip(names, medians).map { $0 + String(format: " %.2f", $1) }.joined(separator: ", ")
  FileHandle.standardError.write(
    Data(
      ("judged \(model) \(count): \(text) ms; "
        + String(format: "%.1f times solving\n", ratio)).utf8))
}
