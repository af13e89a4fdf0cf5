import Glibc

/// What was being done when a system call failed; the same `errno` means different things.
package enum V4L2Step: String, Sendable, Hashable, CaseIterable {
  case open = "cannot open the camera"
  case query = "cannot ask what the device is"
  case enumerate = "cannot ask for formats"
  case setFormat = "cannot set the format"
  case setRate = "cannot set the frame rate"
  case requestBuffers = "cannot get buffers"
  case mapBuffers = "cannot map the buffers"
  case queue = "cannot give a buffer back"
  case start = "cannot start the camera"
  case wait = "cannot wait for a frame"
  case dequeue = "cannot take a frame"
  case stop = "cannot stop the camera"
  case readControl = "cannot read a control"
  case setControl = "cannot set a control"
  case subscribe = "cannot watch a control"
  case readEvent = "cannot read an event"
}

extension V4L2Error {
  /// The error for a system call that failed with `number` in the course of `step`.
  init(_ number: Int32, during step: V4L2Step, of subject: String) {
    let (code, advice) = Self.meaning(of: number, during: step)
    self.init(
      code: code, subject: subject,
      message: "\(step.rawValue): \(advice ?? String(cString: strerror(number)))",
      systemError: number)
  }

  private static func meaning(of number: Int32, during step: V4L2Step) -> (Code, String?) {
    switch (number, step) {
    case (ENODEV, _), (ENXIO, .open):
      (
        .unplugged,
        "the camera was unplugged, or its driver was unloaded; plug it in again (a cable that is "
          + "too long or a hub without power does this, too)"
      )
    case (ENOENT, .open), (ENOTDIR, .open):
      (.missing, "there is no such file; list-cameras shows the cameras that are attached")
    case (EACCES, .open), (EPERM, .open):
      (
        .noPermission,
        "permission was refused; video devices belong to the group video: `sudo usermod -aG video "
          + "$USER`, then log in again (in a container, pass the device and its group on)"
      )
    case (EBUSY, .readControl), (EBUSY, .setControl):
      (.controlRefused, "another program holds it; close that program")
    case (EBUSY, _):
      (
        .busy,
        "another program uses it; close that program (`fuser -v /dev/video*` names it)"
      )
    case (ENOSPC, .start):
      (
        .noBandwidth,
        "the USB bus has no bandwidth left for these frames (the disk is not meant). Choose MJPG "
          + "instead of a raw format, a lower frame rate or a smaller size, or plug the camera "
          + "into a port of another USB controller, not into the same hub as another camera"
      )
    case (EIO, _):
      (
        .hardware,
        "the camera or its cable failed (input/output error); plug it in again, into another port "
          + "or with another cable"
      )
    case (ENOTTY, .query), (EINVAL, .query), (ENODEV, .query):
      (.notAVideoDevice, "this is no video device; list-cameras shows the cameras")
    case (ENOTTY, _):
      (.unsupportedDevice, "its driver does not know this call")
    case (EINVAL, .open):
      (.notAVideoDevice, "this is no video device; list-cameras shows the cameras")
    case (EINVAL, .setFormat):
      (.formatUnavailable, "the camera refuses it")
    case (EINVAL, .readControl):
      (.controlUnknown, "the camera has no such control")
    case (EINVAL, .setControl), (ERANGE, .setControl):
      (.controlRefused, "the camera refuses this value")
    case (EACCES, .setControl), (EACCES, .readControl), (EPERM, .setControl):
      (
        .controlRefused,
        "it cannot be changed now: it may be read-only, or ruled by an automatic that is on"
      )
    case (ENOMEM, _), (ENOBUFS, _):
      (.outOfResources, "there is not enough memory; choose a smaller size or fewer buffers")
    case (EMFILE, _), (ENFILE, _):
      (.outOfResources, "too many files are open (`ulimit -n` shows the limit)")
    default: (.systemCall, nil)
    }
  }
}
