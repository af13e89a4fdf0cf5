import CalibrationSolver
import CameraModel
import OpenCV

/// A lens model fitted to views of a board.
struct LensFit: Sendable {
  /// The minimum, over the views in `members`.
  var solution: Solution
  /// The views that took part, as indices into the views that were given, ascending.
  var members: [Int]
  /// The views in `members`, with the marks of the points that took part.
  var views: [ObservedView]
  /// The views that did not fit, by index, with the reason.
  var dropped: [Int: String]
}

/// Fits a lens model to views: start values, least squares, and the views that do not belong.
struct LensFitting: Sendable {
  /// The views that were selected.
  var views: [ObservedView]
  /// The size of the images.
  var resolution: Resolution
  /// The number of threads.
  var jobs: Int

  /// Fewer views than this determine nothing.
  static let fewestViews = 3

  /// Fits a lens model of which `free` parameters are estimated.
  ///
  /// - Parameter sample: The views that the start rests on, indices into `views`.
  /// - Throws: `CalibrationError` where the views determine no camera.
  func fit(_ lensModel: LensModel, free: [Bool], sample: [Int]) throws -> LensFit {
    var dropped = Dictionary(
      ViewScreening.misfits(views).map { ($0.view, $0.reason) },
      uniquingKeysWith: { first, _ in first })
    let start = try startValues(lensModel, sample: sample.filter { dropped[$0] == nil })
    var members: [Int] = []
    for index in views.indices where dropped[index] == nil {
      if start.poses[index] == nil {
        dropped[index] = "no pose of the board explains its corners"
      } else {
        members.append(index)
      }
    }
    return try refine(
      SolverProblem(
        camera: start.camera, views: members.map { views[$0] },
        poses: members.compactMap { start.poses[$0] }, free: free),
      members: members, dropped: dropped)
  }

  /// Fits again from a fit, with other parameters free; points and views are judged anew.
  func refit(_ fit: LensFit, free: [Bool]) throws -> LensFit {
    try refine(
      SolverProblem(
        camera: fit.solution.camera, views: fit.members.map { views[$0] },
        poses: fit.solution.poses, free: free),
      members: fit.members, dropped: fit.dropped)
  }

  /// Least squares without the points and views that do not fit.
  ///
  /// Whenever views are dropped the rest is judged again, from all its points: a view that is far off
  /// widens the spread by which the others are judged.
  private func refine(
    _ problem: SolverProblem, members: [Int], dropped: [Int: String]
  ) throws -> LensFit {
    var problem = problem
    var members = members
    var dropped = dropped
    while true {
      let rejection: OutlierRejection
      do {
        rejection = try OutlierRejection(problem, options: .init(jobs: jobs))
      } catch {
        throw undetermined(error)
      }
      let kept = members.indices.filter { rejection.droppedViews[$0] == nil }
      guard kept.count >= Self.fewestViews else {
        throw CalibrationError(
          .unsolvable,
          "Only \(kept.count) of \(views.count) views fit together. Check that all come from one "
            + "camera with fixed focus and zoom, and that --board is right.")
      }
      guard kept.count < members.count else {
        return LensFit(
          solution: rejection.solution, members: members, views: rejection.problem.views,
          dropped: dropped)
      }
      for (index, reason) in rejection.droppedViews { dropped[members[index]] = reason }
      members = kept.map { members[$0] }
      problem = SolverProblem(
        camera: rejection.solution.camera, views: members.map { views[$0] },
        poses: kept.map { rejection.solution.poses[$0] }, free: problem.free)
    }
  }

  private func startValues(_ lensModel: LensModel, sample: [Int]) throws -> StartValues {
    do {
      return try StartValues(views, sample: sample, resolution: resolution, lensModel: lensModel)
    } catch {
      throw CalibrationError(
        .unsolvable,
        "No \(lensModel.rawValue) lens explains these \(views.count) views (\(error)). Check that all "
          + "come from one camera with fixed focus and zoom, that --board is right, and that the board "
          + "is tilted in some views.")
    }
  }

  private func undetermined(_ error: SolverError) -> CalibrationError {
    CalibrationError(
      .unsolvable,
      "These \(views.count) views determine no camera (\(error)). Take more views, with the board "
        + "tilted and at several places in the image.")
  }
}
