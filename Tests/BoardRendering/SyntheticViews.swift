import Boards
package import CameraModel

/// What a detector would hand to the solver: a board's corners in several poses, without images.
///
/// For statistics over many noisy copies of the same views.
package struct SyntheticViews: Sendable {
  /// The true camera.
  package let camera: CameraParameters
  package let board: PrintedBoard
  /// The true poses, cameraFromBoard.
  package let poses: [BoardPose]
  /// The corners of one view.
  package struct View: Sendable {
    /// The corners in the board frame as the printed grid says (flat, whatever the true bend), metres.
    package var boardPoints: [SIMD3<Double>]
    /// Where they appear, pixels, centre convention; as many as `boardPoints`.
    package var pixels: [SIMD2<Double>]
  }
  /// The views without noise, one a pose; corners outside the image are left out.
  package let exact: [View]

  /// Projects the board's corners through the true camera.
  package init(camera: CameraParameters, board: PrintedBoard, poses: [BoardPose]) {
    self.camera = camera
    self.board = board
    self.poses = poses
    let grid = board.geometry.cornerPoints
    exact = poses.map { pose in
      let corners = BoardScene(camera: camera, board: board, pose: pose).corners
      let visible = zip(grid, corners).compactMap { point, pixel in pixel.map { (point, $0) } }
      return View(boardPoints: visible.map { $0.0 }, pixels: visible.map { $0.1 })
    }
  }

  /// Projects the board's corners in random poses through the true camera.
  package init(
    camera: CameraParameters, board: PrintedBoard, count: Int, ranges: PoseRanges = PoseRanges(),
    seed: UInt64
  ) throws(NoSuchPose) {
    self.init(
      camera: camera, board: board,
      poses: try BoardPose.random(
        count, camera: camera, board: board, ranges: ranges, seed: seed))
  }

  /// The views with independent Gaussian noise of `sigma` pixels on each coordinate.
  package func noisy(sigma: Double, seed: UInt64) -> [View] {
    var random = SeededGenerator(seed: seed, stream: 0x7015E)
    return exact.map { view in
      var view = view
      for index in view.pixels.indices {
        view.pixels[index].x += sigma * random.normal()
        view.pixels[index].y += sigma * random.normal()
      }
      return view
    }
  }
}
