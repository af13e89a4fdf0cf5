package import CameraModel
internal import Glibc

extension CameraCalibration {
  /// Calibrates a camera, and starts again from other focal lengths when the answer is suspect.
  ///
  /// Both of OpenCV's solvers can end in a wrong minimum (fx 5731 px instead of 330 on a published
  /// set) or stop with an assertion. An answer is suspect if its RMS exceeds 1 px, its focal length is
  /// outside 0.2–10 image widths, or its distortion folds over inside the image; then every start of a
  /// list is tried and the best answer kept. For a fisheye lens, views that OpenCV calls
  /// ill-conditioned are left out and named.
  ///
  /// - Parameters:
  ///   - views: At most about 40: the cost grows with the cube of their number in OpenCV 4.6.
  ///   - lensModel: What `options.freeCoefficients` refers to.
  ///   - staysWithStart: Whether `options.start` is the only start, and what it leads to the answer.
  /// - Throws: `invalidArgument`; `noUsableView` and `exception` if no start leads to an answer.
  package static func calibrate(
    _ views: [BoardView], resolution: Resolution, lensModel: LensModel, options: Options,
    staysWithStart: Bool = false
  ) throws(OpenCVError) -> CameraCalibration {
    guard !views.isEmpty else {
      throw OpenCVError(
        code: .noUsableView, operation: "calibrating a \(lensModel.rawValue) lens",
        message: "there are no views")
    }
    if lensModel == .fisheye {
      return try fisheye(
        views, resolution: resolution, options: options, staysWithStart: staysWithStart)
    }
    var best: CameraCalibration?
    var failure: OpenCVError?
    do {
      let first = try single(views, resolution: resolution, lensModel: lensModel, options: options)
      guard first.isSuspect, !staysWithStart else { return first }
      best = first
    } catch {
      guard error.code == .exception, !staysWithStart else { throw error }
      failure = error
    }
    for factor in startFocalLengths(views, resolution: resolution, lensModel: lensModel) {
      let start = start(
        focalLength: factor * Double(resolution.width), resolution: resolution, lensModel: lensModel
      )
      // First the focal length and k1 alone: with all coefficients free a far start runs away.
      var gentle = options
      gentle.start = start
      gentle.freeCoefficients = options.freeCoefficients.indices.map {
        $0 == 0 && options.freeCoefficients[0]
      }
      gentle.fixesPrincipalPoint = true
      var full = options
      do {
        full.start = try single(
          views, resolution: resolution, lensModel: lensModel, options: gentle
        ).camera
        let answer = try single(views, resolution: resolution, lensModel: lensModel, options: full)
        if best.map({ answer.isBetter(than: $0) }) ?? true { best = answer }
        if !answer.isSuspect { break }
      } catch {
        guard error.code == .exception else { throw error }
        failure = error
      }
    }
    if let best { return best }
    throw failure
      ?? OpenCVError(
        code: .exception, operation: "calibrating a \(lensModel.rawValue) lens",
        message: "no start led to an answer")
  }

  /// Whether the answer is likely to be a wrong minimum.
  package var isSuspect: Bool { !isPlausible || rms > 1 }

  private var isPlausible: Bool {
    let width = Double(max(camera.resolution.width, camera.resolution.height))
    let f = camera.intrinsics
    return [f.fx, f.fy].allSatisfy {
      $0 > 0.2 * Double(min(camera.resolution.width, camera.resolution.height)) && $0 < 10 * width
    }
      && !camera.foldsOver
  }

  /// A plausible answer beats one that is not; then the smaller error wins.
  private func isBetter(than other: CameraCalibration) -> Bool {
    isPlausible != other.isPlausible ? isPlausible : rms < other.rms
  }

  /// A camera without distortion that looks at the middle of the image.
  static func start(
    focalLength: Double, resolution: Resolution, lensModel: LensModel
  ) -> CameraParameters {
    CameraParameters(
      resolution: resolution, lensModel: lensModel,
      intrinsics: Intrinsics(
        fx: focalLength, fy: focalLength, cx: Double(resolution.width - 1) / 2,
        cy: Double(resolution.height - 1) / 2))
  }

  /// Focal lengths to start from, in image widths, the most promising first.
  ///
  /// For each of a ladder of focal lengths the views get the poses that a camera without distortion
  /// would see them under; the median over the views of what is left is the figure of merit.
  static func startFocalLengths(
    _ views: [BoardView], resolution: Resolution, lensModel: LensModel
  ) -> [Double] {
    // Steps of a quarter: the answer need only be near enough for the solver to find its way.
    let ladder = (0..<18).map { (lensModel == .fisheye ? 0.12 : 0.2) * pow(1.25, Double($0)) }
    let step = max(1, (views.count + 11) / 12)
    let sample = stride(from: 0, to: views.count, by: step).map { views[$0] }
    let scored = ladder.map { factor in
      let camera = start(
        focalLength: factor * Double(resolution.width), resolution: resolution, lensModel: lensModel
      )
      let errors = sample.map { meanSquaredError(of: $0, seenBy: camera) ?? .infinity }.sorted()
      return (factor: factor, error: errors[errors.count / 2])
    }
    return scored.filter { $0.error.isFinite }.sorted { $0.error < $1.error }.prefix(6).map(
      \.factor)
  }

  /// The mean squared pixel distance of a view under the best pose of a camera, nil without one.
  static func meanSquaredError(of view: BoardView, seenBy camera: CameraParameters) -> Double? {
    guard let pose = try? Pose(startOf: view, seenBy: camera) else { return nil }
    return meanSquaredError(of: view, pose: pose, camera: camera)
  }

  /// The mean squared pixel distance of a view; points that can't be projected count as a failure.
  static func meanSquaredError(
    of view: BoardView, pose: Pose, camera: CameraParameters
  ) -> Double? {
    var sum = 0.0
    for (point, pixel) in zip(view.boardPoints, view.pixels) {
      guard let projected = camera.project(pose(point)) else { return nil }
      let difference = projected - pixel
      sum += (difference * difference).sum()
    }
    return sum / Double(max(1, view.pixels.count))
  }
}
