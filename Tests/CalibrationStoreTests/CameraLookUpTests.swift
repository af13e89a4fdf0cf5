import CameraModel
import Glibc
import Testing

@testable import CalibrationStore

@Suite("Intrinsics of an attached camera")
struct CameraLookUpTests {
  private static let size = Resolution(width: 640, height: 480)

  /// A store with a calibration of the camera at port 2, and a sysfs with it and its device number.
  private func withCamera(_ body: (IntrinsicsStore, String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let sysfs = FakeSysfs(root: folder + "/sys")
      try sysfs.add("video3", port: "2", serial: "1A2B")
      try Disk().createFolder(folder + "/sys/dev/char")
      symlink(
        try #require(RealPath.of(folder + "/sys/class/video4linux/video3")),
        folder + "/sys/dev/char/81:3")
      let store = IntrinsicsStore(root: folder + "/store")
      var record = Sample.record()
      record.device = try sysfs.camera("/dev/video3").identity
      record.camera = CameraParameters(
        resolution: Self.size, intrinsics: Intrinsics(fx: 500, fy: 501, cx: 320, cy: 240))
      record.verdict = .init(level: .good, reasons: [])
      record.covariance = nil
      _ = try store.save(record)
      try body(store, folder)
    }
  }

  @Test("is found by its device file and by a link to it, at the calibrated size only")
  func byPath() throws {
    try withCamera { store, folder in
      let sysfs = folder + "/sys"
      // As /dev/v4l/by-id has them: a link whose name says nothing.
      try Disk().createFolder(folder + "/dev")
      try Disk().writeNewFile(folder + "/dev/video3", [])
      symlink(folder + "/dev/video3", folder + "/dev/usb-Cam-index0")
      for path in ["/dev/video3", folder + "/dev/usb-Cam-index0"] {
        let record = try store.intrinsics(forCameraAt: path, resolution: Self.size, sysfs: sysfs)
        #expect(record?.camera.intrinsics.fx == 500)
        let other = Resolution(width: 1280, height: 720)
        #expect(try store.intrinsics(forCameraAt: path, resolution: other, sysfs: sysfs) == nil)
      }
    }
  }

  @Test("is found by the number of its device")
  func byNumber() throws {
    try withCamera { _, folder in
      func camera(_ major: UInt64, _ minor: UInt64) throws -> AttachedCamera {
        try AttachedCamera(
          deviceNumber: DeviceNumber(major: major, minor: minor), subject: "x",
          sysfs: folder + "/sys")
      }
      #expect(try camera(81, 3).identity.id.rawValue == "usb:046d:0825:1A2B")
      #expect(try camera(81, 3).deviceFile == "/dev/video3")
      let gone = try #require(throws: StoreError.self) { try camera(81, 4) }
      #expect(gone.code == .cameraUnknown && gone.message.contains("unplugged"))
    }
  }

  @Test("Device numbers are taken apart as the kernel puts them together")
  func deviceNumbers() throws {
    #expect(DeviceNumber(81 << 8 | 5).description == "81:5")
    // glibc: minor bits 8… from bit 20 on, major bits 12… from bit 44 on.
    #expect(DeviceNumber(0x0000_1000_0010_0103).description == "4097:259")
    var info = stat()
    #expect(stat("/dev/null", &info) == 0)
    #expect(DeviceNumber(info.st_rdev).description == "1:3")
  }

  @Test("What is no camera is said, whatever it is")
  func others() throws {
    try withCamera { store, folder in
      let null = open("/dev/null", O_RDWR | O_CLOEXEC)
      let file = open(folder, O_RDONLY | O_CLOEXEC)
      defer { for descriptor in [null, file] { close(descriptor) } }
      for (descriptor, words) in [
        (null, "no video device"), (file, "no device"), (-1, "not open"), (99_999, "not open"),
      ] {
        let error = try #require(throws: StoreError.self) {
          try store.intrinsics(forOpenCamera: descriptor, resolution: Self.size)
        }
        #expect(error.code == .cameraUnknown && error.message.contains(words), "\(error)")
        #expect(error.subject == "file descriptor \(descriptor)")
      }
      for path in ["/dev/null", "/dev/video77", folder, ""] {
        let error = try #require(throws: StoreError.self) {
          try store.intrinsics(forCameraAt: path, resolution: Self.size)
        }
        #expect(error.code == .cameraUnknown, "\(error)")
      }
    }
  }
}
