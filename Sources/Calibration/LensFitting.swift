import CalibrationSolver
import CameraModel
import OpenCV

/// A lens model fitted to views of a board.
struct LensFit: Sendable {
  /// The minimum, over the views in `members`.
  var solution: Solution
  /// The views that took part, as indices into the views that were given, ascending.
  var members: [Int]
  /// For each member, which of its points took part.
  var used: [[Bool]]
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
    let start = try startValues(lensModel, sample: sample)
    var dropped: [Int: String] = [:]
    var members: [Int] = []
    for index in views.indices {
      if start.poses[index] == nil {
        dropped[index] = "no pose of the board explains its corners"
      } else {
        members.append(index)
      }
    }
    let solution = try solve(
      SolverProblem(
        camera: start.camera, views: members.map { views[$0] },
        poses: members.compactMap { start.poses[$0] }, free: free))
    return LensFit(
      solution: solution, members: members, used: members.map { views[$0].isUsed },
      dropped: dropped)
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

  /// The least squares from given start values.
  func solve(_ problem: SolverProblem) throws -> Solution {
    do {
      return try BundleAdjustment.solve(problem, jobs: jobs)
    } catch {
      throw CalibrationError(
        .unsolvable,
        "These \(views.count) views determine no camera (\(error)). Take more views, with the board "
          + "tilted and at several places in the image.")
    }
  }
}
