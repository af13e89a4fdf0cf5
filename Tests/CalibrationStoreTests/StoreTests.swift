import CalibrationStore
import CameraModel
import Testing

@Suite("A store")
struct StoreTests {
  let vga = Resolution(width: 640, height: 480)

  @Test("gives back what was saved, and nothing for another size or device")
  func saveAndLookUp() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder + "/new/root")
      let record = Sample.record()
      #expect(try store.intrinsics(for: record.device.id, resolution: vga) == nil)
      let outcome = try store.save(record, points: Sample.points())
      let path = folder + "/new/root/usb%3A046d%3A0825%3A1A2B3C4D/640x480.json"
      #expect(outcome == .stored(path: path, previous: nil))
      #expect(try store.intrinsics(for: record.device.id, resolution: vga) == record)
      #expect(try store.points(for: record.device.id, resolution: vga) == Sample.points())
      let half = Resolution(width: 320, height: 240)
      #expect(try store.intrinsics(for: record.device.id, resolution: half) == nil)
      // Pain 53: a second camera of the same name inherits nothing.
      let other = DeviceID(rawValue: "usb:046d:0825:FFFF")
      #expect(try store.intrinsics(for: other, resolution: vga) == nil)
    }
  }

  @Test("keeps the record before in the history, with its points")
  func history() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(Sample.record(fx: 500), points: Sample.points(seed: 1))
      let outcome = try store.save(Sample.record(fx: 501), points: Sample.points(seed: 2))
      try store.save(Sample.record(fx: 502))
      let history = folder + "/usb%3A046d%3A0825%3A1A2B3C4D/640x480.history"
      guard case .stored(_, let previous?) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(previous == history + "/20261130T052130Z.json")
      #expect(
        names(in: history) == [
          "20261130T052130Z-2.json", "20261130T052130Z-2.points.json", "20261130T052130Z.json",
          "20261130T052130Z.points.json",
        ])
      #expect(try store.points(for: Sample.record().device.id, resolution: vga) == nil)
    }
  }

  @Test("keeps a better record when the new one is poor, unless told to replace it")
  func poorNeverReplacesGood() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let (good, poor) = (Sample.record(level: .usable), Sample.record(fx: 99, level: .poor))
      try store.save(good)
      guard case .keptBetter(_, let history) = try store.save(poor) else {
        Issue.record("the poor record was stored")
        return
      }
      #expect(try IntrinsicsRecord(jsonBytes: #require(bytes(of: history))) == poor)
      #expect(try store.intrinsics(for: good.device.id, resolution: vga) == good)
      try store.save(poor, replace: true)
      #expect(try store.intrinsics(for: good.device.id, resolution: vga) == poor)
    }
  }
}
