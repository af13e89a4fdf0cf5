internal import Imaging
internal import OpenCV

extension CornerGrid {
  /// The corners refined by cornerSubPix, each in a window that holds no other corner.
  ///
  /// The half window is 0.4 of the distance to the nearest neighbour, 2…11 px. A fixed window takes in
  /// other corners of small squares: with OpenCV's own sample (11 px where corners are 22 px apart)
  /// fx is 0.6 % off on its own photographs.
  func refined(in image: GrayImage) throws -> CornerGrid {
    let spacings = spacings
    let windows = spacings.map { min(11, max(2, Int(0.4 * $0))) }
    let moved = try SubPixelRefinement.refine(points, in: image, halfWindows: windows)
    var result = self
    for (index, point) in moved.enumerated() {
      // A jump of more than a third of a square went to something else.
      let jump = length(point - points[index])
      if jump.isFinite, jump <= max(1, 0.35 * spacings[index]) { result.points[index] = point }
    }
    return result
  }
}
