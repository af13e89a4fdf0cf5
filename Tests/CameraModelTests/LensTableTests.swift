import CameraModel
import Foundation
import Testing

@Suite("Lens distortion tables")
struct LensTableTests {
  private static let size = Resolution(width: 1920, height: 1080)

  private static func camera(
    _ distortion: [Double], lens: LensModel = .pinhole, fx: Double = 1400, fy: Double = 1400,
    cx: Double = 959.5, cy: Double = 539.5
  ) -> CameraParameters {
    CameraParameters(
      resolution: size, lensModel: lens, intrinsics: Intrinsics(fx: fx, fy: fy, cx: cx, cy: cy),
      distortion: distortion)
  }

  /// Distances over the image, at other places than those of the fit; the farthest and the RMS.
  private func distances(
    _ distance: (SIMD2<Double>) -> Double?
  ) -> (maximum: Double, rms: Double) {
    var (most, sum, count) = (0.0, 0.0, 0)
    for y in stride(from: 0.0, through: 1080, by: 30) {
      for x in stride(from: 0.0, through: 1920, by: 40) {
        guard let value = distance(SIMD2(x, y)) else { continue }
        most = max(most, value)
        sum += value * value
        count += 1
      }
    }
    return (most, (sum / Double(count)).squareRoot())
  }

  private func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }

  /// What the lens does to a point of the undistorted image; pixel-corner convention.
  private func distorted(_ point: SIMD2<Double>, _ camera: CameraParameters) -> SIMD2<Double>? {
    let k = camera.intrinsics
    let ray = SIMD3((point.x - 0.5 - k.cx) / k.fx, (point.y - 0.5 - k.cy) / k.fy, 1)
    return camera.project(ray).map { $0 + 0.5 }
  }

  /// Where a point of the image would be without distortion; pixel-corner convention.
  private func undistorted(_ point: SIMD2<Double>, _ camera: CameraParameters) -> SIMD2<Double>? {
    let k = camera.intrinsics
    return camera.unproject(point - 0.5).map {
      SIMD2(k.fx * $0.x / $0.z + k.cx, k.fy * $0.y / $0.z + k.cy) + 0.5
    }
  }

  @Test("A lens with tangential terms: a shifted centre takes them to 0.25 px, 0.06 px RMS")
  func tangential() throws {
    for (p1, p2) in [(5e-4, 5e-4), (5e-4, 0), (0, -5e-4), (-3e-4, 4e-4)] {
      let camera = Self.camera([-0.28, 0, p1, p2])
      let data = CameraCalibrationData(camera)
      let forward = distances { point in
        distorted(point, camera).map { length(data.distortedPoint(for: point) - $0) }
      }
      // In pixels of the image, of what the undistorted image shows: the points where they belong, and
      // where the inverse table says that they would have to be seen.
      let inverse = distances { point in
        distorted(point, camera).flatMap { seen in
          distorted(data.undistortedPoint(for: seen), camera).map { length($0 - seen) }
        }
      }
      for found in [forward, inverse] {
        #expect(found.maximum <= 0.25 && found.rms <= 0.06, "\(found)")
      }
      // What is said of the residual is true at other places, too.
      let said = data.lensDistortionResidual
      #expect(forward.maximum < said.maximum * 1.3 + 0.01 && said.share == 1)
      #expect(abs(forward.rms / said.rms - 1) < 0.2, "\(forward) \(said)")
      #expect(inverse.maximum < data.inverseLensDistortionResidual.maximum * 1.1)
      // −f·(p2, p1)/k1 from the principal point.
      let shift = data.lensDistortionCenter - SIMD2(960, 540)
      #expect(length(shift - SIMD2(p2, p1) * 1400 / 0.28) < 0.5, "\(shift)")
    }
  }

  @Test(
    "A spline lens: the tables end where the lens does, and its tangential terms shift the centre")
  func spline() throws {
    let camera = Self.camera(
      [0.02, 0.004, 4e-4, -3e-4, 0, 0, 0.01, 0, 0, 0.75], lens: .spline)
    let data = CameraCalibrationData(camera)
    let forward = distances { point in
      distorted(point, camera).map { length(data.distortedPoint(for: point) - $0) }
    }
    #expect(forward.maximum <= 0.25 && forward.rms <= 0.06, "\(forward)")
    // −f·(p2, p1) over the cubic coefficient, k1 − 1/3: to leading order.
    let shift = data.lensDistortionCenter - SIMD2(960, 540)
    #expect(length(shift - SIMD2(-3e-4, 4e-4) * 1400 / (1.0 / 3 - 0.02)) < 1, "\(shift)")
    // 0.75 rad are 1050 px and some from the centre, the corners 1101.
    let share = data.inverseLensDistortionResidual.share
    #expect(share > 0.9 && share < 1, "\(share)")
    #expect(data.lensDistortionTable.samples.allSatisfy { $0.isFinite })
  }

  @Test("A radial lens: forward 0.02 px, there and back 0.12 px, its centre the principal point")
  func radial() throws {
    for (distortion, share) in [
      // This one folds over inside the image, which makes the inverse steep towards the corners: linear
      // steps between 42 samples can't follow to better than 0.24 px there, however chosen.
      ([-0.28], 0.97), ([-0.28, 0.08, 0, 0, -0.01], 1), ([0.1, -0.05], 1),
    ] {
      let camera = Self.camera(distortion)
      let data = CameraCalibrationData(camera)
      #expect(data.lensDistortionCenter == SIMD2(960, 540))
      let forward = distances { point in
        distorted(point, camera).map { length(data.distortedPoint(for: point) - $0) }
      }
      #expect(forward.maximum <= 0.02)
      var (count, within) = (0.0, 0.0)
      let back = distances { point in
        let seen = data.distortedPoint(for: point)
        // Beyond the image the last sample counts.
        guard seen.x >= 0, seen.y >= 0, seen.x <= 1920, seen.y <= 1080 else { return nil }
        let distance = length(data.undistortedPoint(for: seen) - point)
        count += 1
        if distance <= 0.12 { within += 1 }
        return distance
      }
      #expect(within / count >= share, "\(within / count)")
      #expect(back.maximum <= 0.35 && back.rms <= 0.06, "\(back)")
    }
  }

  @Test("Which table goes which way: barrel distortion draws points inwards")
  func directions() throws {
    let data = CameraCalibrationData(Self.camera([-0.28]))
    let corner = SIMD2(1920.0, 1080)
    let centre = SIMD2(960.0, 540)
    #expect(length(data.distortedPoint(for: corner) - centre) < length(corner - centre) - 50)
    #expect(length(data.undistortedPoint(for: corner) - centre) > length(corner - centre) + 50)
    #expect(data.lensDistortionTable.samples.dropFirst().allSatisfy { $0 < 0 })
    #expect(data.inverseLensDistortionTable.samples.dropFirst().allSatisfy { $0 > 0 })
  }

  @Test("Apple's form: 42 floats, the matrix at its reference size with the corner as origin")
  func form() throws {
    let camera = Self.camera([-0.28, 0.05], fx: 1401, fy: 1399, cx: 950.25, cy: 541.75)
    let data = CameraCalibrationData(camera, pixelSize: 0.0014)
    let bytes = try #require(data.lensDistortionLookupTable)
    #expect(bytes.count == 168)
    #expect(data.inverseLensDistortionLookupTable?.count == 168)
    #expect(LensDistortionTable(bytes) == data.lensDistortionTable)
    let floats: [Float] = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(floats == data.lensDistortionTable.samples)
    #expect(data.intrinsicMatrix.columns.2 == SIMD3(950.75, 542.25, 1))
    #expect(data.intrinsicMatrix.columns.0.x == 1401)
    #expect(data.intrinsicMatrixReferenceDimensions == Self.size)
    #expect(data.pixelSize == 0.0014)
    #expect(data.lensDistortionCenter == SIMD2(950.75, 542.25))
  }

  @Test("A table is applied as Apple documents it: linear between samples, the last one beyond")
  func rule() throws {
    let table = LensDistortionTable(samples: [0, 0.1, 0.3])
    // The farthest corner from (30, 40) in 100x80 is 70 right and 40 down: 80.6.
    let most = (70.0 * 70 + 40 * 40).squareRoot()
    let centre = SIMD2(30.0, 40)
    func moved(_ radius: Double) -> Double {
      table.apply(to: centre + SIMD2(radius, 0), center: centre, width: 100, height: 80).x - 30
    }
    let (third, half) = (most * 0.25, most * 0.5)
    #expect(abs(moved(third) - third * 1.05) < 1e-5)
    #expect(abs(moved(half) - half * 1.1) < 1e-5)
    #expect(abs(moved(most * 0.75) - most * 0.75 * 1.2) < 1e-5)
    #expect(abs(moved(most * 2) - most * 2 * 1.3) < 1e-4)
    #expect(moved(0) == 0)
    // At half the size everything is half as large.
    let small = table.apply(to: SIMD2(40, 30), center: centre / 2, width: 50, height: 40)
    let large = table.apply(to: SIMD2(80, 60), center: centre, width: 100, height: 80)
    #expect(length(small * 2 - large) < 1e-12)
  }

  @Test("Without radial distortion to lean on, the centre is held at the principal point")
  func held() throws {
    for k1 in [0, 0.001, -0.005] {
      let camera = Self.camera([k1, 0, 5e-4, -5e-4])
      let data = CameraCalibrationData(camera)
      #expect(data.lensDistortionCenter == SIMD2(960, 540))
      // Said, not hidden: a radial table can't have it.
      #expect(data.lensDistortionResidual.maximum > 0.3)
    }
    let none = CameraCalibrationData(Self.camera([]))
    #expect(none.lensDistortionTable.samples.allSatisfy { abs($0) < 1e-7 })
    #expect(none.inverseLensDistortionTable.samples.allSatisfy { abs($0) < 1e-7 })
    #expect(none.lensDistortionResidual.maximum < 1e-3)
  }

  @Test("Fisheyes and lenses that fold over: finite tables, and the share they speak of")
  func wide() throws {
    // 100° across: all of it has a place in an undistorted image.
    let mild = CameraCalibrationData(
      Self.camera([0.02, -0.005], lens: .fisheye, fx: 1100, fy: 1100))
    #expect(mild.lensDistortionResidual.share == 1 && mild.lensDistortionResidual.maximum < 0.2)
    #expect(mild.inverseLensDistortionResidual.share == 1)
    #expect(mild.inverseLensDistortionResidual.rms < 0.2, "\(mild.inverseLensDistortionResidual)")
    // 180° and more: the rim has none.
    let wide = CameraCalibrationData(Self.camera([], lens: .fisheye, fx: 600, fy: 600))
    #expect(wide.inverseLensDistortionResidual.share < 0.9)
    #expect(wide.lensDistortionResidual.share == 1)
    let folding = CameraCalibrationData(Self.camera([-0.9]))
    #expect(folding.inverseLensDistortionResidual.share < 1)
    let broken = CameraCalibrationData(Self.camera([.nan, .infinity, 1e300, -1e300]))
    let outside = CameraCalibrationData(Self.camera([-0.3], cx: -5000, cy: 9000))
    for data in [mild, wide, folding, broken, outside] {
      #expect(data.lensDistortionTable.samples.count == 42)
      let samples = data.lensDistortionTable.samples + data.inverseLensDistortionTable.samples
      #expect(samples.allSatisfy { $0.isFinite })
      _ = data.distortedPoint(for: SIMD2(1e9, -1e9))
    }
  }

  @Test("What is no table is refused, and points that are none stay what they are")
  func badInput() throws {
    #expect(LensDistortionTable(Data()) == nil)
    #expect(LensDistortionTable(Data([1, 2, 3])) == nil)
    let empty = LensDistortionTable(samples: [])
    #expect(empty.apply(to: SIMD2(3, 4), center: SIMD2(), width: 10, height: 10) == SIMD2(3, 4))
    let one = LensDistortionTable(samples: [0.5])
    #expect(one.apply(to: SIMD2(3, 4), center: SIMD2(), width: 10, height: 10) == SIMD2(4.5, 6))
    let table = LensDistortionTable(samples: [0, 0.1])
    let odd = table.apply(to: SIMD2(.nan, 4), center: SIMD2(), width: 10, height: 10)
    #expect(odd.x.isNaN && odd.y == 4)
    #expect(table.apply(to: SIMD2(3, 4), center: SIMD2(), width: 0, height: 0) == SIMD2(3, 4))
    #expect(table.relativeChange(atRadius: 1, maximumRadius: -1).isFinite)
    #expect(table.relativeChange(atRadius: .infinity, maximumRadius: 1).isFinite)
    // A slice of bytes, not aligned.
    let bytes = Data([0]) + table.data
    #expect(LensDistortionTable(bytes.dropFirst()) == table)
  }
}
