import Glibc

@testable import CalibrationStore

/// A sysfs with video devices, as the kernel lays it out.
struct FakeSysfs {
  let root: String

  private var videoClass: String { root + "/class/video4linux" }

  /// A USB camera's video device.
  func add(
    _ node: String, port: String, vendor: String = "046d", product: String = "0825",
    serial: String? = nil, name: String? = "C270", interface: Int = 0, index: Int? = nil,
    functionName: String? = nil
  ) throws {
    let device = "/devices/pci0000:00/0000:00:14.0/usb1/1-\(port)"
    let folder = device + "/1-\(port):1.\(interface)"
    try write(device + "/idVendor", vendor)
    try write(device + "/idProduct", product)
    try write(device + "/devpath", port)
    if let serial { try write(device + "/serial", serial) }
    if let name { try write(device + "/product", name) }
    try write(folder + "/bInterfaceNumber", "0\(interface)")
    try add(
      node, device: folder, name: functionName ?? name, index: index, bus: "usb",
      driver: "uvcvideo")
  }

  /// The video device of something on another bus.
  func add(
    _ node: String, device: String, name: String?, index: Int? = nil, bus: String? = nil,
    driver: String? = nil
  ) throws {
    let folder = device + "/video4linux/" + node
    try Disk().createFolder(root + folder)
    try Disk().createFolder(videoClass)
    symlink(root + folder, videoClass + "/" + node)
    symlink(root + device, root + folder + "/device")
    for (link, target) in [("subsystem", bus.map { "/bus/" + $0 }), ("driver", driver)] {
      guard let target else { continue }
      let path = root + (link == "driver" ? "/bus/drivers/" : "") + target
      try Disk().createFolder(path)
      symlink(path, root + device + "/" + link)
    }
    if let name { try write(folder + "/name", name) }
    if let index { try write(folder + "/index", "\(index)") }
  }

  /// A v4l2loopback device.
  func addLoopback(_ node: String, label: String?) throws {
    let folder = "/devices/virtual/video4linux/" + node
    try Disk().createFolder(root + folder)
    try Disk().createFolder(videoClass)
    symlink(root + folder, videoClass + "/" + node)
    if let label { try write(folder + "/name", label) }
    try write(folder + "/index", "0")
  }

  /// Takes a video device away, as unplugging does.
  func remove(_ node: String) { unlink(videoClass + "/" + node) }

  private func write(_ path: String, _ text: String) throws {
    try Disk().createFolder(Disk.parent(of: root + path))
    try writeFile(root + path, Array("\(text)\n".utf8))
  }

  func camera(_ path: String) throws -> AttachedCamera {
    try AttachedCamera(deviceFile: path, sysfs: root)
  }

  func all() throws -> [AttachedCamera] { try AttachedCamera.all(sysfs: root) }

  func matching(_ text: String) throws -> AttachedCamera {
    try AttachedCamera.matching(text, sysfs: root)
  }
}
