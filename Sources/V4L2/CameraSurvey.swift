internal import CV4L2
package import CalibrationStore
internal import Glibc

/// A camera that is attached, and what it says of itself.
package struct SurveyedCamera: Sendable {
  /// The camera, as sysfs has it.
  package var camera: AttachedCamera
  /// What its driver says; nil where it cannot be opened.
  package var capabilities: VideoCapabilities?
  /// What it offers.
  package var formats: [OfferedFormat] = []
  /// What keeps it from being used, for people.
  package var notes: [String] = []

  /// Asks all cameras that are attached what they are; changes nothing in them.
  ///
  /// What turns out to be no camera once opened is left out.
  ///
  /// - Throws: `StoreError` with the code `unreadable`, where sysfs cannot be read.
  package static func all(
    sysfs: String = "/sys", calls: V4L2Calls = .system
  ) throws(StoreError) -> [SurveyedCamera] {
    try AttachedCamera.all(sysfs: sysfs).compactMap { SurveyedCamera($0, calls: calls) }
  }

  private init?(_ camera: AttachedCamera, calls: V4L2Calls) {
    self.camera = camera
    if camera.needsLibcamera {
      notes.append(
        "gives a sensor's raw data only: frames come through libcamera (take photographs with "
          + "rpicam-still and give them to calibrate)")
      return
    }
    do throws(V4L2Error) {
      let node = try VideoNode(anyDevice: camera.deviceFile, calls: calls)
      capabilities = node.capabilities
      do throws(V4L2Error) {
        try node.capabilities.requireCamera(camera.deviceFile)
      } catch {
        // A loopback device is a camera as soon as a program writes into it.
        let isCamera = [.unsupportedDevice, .needsLibcamera].contains(error.code)
        guard isCamera || node.capabilities.isLoopback else { return nil }
        notes.append(error.message)
        return
      }
      formats = try node.offeredFormats()
      if node.isStreamedByOthers { notes.append("busy: another program uses it") }
    } catch {
      notes.append(error.message)
    }
  }
}

extension VideoNode {
  /// Whether another program holds the camera's buffers, so that no stream can be started.
  ///
  /// Asked by giving back buffers, of which this node has none: that changes nothing, and fails where
  /// the buffers are another's. Not so with v4l2loopback, which has room for several readers and which
  /// would break their streams (see `BufferPool.isShared`): it is not asked.
  package var isStreamedByOthers: Bool {
    guard !capabilities.isLoopback else { return false }
    var request = v4l2_requestbuffers()
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    return calls.ioctl(descriptor, CV4L2_REQBUFS, &request) == -EBUSY
  }
}
