/// How far a board moved between two frames.
///
/// The displacements of the corners are described by a shift, a turn and a change of scale about the
/// corners' centre. What counts is the norm of the shift plus what turn and scale come to at the
/// board's rim: less than a corner's noise moves it, as many corners have a say. Below 0.2 px between
/// neighbouring frames, whatever the sensor's rows do one after the other (rolling shutter) moves no
/// corner by more than 0.8 of its noise.
struct Movement: Sendable, Hashable {
  /// The most that counts as holding still, pixels from one frame to the next.
  static let limit = 0.2

  /// The movement, pixels; infinite where too few corners were seen in both frames to tell.
  var pixels: Double

  /// Compares the corners of one frame with those of another, nil where a corner was not seen there.
  init(from corners: [SIMD2<Double>], to others: [SIMD2<Double>?]) {
    let pairs = zip(corners, others).compactMap { here, there in
      there.map { (here: here, step: $0 - here) }
    }
    // A board that moved far leaves chance hits only.
    guard pairs.count * 2 >= corners.count, pairs.count >= 4 else {
      pixels = .infinity
      return
    }
    let count = Double(pairs.count)
    let centre = pairs.reduce(SIMD2<Double>()) { $0 + $1.here } / count
    let shift = pairs.reduce(SIMD2<Double>()) { $0 + $1.step } / count
    var (scale, turn, squares, rim) = (0.0, 0.0, 0.0, 0.0)
    for pair in pairs {
      let arm = pair.here - centre
      let step = pair.step - shift
      scale += (arm * step).sum()
      turn += arm.x * step.y - arm.y * step.x
      squares += (arm * arm).sum()
      rim = max(rim, (arm * arm).sum())
    }
    guard squares > 0 else {
      pixels = .infinity
      return
    }
    let rate = (scale * scale + turn * turn).squareRoot() / squares
    pixels = (shift * shift).sum().squareRoot() + rim.squareRoot() * rate
  }
}
