import CameraModel

/// Whether all views were taken with the same camera: what covariances cannot see.
///
/// A score test for each view, its pose free and the shared parameters held: how much would a focal
/// factor of its own (focus moved), or an aspect and skew of its own (rolling shutter or motion; a focal
/// factor hardly changes there), lower its residuals? The answers are compared with the spread of
/// the other views' answers, because corner noise alone explains too little of that on real images.
package struct ViewConsistency: Sendable {
  /// What a view says of itself.
  package struct ViewScore: Sendable, Hashable {
    /// The view's index.
    package var view: Int
    /// Its focal length relative to the shared one, minus 1.
    package var focalFactor: Double
    /// 1σ of `focalFactor`, from the spread of the views that are not flagged.
    package var focalDeviation: Double
    /// Its fx/fy relative to the shared one, minus 1, by half.
    package var aspect: Double
    /// Its skew: the shift of u by v.
    package var skew: Double
  }

  /// The scores of all views that take part.
  package var scores: [ViewScore]
  /// Views whose focal length differs from the others' (p < 0.001 over all views).
  package var movedFocus: [Int]
  /// Views whose aspect or skew differs from the others' (p < 0.001 over all views).
  package var distortedByMotion: [Int]
  /// The deviation of focal lengths between views, relative, beyond what the other scores explain.
  package var focalSpread: Double
  /// Whether the focal length varies all over the set, so that no view stands out: the focal scores
  /// spread more than the scores of aspect and skew do (p < 0.001), and by more than
  /// `focalSpreadLimit`.
  ///
  /// Aspect and skew, with the focal factor free beside them, are the yardstick because a wrong lens
  /// model, a bent board and correlated corner noise widen all scores alike, a moved focus only one.
  package var focusVaries: Bool
  /// Whether the same is likely of less: p < `doubtLevel`, and a spread above `doubtfulSpread`.
  ///
  /// A step of the focus by 1 % between two halves of a set is a spread of 0.5 %, of which the common
  /// camera takes up a part.
  package var focusMayVary: Bool
  /// The mean square of the focal scores divided by that of the scores of aspect and skew.
  package var focalScoreRatio: Double

  /// A spread of focal lengths below this is no reason to distrust a set: a typical view shows a change
  /// of 0.25 %.
  package static let focalSpreadLimit = 0.005
  /// The level of all tests, before it is divided by the number of views.
  package static let level = 0.001
  /// The limit and the level of `focusMayVary`.
  package static let (doubtfulSpread, doubtLevel) = (0.001, 0.003)

  /// Tests a solution against its own views.
  package init(_ problem: SolverProblem, solution: Solution) {
    let tests = problem.activeViews.compactMap { view in
      ScoreTest(view: view, problem: problem, solution: solution)
    }
    let moved = OutlyingViews(tests.map(\.focal), level: Self.level)
    let shaped = OutlyingViews(tests.map(\.shape), level: Self.level)
    // A change of one kind shows a little in the scores of the other: the larger explains the view.
    func isFocus(_ test: Int) -> Bool { tests[test].focal.gain >= tests[test].shape.gain }
    movedFocus = moved.outlying.filter { !shaped.outlying.contains($0) || isFocus($0) }
      .map { tests[$0].view }
    distortedByMotion = shaped.outlying.filter { !moved.outlying.contains($0) || !isFocus($0) }
      .map { tests[$0].view }
    scores = tests.map { test in
      let information = test.focal.information[0]
      let shape = test.shape.solved ?? SIMD2()
      return ViewScore(
        view: test.view, focalFactor: -test.focal.score[0] / information,
        focalDeviation: moved.spread / information.squareRoot(),
        aspect: -shape.x, skew: -shape.y)
    }
    let information = tests.reduce(0) { $0 + $1.focal.information[0] }
    let squares = tests.reduce(0) { $0 + $1.focal.gain }
    let n = Double(tests.count)
    let yardstick = tests.reduce(0) { $0 + $1.besideFocal } / max(1, 2 * n)
    focalSpread =
      information > 0 ? (max(0, squares - n * yardstick) / information).squareRoot() : 0
    focalScoreRatio = yardstick > 0 ? squares / n / yardstick : 0
    let tail = Significance.tail(f: focalScoreRatio, n, 2 * n)
    focusVaries = focalSpread > Self.focalSpreadLimit && tail < Self.level
    focusMayVary = !focusVaries && focalSpread > Self.doubtfulSpread && tail < Self.doubtLevel
  }
}

/// The normal equations of one view for its pose and four changes of the camera of its own.
private struct ScoreTest {
  var view: Int
  /// Own focal factor.
  var focal: OwnScore
  /// Own aspect and skew.
  var shape: OwnScore
  /// The gain of aspect and skew with the focal factor free too.
  var besideFocal: Double

  init?(view: Int, problem: SolverProblem, solution: Solution) {
    self.view = view
    let camera = solution.camera
    let observed = problem.views[view]
    let rotation = RotationMatrix(rotationVector: solution.poses[view].rotation)
    // Columns: turn, shift, focal factor, aspect, skew, residual.
    let width = 10
    var normal = [Double](repeating: 0, count: width * width)
    let points = solution.bend?.applied(to: observed.boardPoints) ?? observed.boardPoints
    for (index, point) in points.enumerated() where observed.isUsed[index] {
      let turned = rotation * point
      guard
        let image = camera.projectWithJacobians(
          turned + solution.poses[view].translation, parameterJacobian: nil)
      else { return nil }
      let residual = solution.residuals[view][index]
      let (u, v) = (image.u - camera.intrinsics.cx, image.v - camera.intrinsics.cy)
      let rows = [
        Self.row(image.uByPoint, turned, own: (u, u, v), residual: residual.x),
        Self.row(image.vByPoint, turned, own: (v, -v, 0), residual: residual.y),
      ]
      let weight = observed.weight(index)
      for row in rows {
        for i in 0..<width {
          for j in 0..<width { normal[i * width + j] += weight * row[i] * row[j] }
        }
      }
    }
    func part(_ rows: Range<Int>, _ columns: Range<Int>) -> [Double] {
      rows.flatMap { row in columns.map { normal[row * width + $0] } }
    }
    // D⁻¹·[Bᵀ | h], then the Schur complement of the pose.
    let pose = part(0..<6, 0..<6)
    var reduced = part(6..<9, 6..<10)
    for column in 0..<4 {
      var x = (0..<6).map { normal[$0 * width + 6 + column] }
      guard SmallMatrix.solve(pose, 6, &x) else { return nil }
      for row in 0..<3 {
        for k in 0..<6 { reduced[row * 4 + column] -= normal[(6 + row) * width + k] * x[k] }
      }
    }
    let information = reduced[0]
    guard information > 0 else { return nil }
    focal = OwnScore(information: [information], score: [reduced[3]])
    shape = OwnScore(
      information: [reduced[5], reduced[6], reduced[9], reduced[10]],
      score: [reduced[7], reduced[11]])
    var conditional = reduced
    for row in 1..<3 {
      for column in 1..<4 {
        conditional[row * 4 + column] -= reduced[row * 4] * reduced[column] / information
      }
    }
    besideFocal =
      OwnScore(
        information: [conditional[5], conditional[6], conditional[9], conditional[10]],
        score: [conditional[7], conditional[11]]
      ).gain
  }

  private static func row(
    _ g: (Double, Double, Double), _ y: SIMD3<Double>, own: (Double, Double, Double),
    residual: Double
  ) -> [Double] {
    [
      y.y * g.2 - y.z * g.1, y.z * g.0 - y.x * g.2, y.x * g.1 - y.y * g.0, g.0, g.1, g.2, own.0,
      own.1, own.2, residual,
    ]
  }
}
