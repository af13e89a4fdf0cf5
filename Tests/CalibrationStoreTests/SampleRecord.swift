import CalibrationStore
import CameraModel

/// A seeded generator (SplitMix64), so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A finite double of any magnitude, all bit patterns equally likely.
  mutating func finiteDouble() -> Double {
    while true {
      let value = Double(bitPattern: next())
      if value.isFinite { return value }
    }
  }
}

/// Records for tests.
enum Sample {
  /// A record that uses every part of the schema.
  static func record(
    device: String = "usb:046d:0825:1A2B3C4D", width: Int = 640, height: Int = 480,
    fx: Double = 533.0123456789, level: IntrinsicsRecord.Verdict.Level = .good,
    created: String = "2026-11-30T05:21:30Z", lensModel: LensModel = .pinhole,
    grid: (columns: Int, rows: Int) = (32, 18)
  ) -> IntrinsicsRecord {
    let names = lensModel.coefficientNames
    let free = lensModel.parameterNames.filter { $0 != "k3" }
    var record = IntrinsicsRecord(
      device: .init(
        id: DeviceID(rawValue: device), name: "Camera \"left\" – ä", identifiedBy: "serial number"),
      camera: CameraParameters(
        resolution: Resolution(width: width, height: height), lensModel: lensModel,
        intrinsics: Intrinsics(fx: fx, fy: 533.25, cx: 342.4, cy: 234.1),
        distortion: names.indices.map { 0.1 / Double($0 + 3) }),
      verdict: .init(level: level, reasons: ["tilt the board", "the lower right saw no board"]),
      created: created, tool: "calibrate 0.1.0")
    record.pixelFormat = "MJPG"
    for name in free { record.standardDeviations[name] = 1 / 3.0 }
    let count = free.count
    record.covariance = .init(
      parameters: free,
      noise: (0..<count).map { i in (0..<count).map { j in i == j ? 0.1 : 1e-9 / Double(i + j) } },
      viewToView: (0..<count).map { i in (0..<count).map { j in i == j ? 0.3 : -1e-7 } })
    record.reprojectionError = .init(rms: 0.1834, sigma: 0.1297, heldOutSigma: 0.1401)
    record.held = ["k3": "did not lower the held-out error"]
    record.projectionUncertainty = .init(
      columns: grid.columns, rows: grid.rows,
      sigma: (0..<grid.columns * grid.rows).map { $0 % 50 == 0 ? nil : Double($0) / 7 },
      median: 0.03, p90: 0.1, worst: nil, share: ["0.1": 0.89, "0.2": 0.97, "0.4": 1])
    record.projectionUncertainty?.atBoards = .init(
      distance: 0.45, median: 0.02, p90: 1 / 12.0, worst: nil)
    record.residualPatterns = .init(
      outwardByRadius: [0.01, -1 / 30.0, nil], neighbourCorrelation: 0.4,
      parity: SIMD2(0.02, -0.01), heldOutBeyond: 3)
    record.board = .init(kind: "chessboard", columns: 9, rows: 6, squareSize: 0.025)
    record.views = [
      .init(
        source: "left01.jpg", used: true, rms: 0.17,
        pose: .init(rotation: SIMD3(0.1, -0.2, 1e-17), translation: SIMD3(-0.1, 0.05, 0.4))),
      .init(source: "left02.jpg", used: false, reason: "no board found"),
    ]
    record.coverage = .init(
      columns: 8, rows: 6, cornerCounts: Array(0..<48), tiltHistogram: [1, 4, 3, 0, 0, 0, 0, 0, 0])
    record.lensComparison = LensModel.allCases.map { model in
      var candidate = IntrinsicsRecord.LensCandidate(
        lensModel: model.rawValue, isChosen: model == lensModel)
      if model == .rational, lensModel != .rational {
        candidate.note = "cannot be fitted to these views"
      } else {
        candidate.parameterCount = 8
        candidate.sigma = 0.1297
        candidate.heldOutSigma = 0.1401
        candidate.standardErrorsBehindBest = model == lensModel ? 0 : 2.75
        candidate.imageShare = 0.875
      }
      return candidate
    }
    record.lensControls = [
      "focus_absolute": .init(value: 30, locked: true),
      "zoom_absolute": .init(value: 0, locked: false),
    ]
    return record
  }

  /// A record with only what is required, for tests that write hundreds.
  static func smallRecord(
    device: String, fx: Double, level: IntrinsicsRecord.Verdict.Level = .good
  ) -> IntrinsicsRecord {
    IntrinsicsRecord(
      device: .init(
        id: DeviceID(rawValue: device), name: "camera", identifiedBy: "serial number"),
      camera: CameraParameters(
        resolution: Resolution(width: 640, height: 480),
        intrinsics: Intrinsics(fx: fx, fy: 500, cx: 320, cy: 240)),
      verdict: .init(level: level, reasons: []), created: "2026-11-30T05:21:30Z", tool: "test")
  }

  /// The points of two views.
  static func points(seed: UInt64 = 1) -> CalibrationPoints {
    var generator = SeededGenerator(state: seed)
    func number() -> Double { Double.random(in: -500...500, using: &generator) }
    return CalibrationPoints(
      views: (0..<2).map { view in
        CalibrationPoints.View(
          source: "left0\(view).jpg",
          board: (0..<54).map { SIMD3(Double($0 % 9) * 0.025, Double($0 / 9) * 0.025, 0) },
          pixels: (0..<54).map { _ in SIMD2(number(), number()) },
          residuals: view == 0 ? (0..<54).map { _ in SIMD2(number(), number()) } : [],
          used: (0..<54).map { $0 != 7 })
      })
  }
}
