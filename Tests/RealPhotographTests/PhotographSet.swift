import CalibrationStore
import CameraModel
import TestSupport
import Testing

/// One set of real photographs and how it is calibrated.
struct PhotographSet: Sendable, CustomTestStringConvertible {
  var name: String
  /// A folder or pattern below the shared data.
  var files: String
  /// Inner corners.
  var board: String
  var lens = LensModel.pinhole
  /// Left to the long tests.
  var isLong = false

  var testDescription: String { name }

  var arguments: [String] {
    ["--board", board, "--lens", lens.rawValue, SharedData.path(files)]
  }

  /// Those of `sets` that are run this time.
  static func chosen(_ sets: [PhotographSet]) -> [PhotographSet] {
    sets.filter { runsLongTests || !$0.isLong }
  }

  // What is long says nothing that another one does not say too; it is most of the time.
  static let openCVLeft = PhotographSet(
    name: "opencv-stereo left", files: "opencv-stereo-vga/left*.jpg", board: "9x6")
  static let stereoWebcam = PhotographSet(
    name: "stereo-webcam left", files: "stereo-webcam-640x360/left*.jpg", board: "9x6")
  static let gopro = PhotographSet(
    name: "gopro-wide", files: "gopro-wide-1280x960", board: "8x6")
  static let portrait = PhotographSet(
    name: "portrait", files: "portrait-1080x1920", board: "12x17")
  static let rosPillarbox = PhotographSet(
    name: "ros-720p-pillarbox", files: "ros-720p-pillarbox", board: "9x7")
  static let webcam1080 = PhotographSet(
    name: "webcam-1080p", files: "webcam-1080p", board: "8x6")
  static let carnd = PhotographSet(name: "carnd", files: "carnd-720p", board: "9x6", isLong: true)
  static let iphone6 = PhotographSet(name: "iphone6", files: "iphone6-960x540", board: "9x7")
  static let sonyHX5V = PhotographSet(name: "sony-hx5v", files: "sony-hx5v-vga", board: "6x4")
  static let boardOnPhone = PhotographSet(
    name: "board-on-phone", files: "board-on-phone-vga", board: "10x10")
  static let underwater = PhotographSet(
    name: "ros-underwater", files: "ros-underwater-rov-1024", board: "7x5", isLong: true)
  static let rosWebcam = PhotographSet(
    name: "ros-webcam", files: "ros-webcam-vga", board: "8x6")
  static let woodBoard = PhotographSet(
    name: "exif-rotated-wood-board", files: "exif-rotated-wood-board", board: "7x7")
  static let fisheyeVGA = PhotographSet(
    name: "fisheye-vga", files: "fisheye-vga-published", board: "8x6", lens: .fisheye)
  static let fisheyeBoofCV = PhotographSet(
    name: "fisheye-boofcv", files: "fisheye-boofcv-640x720", board: "6x4", lens: .fisheye)
  static let fisheye2304 = PhotographSet(
    name: "fisheye-2304", files: "fisheye-2304", board: "9x6", lens: .fisheye, isLong: true)
  static let wideMixed = PhotographSet(
    name: "wide-1080p-mixed", files: "wide-1080p-mixed", board: "9x6", isLong: true)
  static let grayStriped = PhotographSet(
    name: "gray-striped-background", files: "gray-striped-background-1080p", board: "8x6")
  static let sportsHall = PhotographSet(
    name: "sports-hall-4k", files: "sports-hall-4k", board: "7x5")
  static let industrial = PhotographSet(
    name: "industrial", files: "industrial-1440x1080", board: "24x17")
}

extension Trait where Self == ConditionTrait {
  /// Tests that need the real photographs.
  static var withRealPhotographs: Self {
    .enabled(if: SharedData.isPresent, "the shared photographs are not beside the package")
  }
}
