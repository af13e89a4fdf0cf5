import CameraModel
import Testing

@testable import CalibrationFormats

/// Files that hold no camera that can be represented here, with what the message must say.
struct Refused: Sendable, CustomTestStringConvertible {
  var file: String
  var code: FormatError.Code
  /// Words that the message must hold.
  var words: [String]
  var choice: String?

  init(_ file: String, _ code: FormatError.Code, _ words: [String], choose: String? = nil) {
    self.file = file
    self.code = code
    self.words = words
    self.choice = choose
  }

  var testDescription: String { file + (choice.map { " \($0)" } ?? "") }

  static let files: [Refused] = [
    Refused("basalt_euroc_ds.json", .notRepresentable, ["double-sphere", "xi, alpha"]),
    Refused(
      "basalt_euroc_ds.json", .notRepresentable, ["cam1", "double-sphere"], choose: "cam1"),
    Refused("basalt_tumvi_eucm.json", .notRepresentable, ["extended unified", "beta"]),
    Refused("boofcv_omni_fisheye.yaml", .notRepresentable, ["omnidirectional", "mirror_offset"]),
    Refused(
      "boofcv_stereo.yaml", .notRepresentable, ["4 radial", "r^8", "-0.0029503114405993124"]),
    Refused(
      "boofcv_stereo.yaml", .notRepresentable, ["k4", "-0.0028086736414089427"], choose: "right"),
    Refused("camera_model_tango_fov.yaml", .notRepresentable, ["field-of-view", "omega"]),
    Refused("double_sphere_plain.yaml", .notRepresentable, ["double-sphere"]),
    Refused("kitti_calib.txt", .notRepresentable, ["rectified", "calib_cam_to_cam.txt"]),
    Refused("mrcal_cam0_splined.cameramodel", .notRepresentable, ["splined"]),
    Refused(
      "not_a_calibration_ost.yaml", .notACalibration, ["no camera calibration", "apiVersion"]),
    Refused(
      "opencv_calibration_sample.yml", .notACalibration, ["no camera calibration", "images"]),
    Refused(
      "opencv_intrinsics_many.xml", .notRepresentable, ["inverse_brown_conrady", "direction"]),
    Refused("opensfm_camera_models.json", .notACalibration, ["camera_models"]),
    Refused("svo_fisheye.yaml", .notRepresentable, ["omni"]),
    Refused("vins_cam0_mei.yaml", .notRepresentable, ["MEI", "xi"]),
    Refused("kalibr_euroc_radtan.yaml", .chooseCamera, ["cam0, cam1", "--camera"]),
    Refused("kalibr_tumvi_equidistant.yaml", .chooseCamera, ["cam0, cam1", "--camera"]),
    Refused("kalibr_euroc_radtan.yaml", .chooseCamera, ["\"cam7\""], choose: "cam7"),
  ]
}

@Suite("Real parameter files", .enabled(if: SharedFiles.exist, "needs the shared data"))
struct RealFileTests {
  @Test("Every number is read to its last digit", arguments: Expected.readable)
  func reads(expected: Expected) throws {
    let options = ImportOptions(
      camera: expected.choice, resolution: expected.needsSize ? expected.resolution : nil)
    let read = try CalibrationFile.read(SharedFiles.path(expected.file), options: options)
    #expect(read.camera == expected.camera)
    #expect(
      read.camera.parameterVector.map(\.bitPattern)
        == expected.camera.parameterVector.map(\.bitPattern))
    #expect(read.name == expected.name)
  }

  @Test(
    "A file without an image size is an error that asks for it",
    arguments: Expected.readable.filter(\.needsSize))
  func asksForSize(expected: Expected) throws {
    let error = #expect(throws: FormatError.self) {
      try CalibrationFile.read(SharedFiles.path(expected.file))
    }
    #expect(error?.code == .missingSize)
    #expect(error?.description.contains("--size WIDTHxHEIGHT") ?? false)
  }

  @Test(
    "A size that the file contradicts is an error",
    arguments: Expected.readable.filter { !$0.needsSize })
  func refusesOtherSize(expected: Expected) throws {
    let options = ImportOptions(
      camera: expected.choice, resolution: Resolution(width: 321, height: 123))
    let error = #expect(throws: FormatError.self) {
      try CalibrationFile.read(SharedFiles.path(expected.file), options: options)
    }
    #expect(error?.code == .badValue)
    #expect(error?.description.contains("321x123") ?? false)
  }

  @Test("What has no equivalent is refused, and the message says why", arguments: Refused.files)
  func refuses(refused: Refused) throws {
    let error = #expect(throws: FormatError.self) {
      try CalibrationFile.read(
        SharedFiles.path(refused.file), options: ImportOptions(camera: refused.choice))
    }
    #expect(error?.code == refused.code)
    let message = error?.description ?? ""
    #expect(message.hasPrefix(SharedFiles.path(refused.file)))
    for word in refused.words { #expect(message.contains(word)) }
  }

  @Test("The tables name every file of the folder")
  func coversTheFolder() {
    let named = Set(Expected.readable.map(\.file)).union(Refused.files.map(\.file))
    #expect(SharedFiles.names() == named)
  }
}
