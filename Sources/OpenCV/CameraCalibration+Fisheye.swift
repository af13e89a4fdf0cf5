internal import CameraModel

extension CameraCalibration {
  /// cv::fisheye::calibrate, kept on its feet.
  ///
  /// OpenCV starts from f = width/π or what it is given, finds each view's pose by a homography of
  /// undistorted points, and stops with an assertion where that fails (boards near or beyond 90° from
  /// the axis: `norm_u1 > 0`) or where a view's equations are ill-conditioned. Here the start comes from a ladder
  /// of focal lengths, views that stop OpenCV are left out and named, and where nothing helps the best
  /// start itself is the answer: enough for a solver of one's own to go on from.
  static func fisheye(
    _ views: [BoardView], resolution: Resolution, options: Options, staysWithStart: Bool
  ) throws(OpenCVError) -> CameraCalibration {
    var starts: [CameraParameters] = []
    if let start = options.start { starts.append(start) }
    if !staysWithStart {
      let lengths = startFocalLengths(views, resolution: resolution, lensModel: .fisheye)
      starts += lengths.prefix(3).map {
        start(
          focalLength: $0 * Double(resolution.width), resolution: resolution, lensModel: .fisheye)
      }
    }
    var best: CameraCalibration?
    for start in starts {
      var from = options
      from.start = start
      guard let answer = try fisheyeFrom(views, resolution: resolution, options: from) else {
        continue
      }
      if best.map({ answer.isBetterFisheye(than: $0, of: views) }) ?? true { best = answer }
      if !answer.isSuspect, answer.leftOut.isEmpty { break }
    }
    if let best { return best }
    for start in starts where !staysWithStart {
      if let answer = posesOnly(views, camera: start) { return answer }
    }
    throw OpenCVError(
      code: .noUsableView, operation: "calibrating a fisheye lens",
      message: "no focal length explains any of the \(views.count) views")
  }

  /// One start: leaves out view after view until OpenCV gets to its end; nil if fewer than a third
  /// of them remain.
  private static func fisheyeFrom(
    _ views: [BoardView], resolution: Resolution, options: Options
  ) throws(OpenCVError) -> CameraCalibration? {
    var used: [Int] = []
    var leftOut: [LeftOutView] = []
    for (index, view) in views.enumerated() {
      // Alone, with one step: does OpenCV find a pose at all?
      var alone = options
      alone.iterations = 1
      alone.freeCoefficients = [false, false, false, false]
      alone.fixesPrincipalPoint = true
      do {
        _ = try single([view], resolution: resolution, lensModel: .fisheye, options: alone)
        used.append(index)
      } catch {
        guard error.code == .exception else { throw error }
        leftOut.append(
          LeftOutView(index: index, reason: "OpenCV finds no start pose (\(error.shortMessage))"))
      }
    }
    // Each turn leaves out one view.
    while used.count >= max(1, views.count / 3) {
      do {
        var answer = try single(
          used.map { views[$0] }, resolution: resolution, lensModel: .fisheye, options: options,
          checksCondition: true)
        answer.usedViews = used
        answer.leftOut = leftOut.sorted { $0.index < $1.index }
        return answer
      } catch {
        guard error.code == .exception, used.count > 1 else { return nil }
        let culprit = error.illConditionedView.flatMap { used.indices.contains($0) ? $0 : nil }
        guard let position = culprit ?? hardest(used, of: views, options: options) else {
          return nil
        }
        leftOut.append(
          LeftOutView(
            index: used[position],
            reason: culprit == nil
              ? "OpenCV stops at it (\(error.shortMessage))" : "its equations are ill-conditioned"))
        used.remove(at: position)
      }
    }
    return nil
  }

  /// The position in `used` of the view whose points lie farthest from the axis: the one that most
  /// likely stops OpenCV when it does not say which.
  private static func hardest(_ used: [Int], of views: [BoardView], options: Options) -> Int? {
    guard let camera = options.start else { return nil }
    func reach(_ view: BoardView) -> Double {
      view.pixels.map { pixel in
        let d = pixel - SIMD2(camera.intrinsics.cx, camera.intrinsics.cy)
        return (d * d).sum()
      }.max() ?? 0
    }
    return used.indices.max { reach(views[used[$0]]) < reach(views[used[$1]]) }
  }

  /// The camera as it is, with the poses under which it sees the views best.
  private static func posesOnly(_ views: [BoardView], camera: CameraParameters)
    -> CameraCalibration?
  {
    var result = CameraCalibration(camera: camera, poses: [], usedViews: [], leftOut: [], rms: 0)
    var (sum, count) = (0.0, 0)
    for (index, view) in views.enumerated() {
      guard let pose = try? Pose(of: view, seenBy: camera),
        let error = meanSquaredError(of: view, pose: pose, camera: camera)
      else {
        result.leftOut.append(LeftOutView(index: index, reason: "no start pose"))
        continue
      }
      result.usedViews.append(index)
      result.poses.append(pose)
      sum += error * Double(view.pixels.count)
      count += view.pixels.count
    }
    guard count > 0 else { return nil }
    result.rms = (sum / Double(count)).squareRoot()
    return result
  }

  /// Compares two answers over all views: one that was left out counts as 3 px.
  private func isBetterFisheye(than other: CameraCalibration, of views: [BoardView]) -> Bool {
    func cost(_ c: CameraCalibration) -> Double {
      let used = Double(c.usedViews.count)
      return c.camera.foldsOver
        ? .infinity : used * min(c.rms * c.rms, 1e6) + (Double(views.count) - used) * 9
    }
    return cost(self) < cost(other)
  }
}

extension OpenCVError {
  /// The view that fisheye::calibrate names when its CALIB_CHECK_COND fails.
  fileprivate var illConditionedView: Int? {
    let key = "input array "
    guard let range = message.firstRange(of: key) else { return nil }
    return Int(message[range.upperBound...].prefix { $0.isNumber })
  }

  /// The part of an OpenCV message that says what failed: what stands after its place in the source.
  fileprivate var shortMessage: String {
    let line = message.split(separator: "\n").first.map(String.init) ?? message
    guard let range = line.firstRange(of: ") ") else { return line }
    return String(line[range.upperBound...])
  }
}
