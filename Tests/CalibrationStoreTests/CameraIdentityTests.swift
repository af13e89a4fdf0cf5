import Glibc
import Testing

@testable import CalibrationStore

@Suite("What identifies a camera")
struct CameraIdentityTests {
  private func withSysfs(_ body: (FakeSysfs) throws -> Void) throws {
    try withTemporaryFolder { try body(FakeSysfs(root: $0)) }
  }

  private func ids(_ cameras: [AttachedCamera]) -> [String] {
    cameras.map { "\($0.node) \($0.identity.id)" }
  }

  @Test("All cameras are listed once, in the order of their numbers")
  func list() throws {
    try withSysfs { sysfs in
      let unmounted = #expect(throws: StoreError.self) { try sysfs.all() }
      #expect(unmounted?.code == .unreadable)
      #expect(unmounted?.message.contains("mount -t sysfs") == true)
      try Disk().createFolder(sysfs.root + "/class")
      #expect(try sysfs.all() == [])
      try sysfs.add("video10", port: "3", serial: "B", index: 0)
      try sysfs.add("video11", port: "3", serial: "B", index: 1)
      try sysfs.add("video9", port: "2", serial: "A", index: 1)
      try sysfs.add("video2", port: "2", serial: "A", index: 0)
      try sysfs.addLoopback("video4", label: "Left")
      #expect(
        ids(try sysfs.all()) == [
          "video2 usb:046d:0825:A", "video4 name:left", "video10 usb:046d:0825:B",
        ])
      #expect(try sysfs.all().filter { $0.needsLibcamera } == [])
      #expect(try sysfs.all().first?.deviceFile == "/dev/video2")
    }
  }

  /// Laptops for face recognition: one USB device, one serial number, two cameras.
  @Test("Two cameras in one USB device have ids of their own")
  func infrared() throws {
    try withSysfs { sysfs in
      try sysfs.add("video0", port: "6", serial: "0001", name: "Integrated C", index: 0)
      try sysfs.add("video1", port: "6", serial: "0001", name: "Integrated C", index: 1)
      try sysfs.add(
        "video2", port: "6", serial: "0001", name: "Integrated C", interface: 2, index: 0,
        functionName: "Integrated I")
      try sysfs.add(
        "video3", port: "6", serial: "0001", name: "Integrated C", interface: 2, index: 1,
        functionName: "Integrated I")
      #expect(
        ids(try sysfs.all()) == [
          "video0 usb:046d:0825:0001", "video2 usb:046d:0825:0001#2",
        ])
      #expect(try sysfs.all().map(\.identity.name) == ["Integrated C", "Integrated I"])
      #expect(try sysfs.camera("/dev/video3").identity.id.rawValue == "usb:046d:0825:0001#2")
      #expect(try sysfs.all().allSatisfy { $0.identity.identifiedBy == "serial number" })
    }
  }

  @Test("Two cameras without serial number in one hub are told apart by their ports")
  func noSerials() throws {
    try withSysfs { sysfs in
      try sysfs.add("video0", port: "1.1", index: 0)
      try sysfs.add("video2", port: "1.2", index: 0)
      #expect(
        ids(try sysfs.all()) == [
          "video0 bus:usb-0000:00:14.0-1.1", "video2 bus:usb-0000:00:14.0-1.2",
        ])
    }
  }

  @Test("A serial number is unique again when its twin is unplugged")
  func twinLeaves() throws {
    try withSysfs { sysfs in
      try sysfs.add("video0", port: "1", serial: "SN0001", index: 0)
      try sysfs.add("video2", port: "2", serial: "SN0001", index: 0)
      #expect(try sysfs.all().allSatisfy { $0.identity.id.rawValue.hasPrefix("bus:") })
      sysfs.remove("video2")
      #expect(ids(try sysfs.all()) == ["video0 usb:046d:0825:SN0001"])
    }
  }

  @Test("A loopback device goes by its label, two with one label by their place")
  func loopback() throws {
    try withSysfs { sysfs in
      try sysfs.addLoopback("video10", label: "Stage Left")
      try sysfs.addLoopback("video11", label: "Same")
      try sysfs.addLoopback("video12", label: "same ")
      try sysfs.addLoopback("video13", label: nil)
      let cameras = try sysfs.all()
      #expect(
        ids(cameras) == [
          "video10 name:stage-left", "video11 bus:platform:v4l2loopback-001",
          "video12 bus:platform:v4l2loopback-002", "video13 bus:platform:v4l2loopback-003",
        ])
      #expect(cameras[0].identity.identifiedBy == "label")
      #expect(cameras[1].identity.identifiedBy.contains("same label"))
      #expect(cameras[3].identity.identifiedBy.contains("no label"))
    }
  }

  @Test("vivid goes by V4L2's bus_info, and only what captures pictures counts")
  func vivid() throws {
    try withSysfs { sysfs in
      for (node, name) in [
        ("video0", "vivid-000-vid-cap"), ("video1", "vivid-000-vid-out"),
        ("video2", "vivid-001-vid-cap"), ("video3", "vivid-000-meta-cap"),
      ] {
        try sysfs.add(
          node, device: "/devices/platform/vivid.0", name: name, index: Int(node.suffix(1)),
          bus: "platform", driver: "vivid")
      }
      #expect(
        ids(try sysfs.all()) == [
          "video0 bus:platform:vivid-000", "video2 bus:platform:vivid-001",
        ])
      #expect(try sysfs.all().map(\.identity.name) == ["vivid-000", "vivid-001"])
      let error = try #require(throws: StoreError.self) { try sysfs.camera("/dev/video1") }
      #expect(error.code == .cameraUnknown)
      #expect(error.message.contains("vivid-000-vid-out"))
    }
  }

  @Test("Cameras on other buses go by their place")
  func otherBuses() throws {
    try withSysfs { sysfs in
      try sysfs.add(
        "video0", device: "/devices/pci0000:00/0000:01:00.0", name: "Frame Grabber", index: 0,
        bus: "pci", driver: "grabber")
      try sysfs.add(
        "video1", device: "/devices/pci0000:00/0000:01:00.0", name: "Frame Grabber", index: 1,
        bus: "pci", driver: "grabber")
      try sysfs.add(
        "video2", device: "/devices/platform/soc/fe000000.csi", name: "csi", bus: "platform")
      #expect(
        ids(try sysfs.all()) == [
          "video0 bus:PCI:0000:01:00.0", "video1 bus:PCI:0000:01:00.0#1",
          "video2 bus:platform:fe000000.csi",
        ])
    }
  }

  @Test("A Raspberry Pi's sensor is one camera that needs libcamera; its processor is none")
  func raspberryPi() throws {
    try withSysfs { sysfs in
      for index in 0..<3 {
        try sysfs.add(
          "video\(index)", device: "/devices/platform/axi/1f00110000.csi",
          name: ["rp1-cfe-csi2_ch0", "rp1-cfe-embedded", "rp1-cfe-fe_image0"][index], index: index,
          bus: "platform", driver: "rp1-cfe")
      }
      try sysfs.add(
        "video4", device: "/devices/platform/soc/fe801000.csi", name: "unicam-image", index: 0,
        bus: "platform", driver: "unicam")
      for (node, name) in [("video13", "bcm2835-isp-output0"), ("video20", "pispbe-input")] {
        try sysfs.add(
          node, device: "/devices/platform/soc/\(name)", name: name, bus: "platform")
      }
      let cameras = try sysfs.all()
      #expect(
        ids(cameras) == [
          "video0 bus:platform:1f00110000.csi", "video4 bus:platform:fe801000.csi",
        ])
      #expect(cameras.allSatisfy { $0.needsLibcamera })
      for node in ["video13", "video20"] {
        let error = try #require(throws: StoreError.self) { try sysfs.camera("/dev/" + node) }
        #expect(error.message.contains("libcamera"))
      }
    }
  }

  @Test("A camera is found by path, link, node, id and name")
  func find() throws {
    try withSysfs { sysfs in
      try sysfs.add("video0", port: "1", serial: "A", name: "HD Cam", index: 0)
      try sysfs.add("video2", port: "2", serial: "B", name: "HD Cam", index: 0)
      try sysfs.add("video4", port: "3", product: "9999", name: "Other", index: 0)
      // The link leads to /dev/video2 whether or not that exists: only its name is looked at.
      try Disk().createFolder(sysfs.root + "/dev")
      try writeFile(sysfs.root + "/dev/video2", [])
      let link = sysfs.root + "/dev/usb-maker_HD_Cam_B-video-index0"
      symlink("video2", link)
      for text in ["/dev/video2", "video2", link, "usb:046d:0825:B"] {
        #expect(try sysfs.matching(text).node == "video2", "\(text)")
      }
      #expect(try sysfs.matching("other").node == "video4")
      let several = try #require(throws: StoreError.self) { try sysfs.matching("HD Cam") }
      #expect(several.code == .ambiguous)
      #expect(several.message.contains("usb:046d:0825:A, usb:046d:0825:B"))
      let absent = try #require(throws: StoreError.self) { try sysfs.matching("usb:1:2:3") }
      #expect(absent.code == .cameraUnknown)
      #expect(absent.message.contains("bus:usb-0000:00:14.0-3"))
      #expect(throws: StoreError.self) { try sysfs.matching("video7") }
    }
  }
}
