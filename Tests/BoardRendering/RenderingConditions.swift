/// How a frame is taken: lens blur, light, exposure, sensor.
///
/// Order of events, as in a camera: scene, optical blur and motion, the pixel's area, sampling, then
/// light and vignetting, exposure, gamma, noise, 8 bit.
package struct RenderingConditions: Sendable, Hashable {
  /// The standard deviation of the lens blur in pixels; the pixel's own area comes on top.
  package var blurSigma = 0.7
  /// How far the image moves while the shutter is open, in pixels.
  package var motion = SIMD2<Double>(0, 0)
  /// Reflectance of the black squares, 0…1.
  package var black = 0.05
  /// Reflectance of the white squares and the margin, 0…1.
  package var white = 0.85
  /// What is behind the board.
  package var background = Background.flat(0.35)
  /// The loss of light from the image's centre to its corners, 0…1; falls with the square of the
  /// distance.
  package var vignetting = 0.2
  /// Relative change of the light from the image's centre to its right and lower border.
  package var lightGradient = SIMD2<Double>(0.06, -0.04)
  /// A factor on all light; 0.05 makes a dark frame, above 1.2 white begins to clip.
  package var exposure = 1.0
  /// The encoding: grey value = 255 · light^(1/gamma).
  package var gamma = 2.2
  /// The standard deviation of the sensor's noise, in grey levels of the 8-bit frame.
  package var noiseSigma = 1.5

  /// What is behind the board.
  package enum Background: Sendable, Hashable {
    /// One reflectance everywhere.
    case flat(Double)
    /// Overlapping bars, boxes and discs of all sizes and reflectances, the same for the same seed.
    case clutter(seed: UInt64)
  }

  /// Creates the default conditions: a fairly sharp, slightly vignetted, slightly noisy frame before
  /// a flat background.
  package init() {}

  /// Even light, linear encoding, no noise: for tests of geometry.
  package static func ideal(blurSigma: Double = 0.7) -> RenderingConditions {
    var conditions = RenderingConditions()
    conditions.blurSigma = blurSigma
    conditions.vignetting = 0
    conditions.lightGradient = SIMD2(0, 0)
    conditions.gamma = 1
    conditions.noiseSigma = 0
    return conditions
  }
}
