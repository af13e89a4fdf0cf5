package import CameraModel
import Glibc
package import Imaging

/// A board before a camera, with everything that the frame depends on but the sensor's noise.
package struct BoardScene: Sendable {
  /// The camera; pixels in the centre convention.
  package var camera: CameraParameters
  package var board: PrintedBoard
  /// cameraFromBoard, metres.
  package var pose: BoardPose
  package var conditions: RenderingConditions

  /// Creates a scene.
  package init(
    camera: CameraParameters, board: PrintedBoard, pose: BoardPose,
    conditions: RenderingConditions = RenderingConditions()
  ) {
    self.camera = camera
    self.board = board
    self.pose = pose
    self.conditions = conditions
  }

  /// Where the inner corners appear: exact pixel positions, row by row; nil outside the image.
  package var corners: [SIMD2<Double>?] {
    let transform = pose.transform
    let projection = SceneProjection(camera)
    return board.cornerPoints.map { corner in
      let point = transform(corner)
      guard projection.isFaithful(at: point), let pixel = camera.project(point),
        camera.resolution.contains(pixel)
      else { return nil }
      return pixel
    }
  }

  /// The frame as 8-bit grey values; the same seed gives the same noise.
  package func image(noiseSeed: UInt64) -> GrayImage {
    let levels = greyLevels()
    var pixels = [UInt8](repeating: 0, count: levels.count)
    var random = SeededGenerator(seed: noiseSeed, stream: 0x5E5)
    let sigma = conditions.noiseSigma
    levels.withUnsafeBufferPointer { levels in
      pixels.withUnsafeMutableBufferPointer { pixels in
        var index = 0
        while index < levels.count {
          var level = Double(levels[index])
          if sigma > 0 { level += sigma * random.normal() }
          pixels[index] = UInt8(max(0, min(255, level.rounded())))
          index += 1
        }
      }
    }
    return GrayImage(
      width: camera.resolution.width, height: camera.resolution.height, pixels: pixels)
  }

  /// The frame before noise and rounding, grey levels 0…255, row by row.
  package func greyLevels() -> [Float] {
    let (width, height) = (camera.resolution.width, camera.resolution.height)
    var light = reflectedLight()
    let (cx, cy) = (Double(width - 1) / 2, Double(height - 1) / 2)
    let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
    let gradient = conditions.lightGradient
    let falloff = Float(
      conditions.vignetting / (halfWidth * halfWidth + halfHeight * halfHeight))
    let exposure = Float(conditions.exposure)
    let exponent = Float(1 / conditions.gamma)
    let isLinear = conditions.gamma == 1
    light.withUnsafeMutableBufferPointer { light in
      var row = 0
      while row < height {
        let dy = Float(Double(row) - cy)
        let rowLight = 1 + dy * Float(gradient.y / halfHeight)
        var column = 0
        while column < width {
          let dx = Float(Double(column) - cx)
          let illumination = rowLight + dx * Float(gradient.x / halfWidth)
          let lens = 1 - falloff * (dx * dx + dy * dy)
          let index = row * width + column
          let value = min(1, max(0, light[index] * illumination * lens * exposure))
          light[index] = 255 * (isLinear ? value : powf(value, exponent))
          column += 1
        }
        row += 1
      }
    }
    return light
  }
}

extension Resolution {
  /// Whether a pixel position (centre convention) lies on the image's area.
  package func contains(_ pixel: SIMD2<Double>, margin: Double = 0) -> Bool {
    pixel.x >= margin - 0.5 && pixel.y >= margin - 0.5
      && pixel.x <= Double(width) - 0.5 - margin && pixel.y <= Double(height) - 0.5 - margin
  }
}
