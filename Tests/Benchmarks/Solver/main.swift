import CalibrationSolver
import CameraModel
import Foundation

// `bench-solver write FOLDER VIEWS...`: the sets as files, for this program's peers.
// `bench-solver solve [--jobs N] VIEWS...`: a line for each model and number of views: solver, model,
// views, milliseconds of processor time, fx, RMS; on standard error where the time went.
// `bench-solver grow VIEWS...`: what one more view costs, what the gain of candidates costs, and how much
// faster two threads are.
// `bench-solver judge VIEWS...`: what judging a solution costs, beside the solution.

/// Milliseconds of processor time of this process.
func processorMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
}

/// Milliseconds on the wall.
func wallMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
}

/// All that a calibration of given points consists of, and how long each part took.
struct Run {
  var solution: Solution
  var p90: Double?
  /// Start values, minimisation, covariances, grid: milliseconds of processor time.
  var parts: [Double] = []
  var wall = 0.0

  init(_ set: BenchViews, _ views: [ObservedView], jobs: Int) throws {
    let began = wallMilliseconds()
    var last = processorMilliseconds()
    func lap() -> Double {
      let now = processorMilliseconds()
      defer { last = now }
      return now - last
    }
    let start = try CameraStart(
      views, resolution: set.camera.resolution, lensModel: set.camera.lensModel, jobs: jobs)
    let problem = SolverProblem(
      camera: start.camera, views: views, poses: start.poses.compactMap { $0 })
    var parts = [lap()]
    solution = try BundleAdjustment.solve(problem, jobs: jobs)
    parts.append(lap())
    let covariance = try ParameterCovariance(solution, jobs: jobs)
    parts.append(lap())
    p90 = ProjectionUncertainty(solution, covariance: covariance, jobs: jobs).p90
    parts.append(lap())
    self.parts = parts
    wall = wallMilliseconds() - began
  }

  var processor: Double { parts.reduce(0, +) }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func measure(_ model: String, _ camera: CameraParameters, _ count: Int, jobs: Int) throws {
  let set = BenchViews(camera: camera, views: count, seed: 1)
  let views = set.observed
  var runs: [Run] = []
  for _ in 0..<(count <= 50 ? 61 : count <= 200 ? 31 : 15) {
    runs.append(try Run(set, views, jobs: jobs))
  }
  let solution = runs[0].solution
  let name = jobs == 1 ? "calibrate" : "calibrate, \(jobs) threads"
  print(
    [
      name, model, "\(count)", String(format: "%.2f", median(runs.map(\.processor))),
      String(format: "%.9f", solution.camera.intrinsics.fx), String(format: "%.9f", solution.rms),
    ].joined(separator: "\t"))
  let parts = ["start", "solve", "covariances", "grid"].enumerated().map { index, part in
    part + String(format: " %.2f", median(runs.map { $0.parts[index] }))
  }
  FileHandle.standardError.write(
    Data(
      ("\(name) \(model) \(count): " + parts.joined(separator: ", ")
        + String(
          format: "; wall %.2f ms, fastest %.2f", median(runs.map(\.wall)),
          runs.map(\.processor).min() ?? 0)
        + "; \(solution.iterations) passes, p90 \(runs[0].p90 ?? -1) px\n").utf8))
}

/// Six 32-bit numbers (views, points of a view, width, height, fisheye 0 or 1, 0), then doubles: x and y
/// of the board's points, then u and v of all corners.
func write(_ set: BenchViews, to file: URL) throws {
  var data = Data()
  func append<Value>(_ value: Value) { withUnsafeBytes(of: value) { data.append(contentsOf: $0) } }
  let size = set.camera.resolution
  let numbers = [
    set.pixels.count, set.boardPoints.count, size.width, size.height,
    set.camera.lensModel == .fisheye ? 1 : 0, 0,
  ]
  for number in numbers { append(Int32(number)) }
  for point in set.boardPoints {
    append(point.x)
    append(point.y)
  }
  for pixel in set.pixels.joined() {
    append(pixel.x)
    append(pixel.y)
  }
  try data.write(to: file)
}

let models = [("pinhole", BenchViews.pinhole), ("fisheye", BenchViews.fisheye)]
var arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "write" where arguments.count > 2:
  let folder = URL(fileURLWithPath: arguments[1])
  for (name, camera) in models {
    for count in arguments[2...].compactMap({ Int($0) }) {
      try write(
        BenchViews(camera: camera, views: count, seed: 1),
        to: folder.appendingPathComponent("\(name)-\(count).views"))
    }
  }
case "solve" where arguments.count > 1:
  arguments.removeFirst()
  var jobs = 1
  if arguments[0] == "--jobs", arguments.count > 1 {
    jobs = Int(arguments[1]) ?? 1
    arguments.removeFirst(2)
  }
  for (name, camera) in models {
    for count in arguments.compactMap({ Int($0) }) {
      try measure(name, camera, count, jobs: jobs)
    }
  }
case "grow" where arguments.count > 1:
  for (name, camera) in models {
    for count in arguments.dropFirst().compactMap({ Int($0) }) where count > 10 {
      try measureGrowth(name, camera, count)
    }
  }
case "judge" where arguments.count > 1:
  for (name, camera) in models {
    for count in arguments.dropFirst().compactMap({ Int($0) }) where count > 10 {
      try measureJudgement(name, camera, count)
    }
  }
default:
  let usage = """
    usage: bench-solver write FOLDER VIEWS...
           bench-solver solve [--jobs N] VIEWS...
           bench-solver grow VIEWS...
           bench-solver judge VIEWS...

    """
  FileHandle.standardError.write(Data(usage.utf8))
  exit(64)
}
