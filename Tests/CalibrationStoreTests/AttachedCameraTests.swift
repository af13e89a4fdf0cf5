import Glibc
import Testing

@testable import CalibrationStore

/// A sysfs with USB cameras, as the kernel lays it out.
private struct FakeSysfs {
  let root: String

  func add(
    _ node: String, port: String, vendor: String = "046d", product: String = "0825",
    serial: String? = nil, name: String? = "C270"
  ) throws {
    let device = "/devices/pci0000:00/0000:00:14.0/usb1/1-\(port)"
    let interface = device + "/1-\(port):1.0"
    try Disk().createFolder(root + interface + "/video4linux/" + node)
    try Disk().createFolder(root + "/class/video4linux")
    symlink(
      "../../\(interface)/video4linux/\(node)", root + "/class/video4linux/" + node)
    symlink("../../../1-\(port):1.0", root + interface + "/video4linux/\(node)/device")
    try writeFile(root + device + "/idVendor", Array("\(vendor)\n".utf8))
    try writeFile(root + device + "/idProduct", Array("\(product)\n".utf8))
    try writeFile(root + device + "/devpath", Array("\(port)\n".utf8))
    if let serial { try writeFile(root + device + "/serial", Array("\(serial)\n".utf8)) }
    if let name { try writeFile(root + device + "/product", Array("\(name)\n".utf8)) }
  }

  func camera(_ path: String) throws -> AttachedCamera {
    try AttachedCamera(deviceFile: path, sysfs: root)
  }
}

@Suite("An attached camera")
struct AttachedCameraTests {
  @Test("is known by its serial number, whichever of its video devices is named")
  func serial() throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder)
      try sysfs.add("video0", port: "2", serial: "1A2B")
      try sysfs.add("video1", port: "2", serial: "1A2B")
      try sysfs.add("video2", port: "3", serial: "FFFF")
      for node in ["video0", "video1"] {
        let camera = try sysfs.camera("/dev/" + node)
        #expect(camera.identity.id.rawValue == "usb:046d:0825:1A2B")
        #expect(camera.identity.name == "C270")
        #expect(camera.identity.identifiedBy == "serial number")
      }
    }
  }

  /// Pain 64: cloned serial numbers; a replug changes which camera is /dev/video0.
  @Test("is known by its place where another attached one has the same serial number")
  func clonedSerial() throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder)
      try sysfs.add("video0", port: "2", serial: "200901010001")
      try sysfs.add("video2", port: "1.4", serial: "200901010001")
      let (first, second) = (try sysfs.camera("/dev/video0"), try sysfs.camera("/dev/video2"))
      #expect(first.identity.id.rawValue == "bus:usb-0000:00:14.0-2")
      #expect(second.identity.id.rawValue == "bus:usb-0000:00:14.0-1.4")
      #expect(first.identity.identifiedBy.contains("same serial number"))
    }
  }

  @Test("is known by its place where it has no serial number", arguments: [nil, "", "  "])
  func noSerial(_ serial: String?) throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder)
      try sysfs.add("video0", port: "2", serial: serial, name: nil)
      let camera = try sysfs.camera("/dev/video0")
      #expect(camera.identity.id.rawValue == "bus:usb-0000:00:14.0-2")
      #expect(camera.identity.name == "046d:0825")
      #expect(camera.identity.identifiedBy.contains("no serial number"))
    }
  }

  @Test("that is not there, or is nothing of USB, is an error")
  func unknown() throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder)
      try Disk().createFolder(folder + "/class/video4linux/video5")
      for path in ["/dev/video0", "/dev/video5", "/dev/null", "/dev/video", "", "/dev/video0/../x"]
      {
        let error = try #require(throws: StoreError.self) { try sysfs.camera(path) }
        #expect(error.code == .cameraUnknown, "\(path)")
      }
    }
  }
}
