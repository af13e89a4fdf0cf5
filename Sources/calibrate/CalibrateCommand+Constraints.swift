import CommandLineTool

/// The options for what is not estimated, or not from the views alone.
extension CalibrateCommand {
  static let noBend = Option.flag(
    "no-bend",
    help:
      "Take the board for flat. Without it a bend of up to some tenths of a millimetre is estimated "
      + "with the camera where the views tell it, and allowed for where they do not.")
  static let squarePixels = Option.flag(
    "square-pixels", help: "Estimate one focal length for both directions: fx = fy.")
  static let zeroTangential = Option.flag(
    "zero-tangential", help: "Hold the tangential coefficients p1 and p2 at 0.")
  static let fix = Option.repeated(
    "fix", .namedValues,
    help:
      "Hold a parameter at a value instead of estimating it: fx=1400, k1=-0.28; cx and cy without a "
      + "value are the middle of the image, coefficients 0, and centre stands for cx,cy. Several with "
      + "commas between, or the option again.")
  static let prior = Option.repeated(
    "prior", .namedPriors,
    help:
      "Say beforehand what a parameter is about, with its deviation (1 sigma), to be weighed against "
      + "the views: fx=1400:20. Several with commas between, or the option again.")

  /// All of them.
  static let constraintOptions: [any DeclaredOption] = [
    noBend, squarePixels, zeroTangential, fix, prior,
  ]
}
