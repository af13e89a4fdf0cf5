import CalibrationStore
import CameraModel

@testable import CalibrationFormats

/// Calibration files of other programs: read, made a record, written in every format, read again.
func fuzzDialects(_ bytes: [UInt8]) {
  do throws(FormatError) {
    check(try CalibrationFile.camera(in: bytes))
  } catch {
    requirePrintable("\(error)")
    tryAgain(bytes, after: error.code)
  }
}

/// What a user would add to the command line after such an error.
private func tryAgain(_ bytes: [UInt8], after code: FormatError.Code) {
  var choices: [ImportOptions] = []
  let size = Resolution(width: 640, height: 480)
  switch code {
  case .missingSize:
    choices = [
      ImportOptions(resolution: size), ImportOptions(resolution: size, lensModel: .fisheye),
    ]
  case .ambiguousLens:
    choices = LensModel.allCases.map { ImportOptions(resolution: size, lensModel: $0) }
    choices += [ImportOptions(lensModel: .fisheye), ImportOptions(lensModel: .pinhole)]
  case .chooseCamera:
    choices = ["cam0", "1", "02", "left", "M1"].map { ImportOptions(camera: $0) }
  default: return
  }
  for options in choices {
    do throws(FormatError) {
      check(try CalibrationFile.camera(in: bytes, options: options))
    } catch {
      requirePrintable("\(error)")
    }
  }
}

/// A camera that was read is one: its numbers are finite, and no format changes a bit of it.
private func check(_ imported: ImportedCamera) {
  let camera = imported.camera
  require(camera.parameterVector.allSatisfy(\.isFinite), "numbers are finite: \(camera)")
  require(camera.intrinsics.fx > 0 && camera.intrinsics.fy > 0, "focal lengths: \(camera)")
  require((1...65535).contains(camera.resolution.width), "a width: \(camera)")
  require((1...65535).contains(camera.resolution.height), "a height: \(camera)")
  for notice in imported.notices { requirePrintable(notice) }
  let device = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "name:fuzz"), name: imported.name ?? "fuzz", identifiedBy: "given name")
  let record = imported.record(
    for: device, created: "2026-11-30T05:21:30Z", tool: "import-calibration", fileName: "a.yaml")
  require(!record.verdict.reasons.isEmpty || imported.record != nil, "a verdict has reasons")
  // Numbers beyond floats are the store's to refuse.
  guard (try? record.validate()) != nil else { return }
  for format in ExportFormat.allCases {
    let text: String
    do throws(FormatError) {
      text = try format.text(for: record)
    } catch {
      requirePrintable("\(error)")
      continue
    }
    do throws(FormatError) {
      let again = try CalibrationFile.camera(in: Array(text.utf8)).camera
      require(
        isSame(again, asKept(camera, by: format)),
        "\(format) keeps \(camera), found \(again):\n\(text)")
    } catch {
      require(false, "what was written as \(format) is read: \(error)\n\(text)")
    }
  }
}

private func isSame(_ a: CameraParameters, _ b: CameraParameters) -> Bool {
  a.lensModel == b.lensModel && a.resolution == b.resolution
    && a.parameterVector.map(\.bitPattern) == b.parameterVector.map(\.bitPattern)
}

/// The camera as a format is to give it back: as it is, but for what docs/formats.md says of COLMAP.
///
/// Its positions count from the corner, where a centre at −0 is at 0.5 as is one at 0, and a rational
/// lens without a denominator is a pinhole lens.
private func asKept(_ camera: CameraParameters, by format: ExportFormat) -> CameraParameters {
  guard format == .colmap else { return camera }
  var intrinsics = camera.intrinsics
  intrinsics.cx += 0
  intrinsics.cy += 0
  let denominator = camera.distortion.dropFirst(5)
  let isPinhole =
    camera.lensModel == .rational && denominator.allSatisfy { $0 == 0 && $0.sign == .plus }
  return CameraParameters(
    resolution: camera.resolution, lensModel: isPinhole ? .pinhole : camera.lensModel,
    intrinsics: intrinsics,
    distortion: isPinhole ? Array(camera.distortion.prefix(5)) : camera.distortion)
}
