import BoardRendering
import CalibrationStore
import CameraModel
import CommandRunning
import Foundation
import Imaging

/// Whether more cases are run, as `make test-long` asks for.
let runsLongTests = ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_LONG_TESTS"] != nil

/// A folder of photographs that the tests made themselves.
struct RenderedPhotographs {
  let folder: TemporaryFolder

  init(named name: String = "rendered") throws { folder = try TemporaryFolder(named: name) }

  /// One photograph a scene: `view01.pgm`, `view02.pgm` ….
  init(_ scenes: [BoardScene]) throws {
    try self.init()
    for (index, scene) in scenes.enumerated() {
      try add(Self.name(index) + ".pgm", scene.image(noiseSeed: UInt64(100 + index)))
    }
  }

  var path: String { folder.path }

  static func name(_ index: Int) -> String { String(format: "view%02d", index + 1) }

  func add(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
  }

  func add(_ name: String, _ image: GrayImage) throws {
    try add(name, Array("P5 \(image.width) \(image.height) 255\n".utf8) + image.pixels)
  }
}

/// Scenes as a careful user photographs them, unless told otherwise.
enum Scenes {
  static let board = PrintedBoard(columns: 9, rows: 6)

  static func random(
    _ count: Int, camera: CameraParameters = .example(.pinhole), board: PrintedBoard = board,
    ranges: PoseRanges = PoseRanges(), seed: UInt64
  ) throws -> [BoardScene] {
    try BoardPose.random(count, camera: camera, board: board, ranges: ranges, seed: seed)
      .map { BoardScene(camera: camera, board: board, pose: $0) }
  }
}

extension IntrinsicsRecord {
  /// Each free parameter that is further from the truth than `deviations` of its own standard
  /// deviations, in words.
  func misses(_ truth: CameraParameters, deviations: Double) -> [String] {
    zip(camera.lensModel.parameterNames, zip(camera.parameterVector, truth.parameterVector))
      .compactMap { name, values in
        guard let deviation = standardDeviations[name],
          abs(values.0 - values.1) > deviations * deviation
        else { return nil }
        return "\(name) is \(values.0) ± \(deviation), true \(values.1)"
      }
  }

  /// All that is said in the verdict.
  var reasons: String { verdict.reasons.joined(separator: "\n") }
}
