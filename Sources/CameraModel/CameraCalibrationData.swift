public import FoundationEssentials

/// How far a lookup table is from the lens that it stands for, in pixels of the camera's image.
public struct LensTableResidual: Sendable, Hashable {
  /// The largest distance.
  public var maximum: Double
  /// The root of the mean squared distance.
  public var rms: Double
  /// The share of the image, 0…1, that the figures speak of.
  ///
  /// Below 1 where the lens folds over, and where an undistorted image would be stretched tenfold: on a
  /// fisheye at directions of 72° and more from its axis.
  public var share: Double

  /// Creates the figures.
  public init(maximum: Double, rms: Double, share: Double) {
    self.maximum = maximum
    self.rms = rms
    self.share = share
  }
}

/// A camera's calibration in the form that iOS hands out with photographs (`AVCameraCalibrationData`).
///
/// Everything here is in Apple's pixel-*corner* convention: (0, 0) is the top-left corner of the
/// top-left pixel, where the rest of this package has that pixel's centre (the numbers are larger by
/// 0.5). There is one camera and nothing to be related to, so `extrinsicMatrix` does not exist.
public struct CameraCalibrationData: Sendable, Hashable {
  /// The camera that the data were made from, in this package's conventions.
  public let camera: CameraParameters
  /// The side of a pixel at the reference dimensions in millimetres; nil where it is not known.
  public let pixelSize: Float?
  /// The centre of both tables in pixels of the reference dimensions, pixel-corner convention.
  ///
  /// The principal point, unless the lens has tangential distortion: a table knows none, and a shifted
  /// centre takes its place as well as it can.
  public let lensDistortionCenter: SIMD2<Double>
  /// From undistorted to distorted points: what is needed for each pixel of a rectified image.
  public let lensDistortionTable: LensDistortionTable
  /// From distorted to undistorted points.
  public let inverseLensDistortionTable: LensDistortionTable
  /// How far `lensDistortionTable` is from the lens.
  public let lensDistortionResidual: LensTableResidual
  /// How far `inverseLensDistortionTable` is from the lens.
  public let inverseLensDistortionResidual: LensTableResidual

  /// Makes the tables of a camera: some hundredths of a second of work, to be done once.
  ///
  /// Centre and both tables are fitted together, by least squares over the image.
  ///
  /// - Parameters:
  ///   - camera: The camera at its size of frames.
  ///   - pixelSize: The side of a pixel in millimetres, where a data sheet says it.
  public init(_ camera: CameraParameters, pixelSize: Float? = nil) {
    let fit = LensTableFit(camera)
    self.camera = camera
    self.pixelSize = pixelSize
    lensDistortionCenter = fit.center
    lensDistortionTable = fit.forward
    inverseLensDistortionTable = fit.inverse
    lensDistortionResidual = fit.forwardResidual
    inverseLensDistortionResidual = fit.inverseResidual
  }

  /// The intrinsic matrix for images of the reference dimensions, column-major, its principal point in
  /// the pixel-corner convention.
  public var intrinsicMatrix: matrix_float3x3 { camera.intrinsics.matrix(origin: .corner) }

  /// The size of the images that matrix and centre belong to.
  ///
  /// For another resize of the same image divide: in the pixel-corner convention fx, fy and the
  /// principal point are all multiplied by the plain ratio of the sizes.
  public var intrinsicMatrixReferenceDimensions: Resolution { camera.resolution }

  /// `lensDistortionTable` as Apple's `Data` of 42 `Float`s, in the machine's byte order.
  ///
  /// An optional as on iOS, where it may be nil; here it never is.
  public var lensDistortionLookupTable: Data? { lensDistortionTable.data }

  /// `inverseLensDistortionTable` as Apple's `Data` of 42 `Float`s, in the machine's byte order.
  ///
  /// An optional as on iOS, where it may be nil; here it never is.
  public var inverseLensDistortionLookupTable: Data? { inverseLensDistortionTable.data }

  /// iOS: the pose against another camera of the same device.
  @available(
    *, unavailable,
    message:
      "one camera has no pose against another; poses of a board are in IntrinsicsRecord.views"
  )
  public var extrinsicMatrix: Never? { nil }

  /// The place in the distorted image of a point of the undistorted one; pixels, pixel-corner
  /// convention.
  public func distortedPoint(for point: SIMD2<Double>) -> SIMD2<Double> {
    lensDistortionTable.apply(
      to: point, center: lensDistortionCenter, width: Double(camera.resolution.width),
      height: Double(camera.resolution.height))
  }

  /// The place in the undistorted image of a point of the distorted one; pixels, pixel-corner
  /// convention.
  public func undistortedPoint(for point: SIMD2<Double>) -> SIMD2<Double> {
    inverseLensDistortionTable.apply(
      to: point, center: lensDistortionCenter, width: Double(camera.resolution.width),
      height: Double(camera.resolution.height))
  }
}
