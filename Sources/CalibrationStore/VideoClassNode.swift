/// A video device as a folder of sysfs.
struct VideoClassNode: Sendable, Hashable {
  /// One source of pictures: a camera may have several video devices, a device several cameras.
  struct Unit: Sendable, Hashable, Comparable {
    /// The folder of what the video device belongs to, or its own.
    var folder: String
    /// The USB interface.
    var interface: Int
    /// Which of the folder's sources of pictures.
    var index: Int

    static func < (a: Unit, b: Unit) -> Bool {
      (a.interface, a.index, a.folder) < (b.interface, b.index, b.folder)
    }

    /// What tells a unit from the first one of its USB device.
    var suffix: String { index == 0 ? "\(interface)" : "\(interface).\(index)" }
  }

  /// The kernel's name, for example `video0`.
  let node: String
  /// What the driver calls it.
  let name: String?
  /// The folder of the device that it belongs to, without symbolic links; nil where it belongs to none,
  /// as with v4l2loopback.
  let device: String?
  /// The name of the bus that the device is on, for example `pci`.
  let bus: String?
  /// The driver's name.
  let driver: String?
  /// The how-manieth video device of its device it is.
  let index: Int
  /// The USB device that it belongs to.
  let usb: USBDevice?

  /// All video devices, in the order of their numbers.
  static func all(sysfs: String) throws(StoreError) -> [VideoClassNode] {
    // Every kernel that shows devices has this folder, with or without cameras.
    guard Disk.isFolder(sysfs + "/class") else { throw unmounted(sysfs) }
    let folder = sysfs + "/class/video4linux"
    let numbered = try Disk.names(in: folder).compactMap { name in
      number(of: name).map { (number: $0, name: name) }
    }
    return numbered.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.compactMap {
      VideoClassNode(folder: folder, node: $0.name)
    }
  }

  /// That the kernel's devices can't be seen, as in a chroot.
  static func unmounted(_ sysfs: String) -> StoreError {
    StoreError(
      code: .unreadable, subject: sysfs,
      message: "no devices can be seen here: mount it (mount -t sysfs sysfs \(sysfs))")
  }

  /// The N of `videoN`; nil for other names.
  static func number(of node: String) -> Int? {
    guard node.hasPrefix("video") else { return nil }
    let digits = node.dropFirst(5)
    return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }

  private init?(folder: String, node: String) {
    let path = folder + "/" + node
    guard Disk.isFolder(path) else { return nil }
    self.node = node
    name = Self.text(path + "/name")
    index = Self.text(path + "/index").flatMap { Int($0) } ?? 0
    device = RealPath.of(path + "/device")
    usb = device.flatMap { USBDevice(folder: $0) }
    bus = Self.lastPart(ofLink: path + "/device/subsystem")
    driver = Self.lastPart(ofLink: path + "/device/driver")
  }

  /// Whether no device is behind it: v4l2loopback, made by a program.
  var isVirtual: Bool { device == nil }

  /// The source of pictures that it belongs to.
  var unit: Unit {
    guard let device else { return Unit(folder: node, interface: 0, index: 0) }
    // uvcvideo makes two video devices for each source: pictures, then metadata (since Linux 4.16).
    guard let usb else { return Unit(folder: device, interface: 0, index: source) }
    return Unit(folder: device, interface: usb.interface, index: index / 2)
  }

  /// Which of its device's sources of pictures it is, where that is not one of USB.
  private var source: Int {
    // One sensor has many video devices there: each is a stage or a part of what it gives.
    needsLibcamera ? 0 : vividInstance ?? index
  }

  /// The N of `vivid-00N-vid-cap`: all of them belong to one device.
  private var vividInstance: Int? {
    guard let name, name.hasPrefix("vivid-") else { return nil }
    return Int(name.dropFirst(6).prefix { $0.isNumber })
  }

  /// A name for people.
  var title: String {
    guard let name else { return position }
    // Its `-vid-cap` only tells a camera's video devices apart.
    return vividInstance == nil ? name : name.split(separator: "-").prefix(2).joined(separator: "-")
  }

  /// Where a device that is none of USB is attached, as V4L2's `bus_info` says it.
  var position: String {
    if let name, vividInstance != nil {
      return "platform:" + name.split(separator: "-").prefix(2).joined(separator: "-")
    }
    let place = device?.split(separator: "/").last.map(String.init) ?? node
    let bus = self.bus == "pci" ? "PCI" : self.bus ?? "platform"
    return "\(bus):\(place)" + (source == 0 ? "" : "#\(source)")
  }

  private static func lastPart(ofLink path: String) -> String? {
    RealPath.of(path)?.split(separator: "/").last.map(String.init)
  }

  /// The contents of a file of sysfs without white space at its ends; nil where there are none.
  static func text(_ path: String) -> String? {
    // Files of sysfs say that they have 4096 bytes, whatever they have.
    guard let bytes = try? Disk.contents(of: path, limit: 1 << 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let trimmed = text.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }
    return end.map { String(trimmed[...$0]) }
  }
}
