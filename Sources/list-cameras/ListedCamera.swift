import CalibrationStore
import CameraModel
import CommandLineTool
import Imaging
import V4L2

/// A camera with the calibrations that are stored for it.
struct ListedCamera {
  let surveyed: SurveyedCamera
  /// The sizes that are calibrated, with the verdict; "unreadable" for a record that cannot be read.
  let calibrations: [(resolution: Resolution, verdict: String)]

  init(_ surveyed: SurveyedCamera, _ stored: [StoredCalibration]) {
    self.surveyed = surveyed
    calibrations = stored.map { entry in
      switch entry.record {
      case .success(let record): (entry.resolution, record.verdict.level.rawValue)
      case .failure: (entry.resolution, "unreadable")
      }
    }
  }

  private var identity: IntrinsicsRecord.DeviceIdentity { surveyed.camera.identity }

  /// The calibrations at sizes that no format offers, as a camera's photographs have them.
  private var elsewhere: [(resolution: Resolution, verdict: String)] {
    let sizes = surveyed.formats.flatMap(\.sizes)
    return calibrations.filter { entry in !sizes.contains { $0.contains(entry.resolution) } }
  }

  /// For people: the camera in lines, its formats as a table.
  var text: String {
    var text = "\(surveyed.camera.deviceFile)  \(identity.name.printable)\n"
    text += "  \(identity.id.rawValue.printable) (by \(identity.identifiedBy))\n"
    var table = TextTable(
      header: ["FORMAT", "SIZE", "FRAMES A SECOND", "CALIBRATED"],
      alignments: [.left, .left, .left, .left])
    for format in surveyed.formats where format.pixelFormat.isSupported {
      for size in format.sizes {
        table.rows.append(
          [
            format.pixelFormat.description, size.description, size.rates ?? "–",
            calibrated(at: size),
          ])
      }
      if format.sizes.isEmpty {
        table.rows.append([format.pixelFormat.description, "–", "–", "–"])
      }
    }
    if !table.rows.isEmpty {
      text += table.text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    let others = surveyed.formats.filter { !$0.pixelFormat.isSupported }
    if !others.isEmpty {
      text += folded(
        "other formats, which are not read here: "
          + others.map(\.pixelFormat.description).joined(separator: ", "))
    }
    if !elsewhere.isEmpty {
      text +=
        "  also calibrated: "
        + elsewhere.map { "\($0.resolution) \($0.verdict)" }.joined(separator: ", ") + "\n"
    }
    for note in surveyed.notes { text += folded("note: " + note.printable) }
    return text
  }

  /// A text in indented lines, the later ones more so.
  private func folded(_ text: String) -> String {
    wrapped(text, width: 76)
      .enumerated().map { ($0.offset == 0 ? "  " : "    ") + $0.element + "\n" }.joined()
  }

  /// What is calibrated at a size: the verdict, with the sizes where it is a range.
  private func calibrated(at size: OfferedSize) -> String {
    let found = calibrations.filter { size.contains($0.resolution) }
    guard !found.isEmpty else { return "–" }
    if size.minimum == size.maximum { return found[0].verdict }
    return found.map { "\($0.resolution) \($0.verdict)" }.joined(separator: ", ")
  }

  /// For programs.
  var json: JSONValue {
    .object([
      .init("node", .string(surveyed.camera.deviceFile)), .init("name", .string(identity.name)),
      .init("id", .string(identity.id.rawValue)),
      .init("identifiedBy", .string(identity.identifiedBy)),
      .init("driver", .optional(surveyed.capabilities?.driver)),
      .init("busInfo", .optional(surveyed.capabilities?.busInfo)),
      .init("formats", .array(surveyed.formats.map(json(of:)))),
      .init("calibrations", .array(calibrations.map(json(of:)))),
      .init("notes", .array(surveyed.notes.map { .string($0) })),
    ])
  }

  private func json(of entry: (resolution: Resolution, verdict: String)) -> JSONValue {
    var object = json(of: entry.resolution)
    object["verdict"] = .string(entry.verdict)
    return object
  }

  private func json(of format: OfferedFormat) -> JSONValue {
    .object([
      .init("format", .string(format.pixelFormat.description)),
      .init("isSupported", .boolean(format.pixelFormat.isSupported)),
      .init("sizes", .array(format.sizes.map(json(of:)))),
    ])
  }

  private func json(of size: OfferedSize) -> JSONValue {
    var object =
      size.minimum == size.maximum
      ? json(of: size.minimum)
      : .object([
        .init("minimum", json(of: size.minimum)), .init("maximum", json(of: size.maximum)),
        .init("step", json(of: size.step)),
      ])
    object["framesPerSecond"] = .array(size.intervals.map { .number($0.framesPerSecond) })
    if size.isIntervalRange { object["anyRateBetween"] = .boolean(true) }
    if size.minimum == size.maximum {
      object["calibrated"] = .optional(
        calibrations.first { $0.resolution == size.minimum }?.verdict)
    }
    return object
  }

  private func json(of resolution: Resolution) -> JSONValue {
    .object([
      .init("width", .integer(resolution.width)), .init("height", .integer(resolution.height)),
    ])
  }
}

extension OfferedSize {
  /// Its rates for people: `30, 15`, `30 to 1`; nil where the driver tells none.
  fileprivate var rates: String? {
    guard !intervals.isEmpty else { return nil }
    let rates = intervals.map { $0.description.replacingSuffix(" fps") }
    return isIntervalRange ? rates.joined(separator: " to ") : rates.joined(separator: ", ")
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
