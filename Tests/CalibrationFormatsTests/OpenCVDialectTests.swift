import CameraModel
import Testing

@testable import CalibrationFormats

@Suite("OpenCV's files")
struct OpenCVDialectTests {
  static func yaml(
    matrix: String = "[500., 0., 320., 0., 501., 240., 0., 0., 1.]",
    coefficients: String = "[0.1, 0.2, 0.3, 0.4, 0.5]",
    more: String = "", size: String = "image_width: 640\nimage_height: 480"
  ) -> String {
    let count = coefficients.split(separator: ",").count
    return """
      %YAML:1.0
      ---
      \(size)
      camera_matrix: !!opencv-matrix
         rows: 3
         cols: 3
         dt: d
         data: \(matrix)
      distortion_coefficients: !!opencv-matrix
         rows: 1
         cols: \(count)
         dt: d
         data: \(coefficients)
      \(more)
      """
  }

  static let plain = "640x480 pinhole 500.0 501.0 320.0 240.0 0.1 0.2 0.3 0.4 0.5"

  @Test(
    "The directives of all versions are read, and none",
    arguments: ["%YAML:1.0", "%YAML:1.0\r", "%YAML 1.0", "%YAML 1.2", "%YAML:1.0 # text", "# text"])
  func directive(line: String) throws {
    let text = Self.yaml().replacing("%YAML:1.0", with: line)
    #expect(try read(text).summary == Self.plain)
  }

  @Test("Byte-order marks and all line ends are read", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) throws {
    let text = "\u{FEFF}" + Self.yaml().replacing("\n", with: end)
    #expect(try read(text).summary == Self.plain)
  }

  @Test(
    "Sizes in all spellings are read",
    arguments: [
      "Image_Width: 640\nImage_Height: 480", "imageSize_width: 640\nimageSize_height: 480",
      "image_size: [ 640, 480 ]", "resolution: {width: 640.0, height: 480.0}",
      "width: 640\nheight: 480",
      "imageSize: !!opencv-matrix\n   rows: 2\n   cols: 1\n   dt: i\n   data: [ 640, 480 ]",
      "DIM: [640, 480]",
    ])
  func sizes(size: String) throws {
    #expect(try read(Self.yaml(size: size)).summary == Self.plain)
  }

  @Test(
    "Sizes that are none are refused",
    arguments: [
      "image_width: 640", "image_size: [640]", "image_size: [640, 480, 3]",
      "image_width: 640.5\nimage_height: 480",
      "image_width: -640\nimage_height: 480", "image_width: 0\nimage_height: 480",
      "image_width: 70000\nimage_height: 480",
      "image_size: big", "image_width: 640\nimage_width: 320\nimage_height: 480",
    ])
  func wrongSizes(size: String) {
    #expect(failure(Self.yaml(size: size))?.code == .badValue)
  }

  @Test("Rational coefficients are kept, thin-prism and tilt coefficients only where they are zero")
  func rational() throws {
    let eight = "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8"
    let expected = "640x480 rational 500.0 501.0 320.0 240.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8"
    #expect(try read(Self.yaml(coefficients: "[\(eight)]")).summary == expected)
    #expect(try read(Self.yaml(coefficients: "[\(eight), 0, 0., -0.0, 0]")).summary == expected)
    #expect(try read(Self.yaml(coefficients: "[\(eight), 0, 0, 0, 0, 0, 0]")).summary == expected)
    let prism = failure(Self.yaml(coefficients: "[\(eight), 0, 0, 1e-9, 0]"))
    #expect(prism?.code == .notRepresentable)
    #expect(prism?.message.contains("thin-prism") ?? false)
    #expect(
      failure(Self.yaml(coefficients: "[\(eight), 0, 0, 0, 0, 0, 0.01]"))?.code == .notRepresentable
    )
    // More radial coefficients than there are names for are never cut off to zeros.
    for count in [1, 2, 3, 6, 7, 9, 13, 15] {
      let values = Array(repeating: "0.1", count: count).joined(separator: ", ")
      #expect(failure(Self.yaml(coefficients: "[\(values)]"))?.code == .badValue)
    }
  }

  @Test("Four coefficients are a pinhole's, unless the file or the user says fisheye")
  func four() throws {
    let text = Self.yaml(coefficients: "[0.1, 0.2, 0.3, 0.4]")
    let pinhole = try read(text)
    #expect(pinhole.camera.lensModel == .pinhole)
    #expect(pinhole.notices.contains { $0.contains("--lens fisheye") })
    #expect(try read(text, ImportOptions(lensModel: .fisheye)).camera.lensModel == .fisheye)
    #expect(try read(text, ImportOptions(lensModel: .pinhole)).notices.isEmpty)
    let flagged = Self.yaml(coefficients: "[0.1, 0.2, 0.3, 0.4]", more: "fisheye_model: 1")
    #expect(try read(flagged).camera.lensModel == .fisheye)
    #expect(failure(flagged, ImportOptions(lensModel: .pinhole))?.code == .badValue)
    #expect(failure(Self.yaml(more: "fisheye_model: 1"))?.code == .badValue)
    #expect(failure(Self.yaml(more: "fisheye_model: 2"))?.code == .badValue)
  }

  @Test("A mere K and D with four coefficients asks for the lens model")
  func ambiguous() throws {
    let text =
      #"{"K": [[500, 0, 320], [0, 501, 240], [0, 0, 1]], "D": [0.1, 0.2, 0.3, 0.4], "DIM": [640, 480]}"#
    #expect(failure(text)?.code == .ambiguousLens)
    #expect(failure(text)?.message.contains("--lens") ?? false)
    #expect(
      try read(text, ImportOptions(lensModel: .fisheye)).summary
        == "640x480 fisheye 500.0 501.0 320.0 240.0 0.1 0.2 0.3 0.4")
    #expect(
      try read(text, ImportOptions(lensModel: .pinhole)).summary
        == "640x480 pinhole 500.0 501.0 320.0 240.0 0.1 0.2 0.3 0.4 0.0")
  }

  @Test("Skew and matrices that are no camera matrices are refused")
  func matrices() {
    let skew = failure(Self.yaml(matrix: "[500, 0.01, 320, 0, 501, 240, 0, 0, 1]"))
    #expect(skew?.code == .notRepresentable)
    #expect(skew?.message.contains("skew") ?? false)
    let transposed = failure(Self.yaml(matrix: "[500, 0, 0, 0, 501, 0, 320, 240, 1]"))
    #expect(transposed?.message.contains("transposed") ?? false)
    #expect(
      failure(Self.yaml(matrix: "[0, 0, 0, 0, 0, 0, 0, 0, 1]"))?.message.contains("not calibrated")
        ?? false)
    #expect(
      failure(Self.yaml(matrix: "[0, 0, 0, 0, 0, 0, 0, 0, 0]"))?.message.contains("not calibrated")
        ?? false)
    #expect(failure(Self.yaml(more: "xi: 1.5"))?.message.contains("omnidirectional") ?? false)
    #expect(
      failure(Self.yaml(matrix: "[500, 0, 320, 0, 501, 240, 0, 0]"))?.message.contains("3x3")
        ?? false)
    for value in [".nan", ".inf", "nan", "1e400", "five", "0x1F4"] {
      let error = failure(Self.yaml(matrix: "[\(value), 0, 320, 0, 501, 240, 0, 0, 1]"))
      #expect(error?.code == .badValue || error?.code == .notACalibration, "\(value)")
    }
    let infinite = failure(Self.yaml(coefficients: "[.nan, 0, 0, 0, 0]"))
    #expect(infinite?.code == .badValue)
    #expect(infinite?.line == 14)
  }

  @Test("A matrix without coefficients is no camera, and nothing is taken for zero")
  func noCoefficients() {
    let text = "camera_matrix: [[500, 0, 320], [0, 501, 240], [0, 0, 1]]\nimage_size: [640, 480]"
    #expect(failure(text)?.message.contains("distortion") ?? false)
  }

  @Test("Several cameras have to be chosen from, each with its own coefficients")
  func several() throws {
    let text = """
      image_size: [640, 480]
      M1: [[500, 0, 320], [0, 501, 240], [0, 0, 1]]
      D1: [[0.1, 0.2, 0.3, 0.4, 0.5]]
      M2: [[600, 0, 330], [0, 601, 250], [0, 0, 1]]
      D2: [[1, 2, 3, 4, 5]]
      """
    let error = failure(text)
    #expect(error?.code == .chooseCamera)
    #expect(error?.message.contains("M1, M2") ?? false)
    #expect(try read(text, ImportOptions(camera: "M1")).summary == Self.plain)
    #expect(
      try read(text, ImportOptions(camera: "M2")).summary
        == "640x480 pinhole 600.0 601.0 330.0 250.0 1.0 2.0 3.0 4.0 5.0")
  }

  @Test("A second document with a camera is not passed over")
  func severalDocuments() throws {
    let camera = Self.yaml()
    #expect(
      failure(camera + "\n" + camera.replacing("%YAML:1.0\n", with: ""))?.code == .chooseCamera)
    #expect(try read(camera + "\n---\nother: 1\n").summary == Self.plain)
  }

  @Test("XML is read, its comments and strings too")
  func xml() throws {
    let text = """
      <?xml version="1.0"?>
      <opencv_storage>
      <calibration_time>"Mon 1 Jan"</calibration_time><image_width>640</image_width><image_height>480</image_height>
      <!-- a comment --><Camera_Matrix type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt>
      <data>500. 0. 320. 0. 501. 240.
        0. 0. 1.</data></Camera_Matrix>
      <Distortion_Coefficients type_id="opencv-matrix"><rows>5</rows><cols>1</cols><dt>d</dt>
      <data>1e-001 2e-001 .3 0.4 5e-1</data></Distortion_Coefficients>
      <avg_reprojection_error>0.25</avg_reprojection_error>
      </opencv_storage>
      """
    let camera = try read(text)
    #expect(camera.summary == Self.plain)
    #expect(camera.date == "Mon 1 Jan")
    #expect(camera.rms == 0.25)
  }
}
