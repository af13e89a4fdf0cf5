import CameraModel
import Foundation
import Testing

@testable import CalibrationStore

/// Runs `store-writer`, which saves records in a loop.
private struct Writer {
  let process = Process()
  let output = Pipe()
  let errors = Pipe()

  init(_ arguments: [String]) throws {
    let folder = try #require(
      try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe")
    ).split(separator: "/").dropLast().joined(separator: "/")
    process.executableURL = URL(fileURLWithPath: "/\(folder)/store-writer")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The records that were acknowledged until now or until the end.
  func acknowledged(_ data: Data) -> [Double] {
    String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
  }

  /// Waits for the end; gives all acknowledged records and what was said.
  func finish() -> (saved: [Double], said: String, status: Int32) {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (acknowledged(data), String(decoding: said, as: UTF8.self), process.terminationStatus)
  }
}

@Suite("Processes that share a store", .serialized)
struct StoreProcessTests {
  private let device = Operation.camera
  private let vga = Operation.vga

  private func everything(_ store: IntrinsicsStore) throws -> Set<Double> {
    var all = Set(
      try store.history(of: device).map { try $0.record.get().camera.intrinsics.fx })
    if let current = try store.intrinsics(for: device, resolution: vga) {
      all.insert(current.camera.intrinsics.fx)
    }
    return all
  }

  @Test("lose nothing that was saved when one is killed at any moment")
  func killed() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder + "/root")
      var generator = SeededGenerator(state: 3)
      var saved: Set<Double> = []
      for round in 0..<20 {
        let writer = try Writer([store.root, device.rawValue, "\(round * 10_000 + 1)", "9999"])
        // Killed a random time after a random number of records.
        var data = Data()
        let wanted = Int.random(in: 1...12, using: &generator)
        while writer.acknowledged(data).count < wanted {
          data += writer.output.fileHandleForReading.availableData
        }
        var spins = Int.random(in: 0..<300_000, using: &generator)
        while spins > 0 { spins -= 1 }
        kill(writer.process.processIdentifier, SIGKILL)
        let rest = writer.finish()
        saved.formUnion(writer.acknowledged(data) + rest.saved)

        // Readers need not wait for anybody to clean up.
        let current = try #require(try store.intrinsics(for: device, resolution: vga))
        let all = try everything(store)
        #expect(all.isSuperset(of: saved))
        #expect(Int(current.camera.intrinsics.fx) / 10_000 == round)
        let points = try store.points(for: device, resolution: vga)
        #expect(points?.views.first?.source == "\(Int(current.camera.intrinsics.fx))")
        // Each round starts afresh, so that the test does not slow down.
        removeTree(folder + "/root/usb%3A1%3A2%3A3/640x480.history")
        saved = [current.camera.intrinsics.fx]
      }
      // The next writer removes what the killed ones have left.
      try store.save(Operation.record(1, device: device))
      #expect(files(below: folder).filter { $0.contains(".tmp-") } == [])
    }
  }

  @Test("lose nothing when they write at once")
  func concurrent() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let count = 25
      let writers = try (1...3).map {
        try Writer([folder, device.rawValue, "\($0 * 1000)", "\(count)"])
      }
      let results = writers.map { $0.finish() }
      for result in results {
        #expect(result.status == 0, "\(result.said)")
        #expect(result.saved.count == count)
      }
      #expect(try everything(store) == Set(results.flatMap(\.saved)))
    }
  }

  @Test("give up with a message when one of them keeps the lock")
  func lockIsHeld() throws {
    try withTemporaryFolder { folder in
      var store = IntrinsicsStore(root: folder)
      store.lockTimeout = 0.02
      let error = try #require(throws: StoreError.self) {
        try StoreLock.hold(root: folder, seconds: 1) { () throws(StoreError) in
          // Readers are not held up.
          #expect(try store.intrinsics(for: device, resolution: vga) == nil)
          try store.save(Operation.record(1, device: device))
        }
      }
      #expect(error.code == .busy)
      #expect(names(in: folder) == [".lock"])
    }
  }

  @Test("get an error, not a signal, when the disk takes no more, and keep the old record")
  func diskIsFull() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let old = Operation.record(1, device: device)
      try store.save(old, points: Operation.points(1))
      for limit in [0, 100, 700, 1200] {
        let result = try Writer([folder, device.rawValue, "500", "1", "\(limit)"]).finish()
        #expect(result.status == 73, "\(limit): \(result.said)")
        #expect(result.said.contains("File too large"))
        #expect(try store.intrinsics(for: device, resolution: vga) == old)
        #expect(try store.points(for: device, resolution: vga) == Operation.points(1))
        #expect(files(below: folder).filter { $0.contains(".tmp-") } == [])
      }
    }
  }
}

@Suite("A store that cannot be written")
struct UnwritableStoreTests {
  @Test("is an error, and the record can be kept elsewhere")
  func rescue() throws {
    try withTemporaryFolder { folder in
      // Also root cannot make a folder in a file.
      try writeFile(folder + "/file", [])
      let record = Sample.record()
      let error = try #require(throws: StoreError.self) {
        try IntrinsicsStore(root: folder + "/file/root").save(record)
      }
      #expect(error.code == .notWritable)
      #expect(error.systemError == ENOTDIR)
      let path = try RecordRescue.save(record, environment: ["TMPDIR": folder])
      #expect(path.hasPrefix(folder + "/calibration-usb%3A046d"))
      #expect(try IntrinsicsRecord(jsonBytes: #require(bytes(of: path))) == record)
      // Where TMPDIR does not take it either, the next folder does.
      let other = try RecordRescue.save(record, environment: ["TMPDIR": folder + "/file"])
      #expect(!other.hasPrefix(folder))
      unlink(other)
    }
  }

  @Test("because of its path is an error", arguments: ["", "a\u{0}b"])
  func badRoot(_ root: String) throws {
    let store = IntrinsicsStore(root: root)
    #expect(throws: StoreError.self) { try store.save(Sample.record()) }
    #expect(throws: StoreError.self) { try store.calibrations() }
  }
}

@Suite("Look-up")
struct LookUpTests {
  @Test("from many threads, while another writes, always gives a whole record")
  func threads() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(Operation.record(1, device: Operation.camera))
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for round in 0..<25 {
          do {
            if thread == 0 {
              try store.save(Operation.record(Double(round + 2), device: Operation.camera))
            } else {
              let record = try store.intrinsics(
                for: Operation.camera, resolution: Operation.vga)
              #expect(record != nil)
            }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
  }
}
