public import FoundationEssentials
import Glibc

/// A lens's distortion as Apple hands it out: relative radial changes at equal steps of the radius.
///
/// Sample i belongs to the radius i/(count − 1) · r_max, r_max the distance from the distortion centre
/// to the farthest corner of the image. A point at the radius r moves to r·(1 + m(r)), in its
/// direction from the centre; m is interpolated linearly, and is the last sample beyond r_max.
/// Source: Apple's documentation of `AVCameraCalibrationData.lensDistortionLookupTable`.
public struct LensDistortionTable: Sendable, Hashable {
  /// The number of samples that iPhones deliver, and that is made here.
  public static let usualCount = 42

  /// m at equal steps of the radius, from the centre to the farthest corner; 0 is no change.
  public var samples: [Float]

  /// Creates a table from its samples.
  public init(samples: [Float]) {
    self.samples = samples
  }

  /// Creates a table from `Float`s in the machine's byte order; nil where these are no whole number of
  /// them, or none.
  public init?(_ data: Data) {
    let stride = MemoryLayout<Float>.stride
    guard !data.isEmpty, data.count % stride == 0 else { return nil }
    samples = data.withUnsafeBytes { bytes in
      (0..<(bytes.count / stride)).map {
        bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Float.self)
      }
    }
  }

  /// The samples as bytes, in the machine's byte order.
  public var data: Data { samples.withUnsafeBytes { Data($0) } }

  /// m at a radius; 0 where there are no samples.
  ///
  /// - Parameters:
  ///   - radius: The distance from the distortion centre.
  ///   - maximumRadius: That of the farthest corner, in the same unit.
  public func relativeChange(atRadius radius: Double, maximumRadius: Double) -> Double {
    guard let last = samples.last else { return 0 }
    let place = radius / maximumRadius * Double(samples.count - 1)
    guard place >= 0, place < Double(samples.count - 1) else { return Double(last) }
    let index = Int(place)
    let share = place - Double(index)
    return Double(samples[index]) * (1 - share) + Double(samples[index + 1]) * share
  }

  /// Where a point lies after the table was applied, as Apple documents it.
  ///
  /// With `lensDistortionLookupTable` an undistorted point becomes a distorted one, with
  /// `inverseLensDistortionLookupTable` a distorted point an undistorted one. Point and centre have
  /// the same origin, the top-left *corner* of the image; the image may be any resize of the one that
  /// the centre belongs to if all three are resized alike.
  ///
  /// - Parameters:
  ///   - point: The point in pixels, pixel-corner convention.
  ///   - center: The distortion centre in pixels, pixel-corner convention.
  ///   - width: The width of the image in pixels.
  ///   - height: The height of the image in pixels.
  public func apply(
    to point: SIMD2<Double>, center: SIMD2<Double>, width: Double, height: Double
  ) -> SIMD2<Double> {
    let offset = point - center
    let radius = hypot(offset.x, offset.y)
    let most = Self.maximumRadius(center: center, width: width, height: height)
    guard radius.isFinite, most > 0 else { return point }
    return center + offset * (1 + relativeChange(atRadius: radius, maximumRadius: most))
  }

  /// The distance from the distortion centre to the farthest corner of the image.
  static func maximumRadius(center: SIMD2<Double>, width: Double, height: Double) -> Double {
    hypot(max(center.x, width - center.x), max(center.y, height - center.y))
  }
}
