internal import CameraModel
internal import OpenCVBridge

/// The points of several views as the bridge takes them.
struct BridgeViews {
  private var board: [Double] = []
  private var pixels: [Double] = []
  private var counts: [Int32] = []

  /// - Throws: `invalidArgument` if a view has not as many pixels as board points.
  init(_ views: [BoardView], operation: String) throws(OpenCVError) {
    for (index, view) in views.enumerated() {
      guard view.boardPoints.count == view.pixels.count else {
        throw OpenCVError(
          code: .invalidArgument, operation: operation,
          message: "view \(index) has \(view.boardPoints.count) board points but "
            + "\(view.pixels.count) pixels")
      }
      for point in view.boardPoints { board += [point.x, point.y, point.z] }
      for pixel in view.pixels { pixels += [pixel.x, pixel.y] }
      counts.append(Int32(clamping: view.pixels.count))
    }
  }

  func withViews<Result>(_ body: (UnsafePointer<ocvViews>) -> Result) -> Result {
    board.withUnsafeBufferPointer { board in
      pixels.withUnsafeBufferPointer { pixels in
        counts.withUnsafeBufferPointer { counts in
          var views = ocvViews(
            boardPoints: board.baseAddress, pixels: pixels.baseAddress,
            pointCounts: counts.baseAddress, viewCount: Int32(clamping: counts.count))
          return body(&views)
        }
      }
    }
  }
}
