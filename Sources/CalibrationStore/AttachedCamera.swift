/// A camera that is attached now, as the kernel describes it in sysfs; the camera is not opened.
///
/// All that asks for a camera asks here, so that an id means the same camera to every program, whether
/// or not it may open it.
public struct AttachedCamera: Sendable, Hashable {
  /// The kernel's name of its video device, for example `video0`: different after the next replug.
  public var node: String
  /// What its calibrations are filed under, a name for people, and what the id rests on.
  public var identity: IntrinsicsRecord.DeviceIdentity
  /// Whether the video device gives a sensor's raw data only, which `libcamera` makes pictures of, as
  /// with the camera connector of a Raspberry Pi: frames cannot be captured from it directly.
  public var needsLibcamera = false

  /// The video device's file, for example `/dev/video0`.
  public var deviceFile: String { "/dev/" + node }

  /// Finds out which camera a device file stands for.
  ///
  /// - A USB camera is `usb:VENDOR:PRODUCT:SERIAL` where it has a serial number that no other attached
  ///   camera has; else `bus:` with its position on the bus, as V4L2's `bus_info` writes it
  ///   (`bus:usb-0000:00:14.0-2`): which of two equal cameras it is must not be guessed. Further
  ///   cameras in one USB device have `#` and the number of their interface at the end.
  /// - A v4l2loopback device is `name:` with its label, where no other one has that label.
  /// - Other cameras are `bus:` with their position (`bus:platform:vivid-000`,
  ///   `bus:PCI:0000:01:00.0`).
  ///
  /// - Parameters:
  ///   - path: `/dev/videoN`, or a link to it as in `/dev/v4l/by-id`.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown`.
  public init(deviceFile path: String, sysfs: String = "/sys") throws(StoreError) {
    let target = RealPath.of(path) ?? path
    let name = String(target.split(separator: "/").last ?? "")
    let nodes = try VideoClassNode.all(sysfs: sysfs)
    guard let node = nodes.first(where: { $0.node == name }) else {
      throw StoreError(
        code: .cameraUnknown, subject: path.printable,
        message: "there is no such video device; list-cameras shows the cameras that are attached")
    }
    if let reason = node.noCameraReason {
      throw StoreError(code: .cameraUnknown, subject: path.printable, message: reason)
    }
    self.init(node, among: nodes)
  }

  /// All cameras that are attached, in the order of their video devices' numbers.
  ///
  /// Each is there once, with the video device that gives its pictures. A camera of a kind that sysfs
  /// says too little of may turn out, once opened, to be something else.
  ///
  /// - Parameter sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `unreadable`.
  public static func all(sysfs: String = "/sys") throws(StoreError) -> [AttachedCamera] {
    let nodes = try VideoClassNode.all(sysfs: sysfs)
    var units: Set<VideoClassNode.Unit> = []
    return nodes.filter { $0.noCameraReason == nil && units.insert($0.unit).inserted }
      .map { AttachedCamera($0, among: nodes) }
  }

  /// The attached camera that a text names.
  ///
  /// - Parameters:
  ///   - text: `/dev/videoN`, a link to it, `videoN`, the camera's id, or its name.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown` where no attached camera fits, `ambiguous`
  ///   where several do.
  public static func matching(
    _ text: String, sysfs: String = "/sys"
  ) throws(StoreError) -> AttachedCamera {
    if text.hasPrefix("/") { return try AttachedCamera(deviceFile: text, sysfs: sysfs) }
    let cameras = try all(sysfs: sysfs)
    if let camera = cameras.first(where: { $0.identity.id.rawValue == text }) { return camera }
    if VideoClassNode.number(of: text) != nil {
      return try AttachedCamera(deviceFile: "/dev/" + text, sysfs: sysfs)
    }
    let lowered = text.lowercased()
    let named = cameras.filter { $0.identity.name.lowercased() == lowered }
    if let camera = named.first, named.count == 1 { return camera }
    if named.isEmpty, text.contains("/"), Disk.exists(text) {
      return try AttachedCamera(deviceFile: text, sysfs: sysfs)
    }
    guard named.isEmpty else {
      throw StoreError(
        code: .ambiguous, subject: text.printable,
        message: "several attached cameras have this name; choose one by its id: "
          + named.map(\.identity.id.rawValue.printable).joined(separator: ", "))
    }
    throw StoreError(
      code: .cameraUnknown, subject: text.printable,
      message: "no such camera is attached"
        + (cameras.isEmpty
          ? ", nor is any other" : "; attached: " + cameras.map(\.label).joined(separator: ", ")))
  }

  /// The id, and the name where it says more.
  private var label: String {
    let (id, name) = (identity.id.rawValue.printable, identity.name.printable)
    return id.hasSuffix(name) ? id : "\(id) (\(name))"
  }
}
