internal import CalibrationStore
internal import CameraModel

/// A camera as read, its numbers still text, before the checks that hold for every dialect.
struct CameraDraft: Sendable, Hashable {
  var line: Int
  var resolution: Resolution?
  var fx: DecimalText
  var fy: DecimalText
  var cx: DecimalText
  var cy: DecimalText
  var skew: DecimalText?
  /// Where the file's pixel positions have their origin.
  var origin = PixelOrigin.center
  var lens: Lens
  var name: String?
  var rms: Double?
  var date: String?
  var standardDeviations: [String: Double] = [:]
  var notices: [String] = []
  var record: IntrinsicsRecord?

  /// A lens model with its coefficients in the order of `LensModel.coefficientNames`.
  struct Lens: Sendable, Hashable {
    var model: LensModel
    var coefficients: [DecimalText]
  }
}

extension CameraDraft {
  /// A draft from the four numbers fx, fy, cx, cy.
  init(_ four: [DecimalText], lens: Lens, resolution: Resolution?, line: Int)
    throws(FormatError)
  {
    guard four.count == 4 else {
      throw FormatError(
        .badValue, line: line, "\(four.count) intrinsics; expected four: fx, fy, cx, cy")
    }
    self.init(
      line: line, resolution: resolution, fx: four[0], fy: four[1], cx: four[2], cy: four[3],
      lens: lens)
  }

  /// A draft from a camera matrix with rows (fx 0 cx), (0 fy cy), (0 0 1).
  init(matrix: MatrixNode, lens: Lens, resolution: Resolution?) throws(FormatError) {
    var matrix = matrix
    if matrix.values.count == 9 { (matrix.rows, matrix.columns) = (3, 3) }
    guard matrix.rows == 3, matrix.columns == 3 else {
      throw FormatError(
        .badValue, line: matrix.line,
        "the camera matrix is \(matrix.rows)x\(matrix.columns); expected 3x3")
    }
    guard matrix.values.contains(where: { $0.value != 0 }) else {
      throw FormatError(
        .badValue, line: matrix.line,
        "the camera matrix is all zeros: this camera is not calibrated")
    }
    let rest = [matrix[1, 0], matrix[2, 0], matrix[2, 1], matrix[2, 2]].map(\.value)
    guard rest == [0, 0, 0, 1] else {
      throw FormatError(
        .badValue, line: matrix.line,
        "the camera matrix does not have the rows (fx 0 cx), (0 fy cy), (0 0 1); is it transposed?")
    }
    self.init(
      line: matrix.line, resolution: resolution, fx: matrix[0, 0], fy: matrix[1, 1],
      cx: matrix[0, 2], cy: matrix[1, 2], skew: matrix[0, 1], lens: lens)
  }

  /// The camera in our conventions.
  func finished(id: String, dialect: String, options: ImportOptions) throws(FormatError)
    -> ImportedCamera
  {
    if let record { return try finished(record, id: id, dialect: dialect, options: options) }
    if let skew, skew.value != 0 {
      throw FormatError(
        .notRepresentable, line: skew.line == 0 ? line : skew.line,
        "the skew is \(skew.text); a skewed pixel grid has no equivalent here")
    }
    guard fx.value > 0, fy.value > 0 else {
      throw FormatError(
        .badValue, line: line,
        "focal lengths \(fx.text), \(fy.text); expected both above 0: this camera is not calibrated"
      )
    }
    if let wanted = options.lensModel, wanted != lens.model {
      throw FormatError(
        .badValue, line: line,
        "the file states the lens model \(lens.model.rawValue), not \(wanted.rawValue)")
    }
    let intrinsics = Intrinsics(
      fx: fx.value, fy: fy.value, cx: try centred(cx), cy: try centred(cy))
    let camera = CameraParameters(
      resolution: try size(options), lensModel: lens.model, intrinsics: intrinsics,
      distortion: lens.coefficients.map(\.value))
    var notices = notices
    if let name, Self.placeholderNames.contains(name) {
      notices.append(
        "\"\(name)\" is what calibrators call every camera; name yours with --device-name or --device"
      )
    }
    return ImportedCamera(
      dialect: dialect, id: id, name: name.flatMap { $0.isEmpty ? nil : $0 }, camera: camera,
      standardDeviations: standardDeviations, rms: rms, date: date, notices: notices,
      record: record)
  }

  /// The names that ROS's calibrator and drivers, and camodocal, write when nobody gave one.
  private static let placeholderNames: Set<String> = ["narrow_stereo", "head_camera", "camera"]

  /// A record of ours, which needs no more checks than that it is the one which is meant.
  private func finished(
    _ record: IntrinsicsRecord, id: String, dialect: String, options: ImportOptions
  ) throws(FormatError) -> ImportedCamera {
    if let wanted = options.lensModel, wanted != record.camera.lensModel {
      throw FormatError(
        .badValue,
        "the record has the lens model \(record.camera.lensModel.rawValue), not \(wanted.rawValue)")
    }
    return ImportedCamera(
      dialect: dialect, id: id, name: record.device.name,
      camera: CameraParameters(
        resolution: try size(options), lensModel: record.camera.lensModel,
        parameterVector: record.camera.parameterVector),
      standardDeviations: record.standardDeviations, rms: record.reprojectionError?.rms,
      date: record.created, notices: notices, record: record)
  }

  private func centred(_ position: DecimalText) throws(FormatError) -> Double {
    guard origin == .corner else { return position.value }
    guard let half = DecimalText(-0.5), let shifted = position.adding(half) else {
      throw FormatError(
        .badValue, line: position.line, "\(position.text) is no position in an image")
    }
    return shifted.value
  }

  private func size(_ options: ImportOptions) throws(FormatError) -> Resolution {
    guard let resolution = resolution ?? options.resolution else {
      throw FormatError(
        .missingSize,
        "the file does not state the size of the images, without which its numbers can't be used: "
          + "give it with --size WIDTHxHEIGHT")
    }
    guard (1...65535).contains(resolution.width), (1...65535).contains(resolution.height) else {
      throw FormatError(
        .badValue, line: line,
        "the image size is \(resolution.width)x\(resolution.height); expected 1 to 65535 pixels each"
      )
    }
    if let wanted = options.resolution, wanted != resolution {
      throw FormatError(
        .badValue, line: line,
        "the file is for images of \(resolution), not \(wanted): intrinsics are not scaled on import"
      )
    }
    return resolution
  }
}
