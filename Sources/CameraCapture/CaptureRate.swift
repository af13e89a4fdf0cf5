/// Frame rates that decide where nothing is asked for, the same for calibrating and for capturing: the
/// size that is measured is then the size that an app gets.
enum CaptureRate {
  /// Slower than this, in frames a second, a camera lags behind the hand: sizes that come slower are
  /// taken only where they are asked for.
  static let brisk: Int32 = 24
  /// What is asked for, in frames a second: more rarely help, and cost bandwidth.
  static let usual: Int32 = 30
}
