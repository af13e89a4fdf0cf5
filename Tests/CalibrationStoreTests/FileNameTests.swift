import CameraModel
import Testing

@testable import CalibrationStore

@Suite("The folder of a device")
struct FileNameTests {
  @Test(
    "is a single harmless name inside the root, whatever the id",
    arguments: [
      "..", ".", "...", ".lock", ".tmp-1", "/", "/etc/passwd", "../../../etc/passwd", "a/../../b",
      "usb:046d:0825:ABC", "name:left", "a\u{0}b", "a\nb", "  ", "%2E%2E", "~", "name:カメラ", "😀",
      String(repeating: "x", count: 1024), "名" + String(repeating: "字", count: 300), "-rf",
    ])
  func harmless(_ id: String) throws {
    let device = DeviceID(rawValue: id)
    let name = try FileNames.folder(of: device)
    #expect(!name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200)
    #expect(
      name.utf8.allSatisfy {
        ("A"..."Z").contains(Character(Unicode.Scalar($0)))
          || ("a"..."z").contains(Character(Unicode.Scalar($0)))
          || ("0"..."9").contains(Character(Unicode.Scalar($0))) || "._-%~".utf8.contains($0)
      })
    if !name.contains("~") { #expect(FileNames.device(ofFolder: name) == device) }

    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder + "/root")
      try store.save(Sample.record(device: id))
      #expect(try store.intrinsics(for: device, resolution: Operation.vga)?.device.id == device)
      #expect(try store.calibrations().map(\.device) == [device])
      #expect(names(in: folder) == ["root"])
      #expect(Set(names(in: folder + "/root")) == [".lock", name])
    }
  }

  @Test("tells long ids apart that begin alike")
  func longIDs() throws {
    let start = String(repeating: "ä", count: 400)
    let (a, b) = (DeviceID(rawValue: start + "1"), DeviceID(rawValue: start + "2"))
    #expect(try FileNames.folder(of: a) != FileNames.folder(of: b))
    #expect(try FileNames.folder(of: a).contains("%~") == false)
  }

  @Test("is refused for an id that names nothing", arguments: ["", "/dev/video0"])
  func refused(_ id: String) throws {
    let store = IntrinsicsStore(root: "/nowhere")
    let error = try #require(throws: StoreError.self) {
      try store.intrinsics(for: DeviceID(rawValue: id), resolution: Operation.vga)
    }
    #expect(error.code == .invalidDevice)
  }

  @Test(
    "is nothing that the store did not name",
    arguments: ["a b", "%3a", "%2", "%zz", "%41", "ä", ".hidden", "a~b", ""])
  func foreignNames(_ name: String) {
    #expect(FileNames.device(ofFolder: name) == nil)
  }

  @Test(
    "holds records of whole sizes only", arguments: ["0640x480.json", "640X480.json", "x.json"])
  func foreignFiles(_ name: String) {
    #expect(FileNames.resolution(ofRecord: name) == nil)
  }

  @Test("given by a name is a slug of its letters and digits")
  func slugs() {
    #expect(DeviceID(name: "Logitech C270 (left)")?.rawValue == "name:logitech-c270-left")
    #expect(DeviceID(name: " v1.2_b. ")?.rawValue == "name:v1.2_b")
    #expect(DeviceID(name: "Kamera für Tür")?.rawValue == "name:kamera-für-tür")
    #expect(DeviceID(name: "?!") == nil)
  }
}
