import CameraModel
import Testing

@testable import CalibrationFormats

/// Small files of the dialects for what the real files do not show.
@Suite("Other dialects")
struct OtherDialectTests {
  @Test(
    "COLMAP's models are read with their parameters' order and origin",
    arguments: [
      (
        "SIMPLE_PINHOLE 640 480 500 320.5 240.5",
        "pinhole 500.0 500.0 320.0 240.0 0.0 0.0 0.0 0.0 0.0"
      ),
      (
        "PINHOLE 640 480 500 501 320.5 240.5", "pinhole 500.0 501.0 320.0 240.0 0.0 0.0 0.0 0.0 0.0"
      ),
      (
        "SIMPLE_RADIAL 640 480 500 320.5 240.5 0.1",
        "pinhole 500.0 500.0 320.0 240.0 0.1 0.0 0.0 0.0 0.0"
      ),
      (
        "RADIAL 640 480 500 320.5 240.5 0.1 0.2",
        "pinhole 500.0 500.0 320.0 240.0 0.1 0.2 0.0 0.0 0.0"
      ),
      (
        "OPENCV 640 480 500 501 320.5 240.5 1 2 3 4",
        "pinhole 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 0.0"
      ),
      (
        "OPENCV_FISHEYE 640 480 500 501 320.5 240.5 1 2 3 4",
        "fisheye 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0"
      ),
      (
        "FULL_OPENCV 640 480 500 501 320.5 240.5 1 2 3 4 5 6 7 8",
        "rational 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0"
      ),
      (
        "FULL_OPENCV 640 480 500 501 320.5 240.5 1 2 3 4 5 0 0 0",
        "pinhole 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 5.0"
      ),
      (
        "SIMPLE_RADIAL_FISHEYE 640 480 500 320.5 240.5 0.1",
        "fisheye 500.0 500.0 320.0 240.0 0.1 0.0 0.0 0.0"
      ),
      (
        "RADIAL_FISHEYE 640 480 500 320.5 240.5 0.1 0.2",
        "fisheye 500.0 500.0 320.0 240.0 0.1 0.2 0.0 0.0"
      ),
    ])
  func colmap(line: String, expected: String) throws {
    #expect(try read("# comment\n\n7 \(line)\n").summary == "640x480 " + expected)
  }

  @Test(
    "COLMAP's other models and wrong counts are refused",
    arguments: [
      ("FOV 640 480 500 501 320 240 0.9", FormatError.Code.notRepresentable),
      ("THIN_PRISM_FISHEYE 640 480 1 1 1 1 1 1 1 1 1 1 1 1", .notRepresentable),
      ("NOVEL 640 480 1 2", .notRepresentable),
      ("PINHOLE 640 480 500 501 320", .badValue),
      ("OPENCV 640 480 500 501 320 240 1 2 3 4 5", .badValue),
      ("PINHOLE 640 480 500 501 320 nan", .badValue), ("PINHOLE 0 480 500 501 320 240", .badValue),
    ])
  func colmapRefused(line: String, code: FormatError.Code) {
    #expect(failure("1 \(line)")?.code == code)
  }

  @Test("COLMAP's cameras are chosen by their id")
  func colmapChoice() throws {
    let text = "3 PINHOLE 640 480 500 501 320 240\n9 FOV 640 480 500 501 320 240 1\n"
    #expect(failure(text)?.message.contains("3, 9") ?? false)
    #expect(try read(text, ImportOptions(camera: "3")).camera.intrinsics.fx == 500)
    #expect(failure(text, ImportOptions(camera: "9"))?.code == .notRepresentable)
    #expect(failure(text, ImportOptions(camera: "4"))?.code == .chooseCamera)
  }

  static func ros(model: String, coefficients: String, more: String = "") -> String {
    """
    image_width: 640
    image_height: 480
    camera_name: "left: one"
    camera_matrix: {rows: 3, cols: 3, data: [500, 0, 320, 0, 501, 240, 0, 0, 1]}
    distortion_model: \(model)
    distortion_coefficients: {rows: 1, cols: \(coefficients.split(separator: ",").count), data: [\(coefficients)]}
    rectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
    projection_matrix: {rows: 3, cols: 4, data: [500, 0, 320, 0, 0, 501, 240, 0, 0, 0, 1, 0]}
    \(more)
    """
  }

  @Test("ROS's models are read, others refused, binning too")
  func ros() throws {
    let fisheye = try read(Self.ros(model: "equidistant", coefficients: "1, 2, 3, 4"))
    #expect(fisheye.summary == "640x480 fisheye 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0")
    #expect(fisheye.name == "left: one")
    let rational = try read(
      Self.ros(model: "rational_polynomial", coefficients: "1, 2, 3, 4, 5, 6, 7, 8"))
    #expect(rational.camera.lensModel == .rational)
    #expect(
      failure(Self.ros(model: "double_sphere", coefficients: "1, 2"))?.code == .notRepresentable)
    #expect(
      failure(Self.ros(model: "\"\"", coefficients: "1, 2, 3, 4, 5"))?.code == .notRepresentable)
    #expect(
      failure(Self.ros(model: "plumb_bob", coefficients: "1, 2, 3, 4, 5", more: "binning_x: 2"))?
        .code == .notRepresentable)
    #expect(
      failure(Self.ros(model: "equidistant", coefficients: "1, 2, 3, 4, 5"))?.code == .badValue)
  }

  @Test("What ROS says of rectified images is not kept, and that is said where it says anything")
  func rectification() throws {
    let plain = Self.ros(model: "plumb_bob", coefficients: "0, 0, 0, 0, 0")
    #expect(try read(plain).notices == [])
    let turned = plain.replacing(
      "[1, 0, 0, 0, 1, 0, 0, 0, 1]", with: "[0.9, 0.1, 0, -0.1, 0.9, 0, 0, 0, 1]")
    #expect(
      try read(turned).notices.contains { $0.hasPrefix("rectification_matrix, which places") })
    let shifted = plain.replacing("[500, 0, 320, 0, 0,", with: "[500, 0, 320, -60, 0,")
    #expect(try read(shifted).notices.contains { $0.hasPrefix("projection_matrix, which places") })
  }

  @Test(
    "The file name that a camera is known by everywhere is said to be no name",
    arguments: ["narrow_stereo", "head_camera"])
  func placeholderName(name: String) throws {
    let text = Self.ros(model: "plumb_bob", coefficients: "0, 0, 0, 0, 0").replacing(
      "\"left: one\"", with: name)
    let camera = try read(text)
    #expect(camera.name == name)
    #expect(camera.notices.contains { $0.contains("--device-name") })
  }

  @Test(
    "Kalibr's other models are refused by name",
    arguments: [
      ("omni", "radtan"), ("ds", "none"), ("eucm", "none"), ("pinhole", "fov"),
      ("pinhole", "novel"),
    ])
  func kalibr(camera: String, distortion: String) {
    let text =
      "cam0: {camera_model: \(camera), intrinsics: [500, 501, 320, 240], distortion_model: \(distortion), distortion_coeffs: [1, 2, 3, 4], resolution: [640, 480]}"
    let error = failure(text)
    #expect(error?.code == .notRepresentable)
    #expect(error?.message.contains(camera == "pinhole" ? distortion : camera) ?? false)
  }

  @Test("ORB-SLAM's fisheye, rectified and stereo settings")
  func orbSLAM() throws {
    let base =
      "Camera.fx: 500\nCamera.fy: 501\nCamera.cx: 320\nCamera.cy: 240\nCamera.width: 640\nCamera.height: 480\n"
    let k = "Camera.k1: 1\nCamera.k2: 2\nCamera.k3: 3\n"
    let fisheye = "%YAML:1.0\nCamera.type: \"KannalaBrandt8\"\n" + base + k
    #expect(
      try read(fisheye + "Camera.k4: 4").summary
        == "640x480 fisheye 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0")
    #expect(failure(fisheye)?.message.contains("k4") ?? false)
    #expect(failure("Camera.type: \"Rectified\"\n" + base)?.message.contains("rectified") ?? false)
    #expect(failure("Camera.model: equirectangular\n" + base)?.code == .notRepresentable)
    #expect(failure(base + k + "Camera.k4: 4")?.code == .ambiguousLens)
    let stereo =
      base + """
        LEFT.height: 480
        LEFT.width: 640
        LEFT.D: {rows: 1, cols: 5, dt: d, data: [1, 2, 3, 4, 5]}
        LEFT.K: {rows: 3, cols: 3, dt: d, data: [600, 0, 330, 0, 601, 250, 0, 0, 1]}
        """
    #expect(
      try read(stereo, ImportOptions(camera: "LEFT")).summary
        == "640x480 pinhole 600.0 601.0 330.0 250.0 1.0 2.0 3.0 4.0 5.0")
  }

  @Test("OpenCV reads a key without a blank after its colon, and so do we")
  func noBlankAfterColon() throws {
    let text =
      "%YAML:1.0\nCamera.fx:500\nCamera.fy: 501\nCamera.cx:320\nCamera.cy:240\nCamera.width:640\nCamera.height:480\nViewer.PointSize:2\n"
    #expect(try read(text).summary == "640x480 pinhole 500.0 501.0 320.0 240.0 0.0 0.0 0.0 0.0 0.0")
  }

  @Test("camodocal's Kannala–Brandt has its coefficients under other numbers")
  func camodocal() throws {
    let text = """
      %YAML:1.0
      ---
      model_type: KANNALA_BRANDT
      camera_name: front
      image_width: 640
      image_height: 480
      projection_parameters: {k2: 1, k3: 2, k4: 3, k5: 4, mu: 500, mv: 501, u0: 320, v0: 240}
      """
    #expect(try read(text).summary == "640x480 fisheye 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0")
    #expect(try read(text).name == "front")
  }

  @Test("mrcal's models, also with what its calibrator appends")
  func mrcal() throws {
    func model(_ name: String, _ values: String) -> String {
      "# made by a test\n{ 'lensmodel': '\(name)',\n 'intrinsics': [ \(values),],\n 'imagersize': (640, 480),\n"
        + " 'extrinsics': [0,-0,0,0,0,0],\n 'optimization_inputs': b'P)h>@6aWAK2mk;8K>&wF{z|\\'~`' }\n"
    }
    let twelve = "500, 501, 320, 240, 1, 2, 3, 4, 5, 6, 7, 8"
    #expect(
      try read(model("LENSMODEL_OPENCV4", "500, 501, 320, 240, 1, 2, 3, 4")).summary
        == "640x480 pinhole 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 0.0")
    #expect(
      try read(model("LENSMODEL_OPENCV5", "500, 501, 320, 240, 1, 2, 3, 4, 5")).camera.distortion
        == [1, 2, 3, 4, 5])
    #expect(
      try read(model("LENSMODEL_OPENCV12", twelve + ", 0, 0, 0, 0")).camera.lensModel == .rational)
    #expect(
      failure(model("LENSMODEL_OPENCV12", twelve + ", 0, 0, 0, 1e-3"))?.code == .notRepresentable)
    #expect(failure(model("LENSMODEL_OPENCV8", "500, 501, 320, 240"))?.code == .badValue)
    #expect(
      failure(model("LENSMODEL_CAHVOR", "500, 501, 320, 240, 1, 2, 3, 4, 5"))?.code
        == .notRepresentable)
  }

  @Test("Metashape's positions count from the centre, its p1 and p2 are exchanged")
  func metashape() throws {
    func xml(_ more: String) -> String {
      "<?xml version='1.0'?><calibration><projection>frame</projection><width>641</width><height>480</height><f>500.25</f><cx>1.5</cx><cy>-2.25</cy><k1>1</k1><k2>2</k2><k3>3</k3><p1>4</p1><p2>5</p2>\(more)</calibration>"
    }
    #expect(
      try read(xml("<b1>0.5</b1>")).summary
        == "641x480 pinhole 500.75 500.25 321.5 237.25 1.0 2.0 5.0 4.0 3.0")
    for term in ["b2", "k4", "p3", "p4"] {
      #expect(failure(xml("<\(term)>1e-4</\(term)>"))?.message.hasPrefix(term) ?? false)
    }
    #expect(failure(xml("").replacing("frame", with: "fisheye"))?.code == .notRepresentable)
  }

  @Test("KITTI's raw calibrations hold the cameras themselves")
  func kitti() throws {
    let text = """
      calib_time: 09-Jan-2012 13:57:47
      corner_dist: 9.950000e-02
      S_02: 1.392000e+03 5.120000e+02
      K_02: 9.597910e+02 0 6.960217e+02 0 9.569251e+02 2.241806e+02 0 0 1
      D_02: -3.691481e-01 1.968681e-01 1.353473e-03 5.677587e-04 -6.770705e-02
      R_02: 1 0 0 0 1 0 0 0 1
      S_03: 1392 512
      K_03: 9.037596e+02 0 6.957519e+02 0 9.019653e+02 2.242509e+02 0 0 1
      D_03: -3.639558e-01 1.788651e-01 6.029694e-04 -3.922424e-04 -5.382460e-02
      """
    #expect(failure(text)?.message.contains("02, 03") ?? false)
    #expect(
      try read(text, ImportOptions(camera: "02")).summary
        == "1392x512 pinhole 959.791 956.9251 696.0217 224.1806 -0.3691481 0.1968681 0.001353473 0.0005677587 -0.06770705"
    )
  }

  @Test("DSO's named models, and omega")
  func dso() throws {
    #expect(
      try read("RadTan 500 501 320 240 1 2 3 4\n640 480\nfull\n640 480\n").summary
        == "640x480 pinhole 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 0.0")
    #expect(
      try read("EquiDistant 500 501 320 240 1 2 3 4\n640 480\ncrop\n640 480\n").camera.lensModel
        == .fisheye)
    #expect(
      failure("500 501 320 240 0.93\n640 480\ncrop\n640 480\n")?.message.contains("omega 0.93")
        ?? false)
    #expect(
      failure("0.5 0.6 0.5 0.5 0\n640 480\ncrop\n640 480\n")?.message.contains("relative") ?? false)
  }

  @Test("BoofCV's origin is the corner, its skew is refused")
  func boofCV() throws {
    func yaml(_ skew: String, _ radial: String) -> String {
      "pinhole: {fx: 500, fy: 501, cx: 320.3, cy: 240.1, width: 640, height: 480, skew: \(skew)}\nmodel: pinhole_radial_tangential\nradial_tangential: {radial: \(radial), t1: 4, t2: 5}\n"
    }
    #expect(
      try read(yaml("0.0", "[1, 2, 3]")).summary
        == "640x480 pinhole 500.0 501.0 319.8 239.6 1.0 2.0 4.0 5.0 3.0")
    #expect(try read(yaml("0.0", "[1, 2, 3, 0]")).camera.distortion == [1, 2, 4, 5, 3])
    #expect(failure(yaml("0.5", "[1]"))?.message.contains("skew") ?? false)
  }

  @Test("Bouguet's skew is refused")
  func bouguet() throws {
    func script(_ skew: String) -> String {
      "%-- a comment with fc = [ 1 ; 1 ]\nfc = [ 500 ; 501 ];\ncc = [ 320 ; 240 ];\nalpha_c = \(skew);\nkc = [ 1 ; 2 ; 3 ; 4 ; 5 ];\nnx = 640;\nny = 480;\n"
    }
    #expect(
      try read(script("0.0")).summary
        == "640x480 pinhole 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0 5.0")
    #expect(failure(script("1e-3"))?.code == .notRepresentable)
  }

  @Test("Basalt's Kannala–Brandt is a fisheye lens")
  func basalt() throws {
    let text =
      #"{"value0": {"intrinsics": [{"camera_type": "kb4", "intrinsics": {"fx": 500, "fy": 501, "cx": 320, "cy": 240, "k1": 1, "k2": 2, "k3": 3, "k4": 4}}], "resolution": [[640, 480]]}}"#
    #expect(try read(text).summary == "640x480 fisheye 500.0 501.0 320.0 240.0 1.0 2.0 3.0 4.0")
  }

  @Test(
    "Gyroflow's stretched lenses and other models are refused",
    arguments: [
      #""distortion_model": "poly5""#, #""input_horizontal_stretch": 1.33"#,
      #""digital_lens": "gopro_superview""#,
    ])
  func gyroflow(member: String) {
    let text =
      #"{"calib_dimension": {"w": 640, "h": 480}, "fisheye_params": {"camera_matrix": [[500, 0, 320], [0, 501, 240], [0, 0, 1]], "distortion_coeffs": [1, 2, 3, 4]}, "#
      + member + "}"
    #expect(failure(text)?.code == .notRepresentable)
  }
}
