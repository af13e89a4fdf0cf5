package import CalibrationStore
package import CameraModel
import CommandLineTool

/// All that is worth knowing of one record, for people.
package struct RecordReport {
  /// The record.
  package var record: IntrinsicsRecord
  /// Where it is stored; nil where it is not.
  package var path: String?
  /// The present, which the record's age is told by.
  package var now: UTCTime
  /// Where the principal point is measured from.
  package var origin: PixelOrigin

  /// Creates a report.
  package init(record: IntrinsicsRecord, path: String?, now: UTCTime, origin: PixelOrigin) {
    self.record = record
    self.path = path
    self.now = now
    self.origin = origin
  }

  /// One heading line and one line a fact, each ending in a line feed.
  package var text: String {
    var lines = [
      "\(record.device.id.rawValue.printable)  \(record.camera.resolution)"
        + "  \(record.verdict.level.rawValue)"
    ]
    let facts = [
      device, matrix, parameters, lensModels, fieldOfView, errors, uncertainty, board, lensControls,
      verdict, provenance,
    ]
    for (label, values) in facts.flatMap(\.self) {
      var heading = label
      for value in values {
        for line in Self.folded(value.printable) {
          let padding = String(repeating: " ", count: max(1, Self.column - heading.count))
          lines.append("  " + heading + padding + line)
          heading = ""
        }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Where values begin, counted from the indented label.
  private static let column = 20
  /// The width that values are folded to; tables and the matrix are narrower.
  private static let valueWidth = 78

  /// A value in lines, the later ones indented.
  ///
  /// Runs of spaces are columns: such a value is left alone.
  private static func folded(_ value: String) -> [String] {
    guard value.count > valueWidth, !value.contains("  ") else { return [value] }
    return wrapped(value, width: valueWidth - 2).enumerated().map {
      $0.offset == 0 ? $0.element : "  " + $0.element
    }
  }

  private typealias Facts = [(label: String, values: [String])]

  private var device: Facts {
    [("device", ["\(record.device.name) (by \(record.device.identifiedBy))"])]
  }

  private var shift: Double { origin == .corner ? 0.5 : 0 }

  private var matrix: Facts {
    let k = record.camera.intrinsics
    let rows = [
      [fixed(k.fx, 4), "0", fixed(k.cx + shift, 4)], ["0", fixed(k.fy, 4), fixed(k.cy + shift, 4)],
      ["0", "0", "1"],
    ]
    let width = rows.joined().map(\.count).max() ?? 0
    let lines = rows.map { row in
      row.map { String(repeating: " ", count: width - $0.count) + $0 }.joined(separator: "  ")
    }
    let note =
      origin == .center
      ? "pixels, (0, 0) is the centre of the top-left pixel"
      : "pixels, (0, 0) is the top-left corner of the top-left pixel"
    return [("matrix", lines + [note])]
  }

  private var parameters: Facts {
    let camera = record.camera
    var intrinsics: [String] = []
    var distortion: [String] = []
    for (name, value) in zip(camera.lensModel.parameterNames, camera.parameterVector) {
      let deviation = record.standardDeviations[name]
      // A parameter with a deviation is estimated; a reason then says what else it leans on.
      let reason = record.held[name].map { "(\($0))" }
      func tail(_ digits: Int) -> String {
        let own = deviation.map { "± " + fixed($0, digits) } ?? (reason == nil ? "± unknown" : nil)
        return [own, reason].compactMap(\.self).joined(separator: " ")
      }
      switch name {
      case "fx", "fy", "cx", "cy":
        let shown = name.hasPrefix("c") ? value + shift : value
        intrinsics.append("\(name) \(fixed(shown, 3)) \(tail(3))")
      case "thetaMax":
        distortion.append(
          "\(name) \(fixed(value, 6)) rad, \(fixed(value * 180 / .pi, 2))° \(tail(6))")
      default:
        // Six digits after the point: what a coefficient of 1e-6 moves is below 0.01 px.
        distortion.append("\(name) \(fixed(value, 6)) \(tail(6))")
      }
    }
    return [
      ("intrinsics (1σ)", intrinsics),
      ("distortion (1σ)", ["lens model \(camera.lensModel.rawValue)"] + distortion),
    ] + correlations
  }

  /// Pairs of parameters whose errors go together: either alone is known worse than both together.
  private var correlations: Facts {
    guard let covariance = record.covariance else { return [] }
    let (names, rows) = (covariance.parameters, covariance.noise)
    var pairs: [String] = []
    for i in names.indices {
      // Equal rows are one number under two names.
      for j in names.indices where j > i && rows[i] != rows[j] {
        let value = rows[i][j] / (rows[i][i] * rows[j][j]).squareRoot()
        if abs(value) > 0.95 { pairs.append("\(names[i]) and \(names[j]) \(fixed(value, 3))") }
      }
    }
    return pairs.isEmpty ? [] : [("correlated errors", [pairs.joined(separator: ", ")])]
  }

  /// What each lens model would give, where one was chosen among several.
  private var lensModels: Facts {
    guard let candidates = record.lensComparison else { return [] }
    let unknown = "–"
    let table = TextTable(
      header: ["lens", "parameters", "sigma", "held out", "behind best", "image", ""],
      alignments: [.left, .right, .right, .right, .right, .right, .left],
      rows: candidates.map { candidate in
        [
          candidate.lensModel,
          candidate.parameterCount.map { "\($0)" } ?? unknown,
          candidate.sigma.map { fixed($0, 4) } ?? unknown,
          candidate.heldOutSigma.map { fixed($0, 4) } ?? unknown,
          candidate.standardErrorsBehindBest.map { "\(fixed($0, 1)) s.e." } ?? unknown,
          candidate.imageShare.map { "\(fixed(($0 * 100).rounded(.down), 0)) %" } ?? unknown,
          candidate.isChosen ? "chosen" : "",
        ]
      })
    var notes = candidates.compactMap { candidate in
      candidate.note.map { "\(candidate.lensModel): \($0)" }
    }
    if table.rows.contains(where: { $0.contains(unknown) }) {
      notes.append("\(unknown) is not known: that model was not fitted or not compared.")
    }
    return [
      (
        "lens models",
        table.text.split(separator: "\n").map(String.init) + Self.legend(candidates) + notes
      )
    ]
  }

  private static func legend(_ candidates: [IntrinsicsRecord.LensCandidate]) -> [String] {
    let behind = candidates.compactMap(\.standardErrorsBehindBest)
    var lines =
      behind.isEmpty
      ? [
        "Sigma in pixels on the same points. With fewer than 5 views nothing can be held out: a richer "
          + "lens is chosen only if it halves sigma."
      ]
      : [
        "Sigma in pixels on the same points; the simplest within 1 s.e. (standard error of the paired "
          + "differences) of the best is chosen."
      ]
    if behind.contains(where: { $0 < -0.05 }) {
      lines.append(
        "Below 0: better than the best of those that can be chosen, but by too little for so rich a "
          + "lens.")
    }
    lines.append("image: the share of the image that the lens gives a direction to.")
    return lines
  }

  private var fieldOfView: Facts {
    let camera = record.camera
    var values = [Self.angles(camera)]
    if camera.lensModel == .spline {
      values.append("no data beyond \(degrees(camera.distortion.last)) from the axis")
    }
    return [("field of view", values)]
  }

  /// Across, down and from corner to corner; where the lens gives these places no direction, that.
  private static func angles(_ camera: CameraParameters) -> String {
    let (across, down) = (camera.horizontalFieldOfView, camera.verticalFieldOfView)
    let diagonal = camera.diagonalFieldOfView
    if across != nil, down != nil {
      return "\(degrees(across)) x \(degrees(down)), diagonal "
        + (diagonal == nil ? "unknown: the image's corners get no direction" : degrees(diagonal))
    }
    let known = [(across, "across"), (down, "down"), (diagonal, "diagonal")].compactMap {
      angle, name in angle.map { "\(degrees($0)) \(name)" }
    }
    return known.isEmpty
      ? "unknown: the image's edges get no direction"
      : known.joined(separator: ", ")
        + ", else unknown: not all of the image's edges get a direction"
  }

  private var errors: Facts {
    guard let error = record.reprojectionError else { return [("residuals", ["unknown"])] }
    return [
      (
        "residuals",
        [
          "RMS \(fixed(error.rms, 3)) px, sigma \(fixed(error.sigma, 3)) px an axis, held-out sigma "
            + (error.heldOutSigma.map { fixed($0, 3) + " px" } ?? "unknown")
        ] + patterns
      )
    ]
  }

  /// What the residuals have in common.
  private var patterns: [String] {
    guard let patterns = record.residualPatterns else { return [] }
    let rings = patterns.outwardByRadius.map { $0.map { fixed($0, 2) } ?? "–" }
    var values = [
      "outward, from the centre to the farthest corner: \(rings.joined(separator: " ")) px"
    ]
    var others: [String] = []
    if let correlation = patterns.neighbourCorrelation {
      others.append("neighbours correlate by \(fixed(correlation, 2))")
    }
    if let parity = patterns.parity {
      others.append(
        "dark and light squares pull by \(fixed(parity.x, 3)), \(fixed(parity.y, 3)) px")
    }
    if let beyond = patterns.heldOutBeyond {
      others.append("\(beyond) held-out corner\(beyond == 1 ? "" : "s") beyond 3.5 sigma")
    }
    if !others.isEmpty { values.append(others.joined(separator: ", ")) }
    return values
  }

  private var uncertainty: Facts {
    guard let grid = record.projectionUncertainty else {
      return [("projection (1σ)", ["uncertainty unknown"])]
    }
    let shares = ["0.1", "0.2", "0.4"].compactMap { level in
      // Rounded down: 100 % is all of it.
      grid.share[level].map { "\(fixed(($0 * 100).rounded(.down), 0)) % within \(level) %" }
    }
    return [
      (
        "projection (1σ)",
        [
          "median \(fixed(grid.median, 3)) px, p90 \(fixed(grid.p90, 3)) px, worst "
            + "\(fixed(grid.worst, 3)) px",
          "of the area, " + shares.joined(separator: ", ") + " of the diagonal",
        ]
          + (grid.atBoards.map {
            [
              "at the boards' distance: median \(fixed($0.median, 3)) px, p90 \(fixed($0.p90, 3)) px, "
                + "worst \(fixed($0.worst, 3)) px"
            ]
          } ?? [])
      )
    ]
  }

  private var board: Facts {
    var values: [String] = []
    if let board = record.board {
      var square = board.squareSize.map { ", squares of \(fixed($0 * 1000, 2))" } ?? ""
      if let height = board.squareHeight { square += " x \(fixed(height * 1000, 2))" }
      if !square.isEmpty { square += " mm" }
      values.append("\(board.kind) \(board.columns)x\(board.rows)\(square)")
      values += bend(board)
    }
    if !record.views.isEmpty {
      let used = record.views.count { $0.used }
      values.append("\(used) of \(record.views.count) views used")
    }
    return values.isEmpty ? [] : [("board", values)]
  }

  /// How far the board is from flat: millimetres, or squares where their size is not known.
  private func bend(_ board: IntrinsicsRecord.BoardDescription) -> [String] {
    let reason = record.held["bend"]
    guard let bend = board.bend else { return reason.map { ["bend \($0)"] } ?? [] }
    let isKnown = board.squareSize != nil
    func text(_ value: Double, _ deviation: Double) -> String {
      isKnown
        ? "\(fixed(value * 1000, 3)) ± \(fixed(deviation * 1000, 3)) mm"
        : "\(fixed(value, 5)) ± \(fixed(deviation, 5)) squares"
    }
    return [
      "bend \(text(bend.x, bend.deviationX)) along the rows, "
        + "\(text(bend.y, bend.deviationY)) down the columns" + (reason.map { " (\($0))" } ?? "")
    ]
  }

  private var lensControls: Facts {
    guard let controls = record.lensControls else { return [("lens controls", ["unknown"])] }
    guard !controls.isEmpty else { return [("lens controls", ["none"])] }
    return [
      (
        "lens controls",
        controls.sorted { $0.key < $1.key }.map { name, control in
          "\(name) \(control.value) (\(control.locked ? "locked" : "not locked"))"
        }
      )
    ]
  }

  private var verdict: Facts {
    [("verdict", [record.verdict.level.rawValue] + record.verdict.reasons)]
  }

  private var provenance: Facts {
    var made = "\(record.created) by \(record.tool)"
    let old = age(since: UTCTime(record.created), now: now)
    made += ["just now", "in the future"].contains(old) ? " (\(old))" : " (\(old) ago)"
    return [
      ("frames", ["pixel format \(record.pixelFormat ?? "unknown")"]), ("made", [made]),
    ] + (path.map { [("file", [$0])] } ?? [])
  }
}
