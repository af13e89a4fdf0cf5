package import Imaging
internal import OpenCVBridge

/// Sub-pixel refinement of corners by cv::cornerSubPix.
///
/// Source: Förstner and Gülch, "A fast operator for detection and precise location of distinct
/// points, corners and centres of circular features" (1987), as in OpenCV.
package enum SubPixelRefinement {
  /// Refines corners, each with a half window of its own.
  ///
  /// A corner that would leave its window keeps its start position, as OpenCV does.
  ///
  /// - Parameters:
  ///   - corners: Start positions, pixel-centre convention, inside the image.
  ///   - halfWindows: Half the side of each corner's window, pixels, 1…64.
  ///   - iterations: The most iterations a corner gets.
  ///   - epsilon: A corner that moves less than this, pixels, is done.
  /// - Throws: `invalidArgument`, `outOfMemory`, `exception`.
  package static func refine(
    _ corners: [SIMD2<Double>], in image: GrayImage, halfWindows: [Int], iterations: Int = 30,
    epsilon: Double = 1e-3
  ) throws(OpenCVError) -> [SIMD2<Double>] {
    let operation = "refining corners"
    guard corners.count == halfWindows.count else {
      throw OpenCVError(
        code: .invalidArgument, operation: operation,
        message: "\(corners.count) corners but \(halfWindows.count) windows")
    }
    var flat = corners.flatMap { [$0.x, $0.y] }
    let windows = halfWindows.map { Int32(clamping: $0) }
    let (status, message) = withBridgeMessage { text, size in
      image.pixels.withUnsafeBufferPointer { pixels in
        ocvRefineCorners(
          pixels.baseAddress, Int32(clamping: image.width), Int32(clamping: image.height),
          image.width, &flat, corners.count, windows, Int32(clamping: iterations), epsilon, text,
          size)
      }
    }
    guard status == ocvStatusOK else {
      throw OpenCVError(status: status, operation: operation, message: message)
    }
    return corners.indices.map { SIMD2(flat[2 * $0], flat[2 * $0 + 1]) }
  }
}
