import Glibc
import Testing

@testable import CalibrationStore

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

  @Test("that is not there is an error")
  func unknown() throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder)
      try sysfs.add("video5", port: "2")
      for path in [
        "/dev/video0", "/dev/video55", "/dev/null", "/dev/video", "", "/dev/video0/../x",
      ] {
        let error = try #require(throws: StoreError.self) { try sysfs.camera(path) }
        #expect(error.code == .cameraUnknown, "\(path)")
      }
    }
  }
}
