import CameraModel

extension ViewDisagreement {
  /// The same for a fit under constraints: a wrong one makes views contradict each other just as moved focus
  /// and a second camera do, and only a fit without it tells which.
  func under(_ constraints: ParameterConstraints) -> ViewDisagreement {
    let options = constraints.options
    guard !options.isEmpty, !(verdicts + doubts).isEmpty else { return self }
    var doubtful = self
    let (what, it) = options.count == 1 ? ("this constraint", "it") : ("these constraints", "them")
    let text =
      "Calibrate without \(VerdictRules.list(options)) first: with \(it) the views contradict each other, "
      + "and \(what) may be wrong. Where they do so without, too, the report says what is the matter."
    if verdicts.isEmpty { doubtful.doubts = [text] } else { doubtful.verdicts = [text] }
    return doubtful
  }
}

extension ParameterConstraints {
  /// The options that are behind them, in alphabetical order.
  var options: [String] {
    var options = Set(fixed.values.map(\.option))
    if !priors.isEmpty { options.insert("--prior") }
    if hasSquarePixels { options.insert("--square-pixels") }
    return options.sorted()
  }

  /// What of them says nothing of a lens that was chosen, in words; nil where all does.
  func withoutEffect(on lensModel: LensModel) -> String? {
    let all = fixed.map { ($0, $1.option) } + priors.keys.map { ($0, "--prior") }
    let idle = all.filter { !lensModel.parameterNames.contains($0.0) }
    guard !idle.isEmpty else { return nil }
    let options = Set(idle.map(\.1)).sorted()
    let names = Set(idle.map(\.0)).sorted()
    return
      "\(VerdictRules.list(options)) \(options.count == 1 ? "has" : "have") no effect on "
      + "\(VerdictRules.list(names)): a \(lensModel.rawValue) lens was chosen, which has no such "
      + "coefficient\(names.count == 1 ? "" : "s")."
  }

  /// That they may be why views determine no camera, as a further sentence; empty where there are none.
  var doubt: String {
    options.isEmpty
      ? "" : " Or \(VerdictRules.list(options)) may be wrong: try without."
  }
}
