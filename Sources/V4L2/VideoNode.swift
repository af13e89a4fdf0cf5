internal import CV4L2
internal import Glibc

/// An opened camera.
///
/// Its descriptor is closed when the last reference to it goes, so never while another thread is in a
/// call on it.
package final class VideoNode: Sendable {
  /// The device file.
  package let path: String
  /// What the driver says of it.
  package let capabilities: VideoCapabilities
  let descriptor: Int32
  let calls: V4L2Calls

  /// Opens a camera.
  ///
  /// - Parameter path: Its device file, for example `/dev/video0`, or a link to it.
  /// - Throws: `V4L2Error` with the code `missing`, `noPermission`, `notAVideoDevice`,
  ///   `metadataNode`, `notACamera`, `unsupportedDevice`, `busy` or `unplugged`.
  package convenience init(path: String, calls: V4L2Calls = .system) throws(V4L2Error) {
    try self.init(anyDevice: path, calls: calls)
    try capabilities.requireCamera(path)
  }

  /// Opens a video device, whether it is a camera or not.
  package init(anyDevice path: String, calls: V4L2Calls = .system) throws(V4L2Error) {
    var opened: Int32
    repeat { opened = calls.open(path) } while opened == -EINTR
    guard opened >= 0 else { throw V4L2Error(-opened, during: .open, of: path) }
    var answer = v4l2_capability()
    let status = calls.ioctl(opened, CV4L2_QUERYCAP, &answer)
    guard status >= 0 else {
      _ = calls.close(opened)
      throw V4L2Error(-status, during: .query, of: path)
    }
    self.path = path
    self.calls = calls
    descriptor = opened
    capabilities = VideoCapabilities(answer)
  }

  deinit { _ = calls.close(descriptor) }

  /// An ioctl that must succeed.
  func perform<Argument>(
    _ request: UInt, _ argument: inout Argument, during step: V4L2Step
  ) throws(V4L2Error) {
    let status = calls.ioctl(descriptor, request, &argument)
    guard status >= 0 else { throw V4L2Error(-status, during: step, of: path) }
  }

  /// An ioctl that walks through a list: false at the list's end.
  func enumerate<Argument>(
    _ request: UInt, _ argument: inout Argument, during step: V4L2Step = .enumerate
  ) throws(V4L2Error) -> Bool {
    let status = calls.ioctl(descriptor, request, &argument)
    if status >= 0 { return true }
    // ENOTTY: the driver has no such list.
    if status == -EINVAL || status == -ENOTTY { return false }
    throw V4L2Error(-status, during: step, of: path)
  }
}

/// What a driver says of a video device.
package struct VideoCapabilities: Sendable, Hashable {
  /// The driver's name, for example `uvcvideo`.
  package var driver: String
  /// The device's name.
  package var card: String
  /// Where the device is attached, for example `usb-0000:00:14.0-2`.
  package var busInfo: String
  /// What this video device can do; not the union of all of the camera's (`V4L2_CAP_…`).
  package var flags: UInt32

  init(_ answer: v4l2_capability) {
    driver = text(answer.driver)
    card = text(answer.card)
    busInfo = text(answer.bus_info)
    // Without the flag the driver is older than device_caps and stands for one device only.
    let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    flags = hasOwn ? answer.device_caps : answer.capabilities
  }

  /// Whether pictures can be captured from it in a way that this package knows.
  package var isCamera: Bool { has(V4L2_CAP_VIDEO_CAPTURE) && has(V4L2_CAP_STREAMING) }

  /// Whether it gives a camera's metadata instead of pictures.
  package var isMetadata: Bool { has(V4L2_CAP_META_CAPTURE) && !has(V4L2_CAP_VIDEO_CAPTURE) }

  /// Whether it is part of a camera that a media controller puts together (`V4L2_CAP_IO_MC`).
  package var isMediaControllerCentric: Bool { flags & 0x2000_0000 != 0 }

  /// v4l2loopback: it stamps buffers by CLOCK_MONOTONIC without saying so, hands out an old frame
  /// first, and writes into buffers that the reader still holds.
  package var isLoopback: Bool { driver == "v4l2 loopback" }

  private func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(flag) != 0 }

  /// Makes sure that pictures can be captured from it.
  func requireCamera(_ path: String) throws(V4L2Error) {
    let found = "\"\(card)\" (driver \(driver))"
    if isMediaControllerCentric, has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) {
      throw V4L2Error(
        code: .needsLibcamera, subject: path,
        message: "\(found) gives a sensor's raw data only: frames come through libcamera (take "
          + "photographs with rpicam-still and give them to calibrate)")
    }
    if isCamera { return }
    if isMetadata {
      throw V4L2Error(
        code: .metadataNode, subject: path,
        message: "\(found) gives a camera's metadata, no pictures; another video device of the "
          + "same camera does, usually the one with the number before: list-cameras shows it")
    }
    if isLoopback, !has(V4L2_CAP_VIDEO_CAPTURE) {
      throw V4L2Error(
        code: .notACamera, subject: path,
        message: "no program writes into the loopback device \(found): start that one first")
    }
    if has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) {
      throw V4L2Error(
        code: .unsupportedDevice, subject: path,
        message: "\(found) hands out frames in several planes of memory, which is not supported")
    }
    if has(V4L2_CAP_VIDEO_CAPTURE) {
      throw V4L2Error(
        code: .unsupportedDevice, subject: path,
        message: "\(found) does not stream into mapped buffers, which is needed")
    }
    throw V4L2Error(
      code: .notACamera, subject: path,
      message: "\(found) captures no pictures; list-cameras shows the cameras")
  }
}

/// The text in a driver's array of bytes, up to the first zero.
func text<Array: BitwiseCopyable>(_ array: Array) -> String {
  withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
