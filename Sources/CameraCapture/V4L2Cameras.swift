internal import CalibrationStore
internal import CameraModel
internal import Imaging
package import V4L2

/// The cameras that the kernel knows.
package struct V4L2Cameras: CameraProvider {
  private let calls: V4L2Calls
  private let sysfs: String

  /// - Parameters:
  ///   - calls: The system calls by which cameras are reached.
  ///   - sysfs: Where sysfs is mounted.
  package init(calls: V4L2Calls = .system, sysfs: String = "/sys") {
    self.calls = calls
    self.sysfs = sysfs
  }

  package func cameras() throws(CaptureError) -> [CameraListing] {
    let attached: [AttachedCamera]
    do {
      attached = try AttachedCamera.all(sysfs: sysfs)
    } catch {
      throw CaptureError(code: .system, subject: error.subject, message: error.message)
    }
    var listings: [CameraListing] = []
    for camera in attached where !camera.needsLibcamera && isCamera(camera.deviceFile) {
      listings.append(CameraListing(path: camera.deviceFile, identity: camera.identity))
    }
    if listings.isEmpty, let other = attached.first(where: \.needsLibcamera) {
      throw CaptureError(
        code: .noCamera, subject: other.deviceFile,
        message:
          "\(other.identity.name) gives raw sensor data that libcamera makes pictures of, and "
          + "no other camera is attached: run the program under libcamera's `libcamerify`, or plug in "
          + "a USB camera")
    }
    return listings
  }

  /// Whether a device that sysfs may say too little of is a camera.
  ///
  /// One that cannot be opened now counts as one: it is the opening that is to say why.
  private func isCamera(_ path: String) -> Bool {
    do {
      _ = try VideoNode(path: path, calls: calls)
      return true
    } catch {
      let others: [V4L2Error.Code] = [
        .missing, .notAVideoDevice, .notACamera, .metadataNode, .unsupportedDevice, .needsLibcamera,
      ]
      return !others.contains(error.code)
    }
  }

  package func camera(at path: String) throws(CaptureError) -> CameraListing {
    do {
      let attached = try AttachedCamera(deviceFile: path, sysfs: sysfs)
      return CameraListing(path: attached.deviceFile, identity: attached.identity)
    } catch {
      throw CaptureError(code: .noCamera, subject: error.subject, message: error.message)
    }
  }

  package func open(_ camera: CameraListing) throws(CaptureError) -> any CameraNode {
    do {
      return V4L2CameraNode(try VideoNode(path: camera.path, calls: calls))
    } catch {
      throw CaptureError(error)
    }
  }
}

/// An opened V4L2 camera.
final class V4L2CameraNode: CameraNode {
  private let node: VideoNode

  init(_ node: VideoNode) { self.node = node }

  func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    do {
      return try node.offeredFormats().flatMap { format in
        format.sizes.map { CaptureDevice.Format(format.pixelFormat, $0) }
      }
    } catch {
      throw CaptureError(error)
    }
  }

  func controls() throws(CaptureError) -> [CaptureDevice.Control] {
    do {
      var controls: [CaptureDevice.Control] = []
      for control in try node.controls()
      where !control.isWriteOnly && control.kind != .button && control.kind != .other {
        controls.append(
          CaptureDevice.Control(
            name: control.name, value: try node.value(of: control.id),
            minimum: control.range.lowerBound, maximum: control.range.upperBound,
            defaultValue: control.defaultValue))
      }
      return controls
    } catch {
      throw CaptureError(error)
    }
  }

  func setControl(_ name: String, to value: Int) throws(CaptureError) -> Int {
    do {
      let control = try node.control(named: name)
      try node.setValue(value, ofControl: name)
      return control.isWriteOnly ? value : try node.value(of: control.id)
    } catch {
      throw CaptureError(error)
    }
  }

  func startStream(
    _ request: StreamRequest, watching: [String]
  ) throws(CaptureError) -> any FrameStream {
    do {
      let format = try node.negotiate(
        pixelFormat: request.pixelFormat, resolution: request.resolution,
        frameInterval: request.frameDuration.flatMap(FrameInterval.init))
      let layout = try Self.layout(of: format, subject: node.path)
      var names: [UInt32: String] = [:]
      for name in watching {
        let id = try node.control(named: name).id
        names[id] = name
        do {
          // An app that sets a control of its own camera is to see the change, too.
          try node.watchControl(id, ownChanges: true)
        } catch {
          // A driver without events: nobody can tell of changes without asking for each frame.
          if error.code == .unplugged || error.code == .hardware { throw error }
        }
      }
      let stream = try VideoStream(
        node, format: format, bufferCount: request.bufferCount,
        noFramesAfterMilliseconds: Int(request.secondsWithoutFrames * 1000))
      return V4L2FrameStream(stream, layout: layout, names: names)
    } catch let error as V4L2Error {
      throw CaptureError(error)
    } catch let error as CaptureError {
      throw error
    } catch {
      throw CaptureError(code: .system, subject: node.path, message: "\(error)")
    }
  }

  private static func layout(
    of format: VideoFormat, subject: String
  ) throws(CaptureError) -> FrameLayout {
    do {
      return try format.frameLayout()
    } catch {
      throw CaptureError(code: .formatUnavailable, subject: subject, message: "\(error)")
    }
  }
}

/// Frames of a V4L2 camera.
final class V4L2FrameStream: FrameStream {
  let layout: FrameLayout
  private let stream: VideoStream
  /// The names of the controls that are watched, by the kernel's numbers.
  private let names: [UInt32: String]

  init(_ stream: VideoStream, layout: FrameLayout, names: [UInt32: String]) {
    self.stream = stream
    self.layout = layout
    self.names = names
  }

  var frameDuration: MediaTime? { stream.format.frameInterval.flatMap(MediaTime.init) }
  var bufferCount: Int { stream.bufferCount }
  var overwritesLeases: Bool { stream.node.capabilities.isLoopback }

  func next(timeoutMilliseconds: Int) throws(CaptureError) -> StreamEvent {
    do {
      if let frame = try stream.dequeue(timeoutMilliseconds: timeoutMilliseconds) {
        return .frame(frame.buffer, missedBefore: frame.missedBefore)
      }
      return changedControls()
    } catch {
      throw CaptureError(error)
    }
  }

  func watch(timeoutMilliseconds: Int) throws(CaptureError) -> StreamEvent {
    do {
      try stream.watch(timeoutMilliseconds: timeoutMilliseconds)
      return changedControls()
    } catch {
      throw CaptureError(error)
    }
  }

  private func changedControls() -> StreamEvent {
    let changes = stream.takeControlEvents().compactMap { event -> ControlChange? in
      guard let name = names[event.id], let value = event.value else { return nil }
      return ControlChange(name: name, value: value)
    }
    return changes.isEmpty ? .nothing : .controls(changes)
  }

  func wake() { stream.wake() }
  func stop() { stream.stop() }
}

extension LeasedBuffer: FrameLease {
  package var sequenceNumber: UInt32 { details.sequence }

  package var clock: CaptureClock {
    switch details.clock {
    case .monotonic: .monotonic
    case .unknown: .unknown
    }
  }

  package var timestampSource: TimestampSource {
    switch details.instant {
    case .startOfExposure: .startOfExposure
    case .endOfFrame: .endOfFrame
    }
  }

  package var defect: FrameDefect? {
    if details.isStale { return .stale }
    if details.isCorrupt { return .damaged }
    return details.isTruncated ? .truncated : nil
  }
}
