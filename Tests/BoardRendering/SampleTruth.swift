import Boards
import CameraModel

/// What `truth.json` says of a rendered sequence.
package struct SampleTruth: Codable, Sendable, Hashable {
  package struct Camera: Codable, Sendable, Hashable {
    package var width, height: Int
    package var lensModel: String
    package var fx, fy, cx, cy: Double
    package var distortion: [String: Double]
  }
  package struct Board: Codable, Sendable, Hashable {
    package var kind: String
    package var columns, rows: Int
    package var squareSize: Double
  }
  package struct Conditions: Codable, Sendable, Hashable {
    package var blurSigma, noiseSigma, gamma: Double
  }
  package struct Frame: Codable, Sendable, Hashable {
    package var file: String
    package var rotation, translation: [Double]
    package var corners: [[Double]]
  }

  package var pixelOrigin: String
  package var camera: Camera
  package var board: Board
  package var conditions: Conditions
  package var frames: [Frame]
}

extension SampleSequence {
  /// The truth of the sequence.
  package var truth: SampleTruth {
    let intrinsics = camera.intrinsics
    return SampleTruth(
      pixelOrigin: "center",
      camera: SampleTruth.Camera(
        width: camera.resolution.width, height: camera.resolution.height,
        lensModel: camera.lensModel.rawValue, fx: intrinsics.fx, fy: intrinsics.fy,
        cx: intrinsics.cx, cy: intrinsics.cy,
        distortion: Dictionary(
          uniqueKeysWithValues: zip(camera.lensModel.coefficientNames, camera.distortion))),
      board: SampleTruth.Board(
        kind: "chessboard", columns: board.geometry.columns, rows: board.geometry.rows,
        squareSize: board.geometry.squareSizeMetres),
      conditions: SampleTruth.Conditions(
        blurSigma: conditions.blurSigma, noiseSigma: conditions.noiseSigma, gamma: conditions.gamma),
      frames: poses.indices.map { index in
        let pose = poses[index]
        return SampleTruth.Frame(
          file: fileNames[index],
          rotation: [pose.rotation.x, pose.rotation.y, pose.rotation.z],
          translation: [pose.translation.x, pose.translation.y, pose.translation.z],
          corners: scene(index).corners.compactMap { $0.map { [$0.x, $0.y] } })
      })
  }
}

extension SampleTruth {
  /// The truth as JSON for people to read: one line for what belongs together, a row of corners a line.
  package var json: String {
    func list(_ values: [Double]) -> String {
      "[" + values.map { "\($0)" }.joined(separator: ", ") + "]"
    }
    let coefficients = camera.distortion.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    let frames = self.frames.map { frame in
      let rows = stride(from: 0, to: frame.corners.count, by: board.columns).map { start in
        "        "
          + frame.corners[start..<min(start + board.columns, frame.corners.count)].map(list)
          .joined(separator: ", ")
      }
      return """
            {
              "file": "\(frame.file)",
              "rotation": \(list(frame.rotation)),
              "translation": \(list(frame.translation)),
              "corners": [
        \(rows.joined(separator: ",\n"))
              ]
            }
        """
    }
    return """
      {
        "pixelOrigin": "\(pixelOrigin)",
        "camera": {
          "width": \(camera.width), "height": \(camera.height), "lensModel": "\(camera.lensModel)",
          "fx": \(camera.fx), "fy": \(camera.fy), "cx": \(camera.cx), "cy": \(camera.cy),
          "distortion": {\(coefficients)}
        },
        "board": {
          "kind": "\(board.kind)", "columns": \(board.columns), "rows": \(board.rows),
          "squareSize": \(board.squareSize)
        },
        "conditions": {
          "blurSigma": \(conditions.blurSigma), "noiseSigma": \(conditions.noiseSigma),
          "gamma": \(conditions.gamma)
        },
        "frames": [
      \(frames.joined(separator: ",\n"))
        ]
      }

      """
  }
}
