internal import CV4L2

/// The controls that bear on a calibration, by number and by the names that kernels give them.
package enum LensControls {
  /// A control with the name that records use and the names of other kernels.
  package struct Entry: Sendable, Hashable {
    /// The kernel's number.
    package var id: UInt32
    /// The name in records: what `v4l2-ctl` prints on a kernel since 5.18.
    package var name: String
    /// Older kernels' name.
    package var oldName: String?
  }

  /// Continuous autofocus.
  package static let focusAutomatic = Entry(
    id: UInt32(CV4L2_CID_FOCUS_AUTO), name: "focus_automatic_continuous", oldName: "focus_auto")
  /// The focus; larger is nearer in most cameras.
  package static let focus = Entry(id: UInt32(CV4L2_CID_FOCUS_ABSOLUTE), name: "focus_absolute")
  /// The zoom, optical or digital.
  package static let zoom = Entry(id: UInt32(CV4L2_CID_ZOOM_ABSOLUTE), name: "zoom_absolute")
  /// The speed of a zoom that moves; 0 where it rests.
  package static let zoomSpeed = Entry(
    id: UInt32(CV4L2_CID_ZOOM_CONTINUOUS), name: "zoom_continuous")
  /// Where the picture lies in the sensor of cameras that pan digitally.
  package static let pan = Entry(id: UInt32(CV4L2_CID_PAN_ABSOLUTE), name: "pan_absolute")
  /// The same up and down.
  package static let tilt = Entry(id: UInt32(CV4L2_CID_TILT_ABSOLUTE), name: "tilt_absolute")
  /// Image stabilisation, which moves and crops the picture.
  package static let stabilization = Entry(
    id: UInt32(CV4L2_CID_IMAGE_STABILIZATION), name: "image_stabilization")

  /// Automatic exposure; 1 is manual.
  package static let exposureAutomatic = Entry(
    id: UInt32(CV4L2_CID_EXPOSURE_AUTO), name: "auto_exposure", oldName: "exposure_auto")
  /// The exposure time in 100 µs.
  package static let exposureTime = Entry(
    id: UInt32(CV4L2_CID_EXPOSURE_ABSOLUTE), name: "exposure_time_absolute",
    oldName: "exposure_absolute")
  /// Whether the camera may lower its frame rate to expose longer.
  package static let exposureLowersRate = Entry(
    id: UInt32(CV4L2_CID_EXPOSURE_AUTO_PRIORITY), name: "exposure_dynamic_framerate",
    oldName: "exposure_auto_priority")

  /// Those that change the intrinsics.
  package static let lens = [
    focusAutomatic, focus, zoom, zoomSpeed, pan, tilt, stabilization,
  ]
  /// Those of the exposure, which change what is seen, not where.
  package static let exposure = [exposureAutomatic, exposureTime, exposureLowersRate]

  /// The entry for a control's number.
  package static func entry(_ id: UInt32) -> Entry? {
    (lens + exposure).first { $0.id == id }
  }

  /// The number for a name of any kernel.
  package static func id(named name: String) -> UInt32? {
    (lens + exposure).first { $0.name == name || $0.oldName == name }?.id
  }

  /// A control's name as `v4l2-ctl` makes it of the driver's: letters and digits in lower case, one
  /// `_` for each run of anything else.
  package static func name(fromTitle title: String) -> String {
    var name = ""
    var isPending = false
    for byte in title.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isPending { name += "_" }
        isPending = false
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: isPending = !name.isEmpty
      }
    }
    return name.lowercased()
  }
}
