import BoardRendering
import Boards
import Calibration
import CalibrationSolver
import CalibrationStore
import CameraModel
import Glibc

/// Milliseconds of processor time of the calling thread.
private func threadMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
}

/// Prints what a view that is added costs guidance: the camera with its figure, and the advice.
///
/// - Parameter counts: After how many views, ascending; each line is about the ten views up to there.
func measureGuidance(_ counts: [Int], board: PrintedBoard, geometry: ChessboardGeometry) throws {
  let camera = CameraParameters.example(
    .pinhole, resolution: Resolution(width: 1920, height: 1080))
  let views = try SyntheticViews(
    camera: camera, board: board, count: counts.last ?? 0, seed: 3
  ).noisy(sigma: 0.2, seed: 5)
  for lensModel in [LensModel?.none, .pinhole] {
    let name = lensModel?.rawValue ?? "auto"
    var options = CalibrationOptions(board: geometry, squareSizeIsKnown: true, jobs: 1)
    options.lensModel = lensModel
    var fit = QuickFit(board: geometry, resolution: camera.resolution, options: options)
    var times: [Double] = []
    for (index, view) in views.enumerated() {
      let began = threadMilliseconds()
      guard fit.add(ObservedView(boardPoints: view.boardPoints, pixels: view.pixels)) else {
        print("view \(index + 1) was not taken")
        continue
      }
      times.append(threadMilliseconds() - began)
      guard counts.contains(index + 1) else { continue }
      let last = times.suffix(10).sorted()
      let mean = last.reduce(0, +) / Double(last.count)
      let asked = threadMilliseconds()
      _ = LiveAdvice.nextStep(fit, nil, geometry)
      let advised = threadMilliseconds() - asked
      let figures = [mean, last[last.count / 2], last[last.count - 1], advised].map { fixed($0, 2) }
      print(
        "\(name), \(index + 1) views: a view takes \(figures[0]) ms of processor time (median "
          + "\(figures[1]), at most \(figures[2])), the advice \(figures[3]) ms; 90 % within "
          + "\(fixed(fit.p90, 3)) px")
    }
    let (all, first) = (times.reduce(0, +), times.prefix(10).reduce(0, +))
    print("\(name): all views \(fixed(all, 1)) ms, the first ten \(fixed(first, 1)) ms")
  }
}
