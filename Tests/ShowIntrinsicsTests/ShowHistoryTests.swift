import CalibrationStore
import CameraModel
import Foundation
import Testing

@Suite("show-intrinsics and the history")
struct ShowHistoryTests {
  private let vga = Resolution(width: 640, height: 480)

  @Test("lists, removes and restores")
  func removeAndRestore() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let record = StoredCameras.record()
      try store.save(record)
      let empty = try Run("--store", folder, "left", "--history")
      #expect(empty.status == 0 && empty.output.isEmpty && empty.talk.contains("is empty"))
      let removed = try Run("--store", folder, "left", "--remove")
      #expect(removed.status == 0 && removed.talk.contains("--restore brings it back"))
      #expect(try store.intrinsics(for: StoredCameras.left, resolution: vga) == nil)
      let shown = try Run("--store", folder, "left")
      #expect(shown.status == 1 && shown.talk.contains("only a history"))
      // What can be brought back is named where all is listed, be it beside others or alone.
      let none = try Run("--store", folder)
      #expect(none.status == 1 && none.talk.contains("only a history: name:left"), "\(none.talk)")
      try store.save(StoredCameras.record(StoredCameras.camera))
      let table = try Run("--store", folder)
      #expect(table.status == 0 && table.lines.count == 2, "\(table.text)")
      #expect(
        table.talk.contains("only a history: name:left (show-intrinsics name:left --history)"))
      #expect(try Run("--store", folder, "-q").talk == "")
      try store.remove(StoredCameras.camera, resolution: vga)
      let list = try Run("--store", folder, "left", "--history")
      #expect(list.lines.count == 2 && list.lines[0].hasPrefix("SIZE     TIME"))
      let time = try #require(list.lines[1].split(separator: " ").dropFirst().first)
      let restored = try Run("--store", folder, "left", "--restore", String(time))
      #expect(restored.status == 0, "\(restored.talk)")
      #expect(try store.intrinsics(for: StoredCameras.left, resolution: vga) == record)
      let others = try Run("--store", folder)
      #expect(others.talk.contains("only a history: usb:"), "\(others.talk)")
      let unknown = try Run("--store", folder, "left", "--restore", "1999", "--size", "640x480")
      #expect(unknown.status == 1)
    }
  }

  @Test(
    "What does not go with a change of the history is refused, whatever is stored",
    arguments: [
      (["--rename", "a", "--size", "64x48"], "--size"),
      (["--attach", "usb:1:2:3", "--size", "64x48"], "--size"),
      (["--history", "--format", "json"], "--format"), (["--remove", "--hex"], "--hex"),
      (["--remove", "-o", "file"], "--output"),
      (["--restore", "2026", "--origin", "corner"], "--origin"),
    ])
  func conflicts(arguments: [String], subject: String) throws {
    let run = try Run(["missing", "--store", "/nonexistent"] + arguments)
    #expect(run.status == 64)
    #expect(run.talk.contains(subject) && run.talk.contains(arguments[0]), "\(run.talk)")
  }

  @Test("renames a device that is known by its name, and the name of one that has an id")
  func rename() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      try store.save(StoredCameras.record(StoredCameras.camera, name: "webcam"))
      #expect(try Run("--store", folder, "left", "--rename", "Right one").status == 0)
      let right = try store.intrinsics(for: DeviceID(rawValue: "name:right-one"), resolution: vga)
      #expect(right?.device.name == "Right one")
      #expect(try store.intrinsics(for: StoredCameras.left, resolution: vga) == nil)
      #expect(try Run("--store", folder, "webcam", "--rename", "Front").status == 0)
      let front = try store.intrinsics(for: StoredCameras.camera, resolution: vga)
      #expect(front?.device.name == "Front" && front?.device.id == StoredCameras.camera)
      // Over another record: refused.
      try store.save(StoredCameras.record())
      let refused = try Run("--store", folder, "left", "--rename", "right one")
      #expect(refused.status == 64 && refused.talk.contains("already stands"))
    }
  }

  @Test("attaches records of a name to a camera, never those of one camera to another")
  func attach() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      let run = try Run("--store", folder, "left", "--attach", StoredCameras.camera.rawValue)
      #expect(run.status == 0, "\(run.talk)")
      let record = try store.intrinsics(for: StoredCameras.camera, resolution: vga)
      #expect(record?.device.name == "Left")
      #expect(record?.device.identifiedBy.contains("by hand") == true)
      let other = try Run(
        "--store", folder, StoredCameras.camera.rawValue, "--attach", "usb:1:2:3")
      #expect(other.status == 64 && other.talk.contains("not right for another"))
    }
  }
}

@Suite("show-intrinsics as a program")
struct ShowProgramTests {
  /// The start takes 3 ms without OpenCV and 40 ms with it; the number of libraries is what can be
  /// tested on a busy machine.
  @Test("loads no OpenCV library, and few others")
  func libraries() throws {
    let run = try Run(environment: ["LD_TRACE_LOADED_OBJECTS": "1"])
    let libraries = run.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(libraries.count > 2, "the loader listed nothing")
    #expect(!libraries.contains { $0.lowercased().contains("opencv") })
    #expect(!libraries.contains { $0.hasPrefix("libFoundation.so") || $0.contains("icu") })
    #expect(libraries.count <= 25, "\(libraries)")
  }

  // Apart: children of other tests are counted, too, and sanitizers take their time.
  @Test(
    "answers within 10 ms of processor time",
    .enabled(if: ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_LONG_TESTS"] != nil))
  func start() throws {
    try withTemporaryFolder { folder in
      try IntrinsicsStore(root: folder).save(StoredCameras.record())
      func used() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.map { Double($0.tv_sec) + Double($0.tv_usec) * 1e-6 }.reduce(0, +)
      }
      // The best of some runs: other work on the machine makes single runs slower, never faster.
      var best = Double.infinity
      for _ in 0..<15 {
        let before = used()
        #expect(try Run("--store", folder, "left", "--format", "float3x3").status == 0)
        best = min(best, used() - before)
      }
      print("show-intrinsics: \(best * 1000) ms of processor time")
      #expect(best < 0.010)
    }
  }
}
