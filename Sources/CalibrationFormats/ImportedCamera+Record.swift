package import CalibrationStore
internal import CameraModel

extension ImportedCamera {
  /// The camera as a record for the store.
  ///
  /// A record of ours stays as it is but for the device. For all others the verdict is *usable*, as
  /// nothing is known of their quality here, or *poor* where the numbers themselves speak against
  /// them.
  ///
  /// - Parameters:
  ///   - created: The time of the import, `2026-11-30T05:21:30Z`: other programs' dates have no
  ///     common form, so theirs goes into `tool` as it stands.
  ///   - tool: The program that imports, with its version.
  ///   - fileName: The file's name, for the provenance.
  package func record(
    for device: IntrinsicsRecord.DeviceIdentity, created: String, tool: String, fileName: String
  ) -> IntrinsicsRecord {
    if var record {
      record.device = device
      return record
    }
    let provenance =
      "\(tool) from \(dialect) \(fileName)" + (id.isEmpty ? "" : ", camera \(id)")
      + (date.map { ", dated \($0)" } ?? "")
    var record = IntrinsicsRecord(
      device: device, camera: camera, verdict: verdict(fileName), created: created,
      tool: provenance.printable)
    record.standardDeviations = standardDeviations
    if let rms, rms.isFinite, rms >= 0 {
      // The file says nothing of the per-axis sigma: not a number, which is stored as null.
      record.reprojectionError = .init(rms: rms, sigma: .nan, heldOutSigma: nil)
    }
    return record
  }

  private func verdict(_ fileName: String) -> IntrinsicsRecord.Verdict {
    let measured =
      rms.map { "an RMS error of \($0) px is what the file states; sigma is unknown" }
      ?? "the file states no RMS error"
    let unknown =
      "Imported from \(fileName): how good it is was not measured here (\(measured)); "
      + "`calibrate` this camera to know."
    let problems = camera.implausibilities
    return IntrinsicsRecord.Verdict(
      level: problems.contains(where: \.isGrave) ? .poor : .usable,
      reasons: (problems.map(\.sentence) + [unknown]).map(\.printable))
  }
}

extension CameraParameters {
  /// What speaks against these numbers for images of this size, and whether they can't be right.
  var implausibilities: [(sentence: String, isGrave: Bool)] {
    let (width, height) = (Double(resolution.width), Double(resolution.height))
    guard (-0.5...width - 0.5).contains(intrinsics.cx),
      (-0.5...height - 0.5).contains(intrinsics.cy)
    else {
      return [
        (
          "The principal point (\(intrinsics.cx), \(intrinsics.cy)) lies outside the \(resolution) "
            + "image: the numbers belong to another size, or to no camera.", true
        )
      ]
    }
    let share = foldedShare
    guard share > 0 else { return [] }
    let percent = (share * 1000).rounded() / 10
    return [
      (
        "The distortion folds over inside the image, in about \(max(percent, 0.1)) % of it: no "
          + "direction is seen there; calibrate with fewer coefficients.",
        share > Self.toleratedFold
      )
    ]
  }

  /// The share of the image whose fold-over is named but does not make a calibration poor.
  ///
  /// A file that others work with may fold over in the pixels of its outermost corners, where its
  /// calibration had no points.
  private static let toleratedFold = 0.01

  /// The share of the image that is not reached on the way outwards from the centre.
  private var foldedShare: Double {
    // The border belongs to it: there a fold-over begins.
    let (columns, rows) = (32, 18)
    var folded = 0
    for row in 0...rows {
      for column in 0...columns {
        let x = -0.5 + Double(resolution.width) * Double(column) / Double(columns)
        let y = -0.5 + Double(resolution.height) * Double(row) / Double(rows)
        if !isReachedOutwards(SIMD2(x, y)) { folded += 1 }
      }
    }
    return Double(folded) / Double((columns + 1) * (rows + 1))
  }

  /// Whether the pixel has a direction, and the projection moves outwards all the way to it.
  private func isReachedOutwards(_ pixel: SIMD2<Double>) -> Bool {
    guard let direction = unproject(pixel) else { return false }
    let sine = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    guard sine > 0 else { return true }
    let axis = SIMD2(direction.x, direction.y) / sine
    var last = -1.0
    for step in 1...32 {
      // Steps in the half-angle's tangent: even ones for every lens, also beyond 90°.
      let half = sine / (1 + direction.z) * Double(step) / 32
      let scale = 1 + half * half
      let point = SIMD3(
        axis.x * 2 * half / scale, axis.y * 2 * half / scale, (1 - half * half) / scale)
      guard let seen = project(point) else { return false }
      let offset = seen - SIMD2(intrinsics.cx, intrinsics.cy)
      let radius = (offset * offset).sum().squareRoot()
      guard radius > last else { return false }
      last = radius
    }
    return true
  }
}
