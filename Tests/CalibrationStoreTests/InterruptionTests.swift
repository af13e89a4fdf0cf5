import CameraModel
import Glibc
import Testing

@testable import CalibrationStore

/// Counts the changes to the disk and refuses some of them.
///
/// All from a given one on: what a process does to the disk that is killed at this moment. One only:
/// what a failing disk does.
private final class Saboteur: @unchecked Sendable {
  // Sendable: used by one thread only, the one that calls the store.
  var count = 0
  var refused: Range<Int> = Int.max..<Int.max
  var number = EIO
  /// The last change that was refused.
  var last: Disk.Change?

  var intercept: @Sendable (Disk.Change, String) -> Int32? {
    { [self] change, _ in
      count += 1
      guard refused.contains(count - 1) else { return nil }
      last = change
      return number
    }
  }
}

/// What can be interrupted, each with the state before it.
enum Operation: String, CaseIterable, Sendable {
  case firstSave, save, saveWithoutPoints, savePoor, restore, remove, rename, attach, changeName

  static let device = DeviceID(rawValue: "name:left")
  static let camera = DeviceID(rawValue: "usb:1:2:3")
  static let vga = Resolution(width: 640, height: 480)

  static func record(
    _ fx: Double, device: DeviceID = device, level: IntrinsicsRecord.Verdict.Level = .good
  ) -> IntrinsicsRecord {
    Sample.smallRecord(device: device.rawValue, fx: fx, level: level)
  }

  /// Points that say whose they are.
  static func points(_ fx: Double) -> CalibrationPoints {
    CalibrationPoints(
      views: [.init(source: "\(fx)", board: [SIMD3(0, 0, 0)], pixels: [SIMD2(fx, 1)])])
  }

  /// Brings a store into the state before the operation; returns the records that must not be lost.
  func prepare(_ store: IntrinsicsStore) throws -> Set<Double> {
    guard self != .firstSave else { return [] }
    for fx in [500.0, 501, 502] {
      try store.save(Self.record(fx), points: Self.points(fx))
    }
    guard self == .attach else { return [500, 501, 502] }
    for fx in [600.0, 601] {
      try store.save(Self.record(fx, device: Self.camera), points: Self.points(fx))
    }
    return [500, 501, 502, 600, 601]
  }

  func perform(_ store: IntrinsicsStore) throws {
    let name = IntrinsicsRecord.DeviceIdentity.self
    switch self {
    case .firstSave, .save: try store.save(Self.record(503), points: Self.points(503))
    case .saveWithoutPoints: try store.save(Self.record(503))
    case .savePoor: try store.save(Self.record(503, level: .poor), points: Self.points(503))
    case .restore:
      let oldest = try #require(try store.history(of: Self.device).last?.time)
      try store.restore(oldest, of: Self.device, resolution: Self.vga)
    case .remove: try store.remove(Self.device, resolution: Self.vga)
    case .rename:
      let id = DeviceID(rawValue: "name:right")
      try store.refile(
        Self.device, as: name.init(id: id, name: "right", identifiedBy: "given name"),
        keepingTargets: true)
    case .attach:
      try store.refile(
        Self.device, as: name.init(id: Self.camera, name: "camera", identifiedBy: "serial number"),
        keepingTargets: false)
    case .changeName:
      try store.refile(
        Self.device, as: name.init(id: Self.device, name: "new", identifiedBy: "given name"),
        keepingTargets: true)
    }
  }
}

/// The focal lengths of all records in a store, current and old, each with its points.
private func inventory(_ root: String) throws -> Set<Double> {
  let store = IntrinsicsStore(root: root)
  var found: Set<Double> = []
  for folder in names(in: root) {
    guard let device = FileNames.device(ofFolder: folder) else { continue }
    let current = try store.calibrations(of: device).map { try $0.record.get() }
    let old = try store.history(of: device).map { try $0.record.get() }
    for record in current + old {
      let fx = record.camera.intrinsics.fx
      found.insert(fx)
      let points = try store.pointsFile(of: record, in: root + "/" + folder)?.points
      if points != nil || fx < 503 { #expect(points == Operation.points(fx)) }
    }
  }
  return found
}

private func temporaryFiles(_ root: String) -> [String] {
  files(below: root).filter { $0.contains(FileNames.temporaryPrefix) }
}

@Suite("An interrupted change of a store")
struct InterruptionTests {
  private func steps(of operation: Operation) throws -> Int {
    try withTemporaryFolder { folder in
      var store = IntrinsicsStore(root: folder + "/root")
      _ = try operation.prepare(store)
      let saboteur = Saboteur()
      store.disk.intercept = saboteur.intercept
      try operation.perform(store)
      return saboteur.count
    }
  }

  @Test("loses nothing, whenever the process is killed", arguments: Operation.allCases)
  func killed(_ operation: Operation) throws {
    let steps = try steps(of: operation)
    #expect(steps >= 2)
    for step in 0..<steps {
      try withTemporaryFolder { folder in
        var store = IntrinsicsStore(root: folder + "/root")
        let before = try operation.prepare(store)
        let saboteur = Saboteur()
        saboteur.refused = step..<Int.max
        store.disk.intercept = saboteur.intercept
        // Removing an emptied folder may fail without an error.
        try? operation.perform(store)
        #expect(saboteur.count > step)

        let after = try inventory(folder + "/root")
        #expect(after.isSuperset(of: before), "step \(step)")
        // The next writer completes it and cleans up.
        let healthy = IntrinsicsStore(root: folder + "/root")
        if operation != .restore || after == before {
          do {
            try operation.perform(healthy)
          } catch let error as StoreError where error.code == .notFound {
            // The last step of removing the old folder was all that was missing.
          }
        }
        #expect(try inventory(folder + "/root").isSuperset(of: before), "step \(step)")
        #expect(temporaryFiles(folder) == [], "step \(step)")
      }
    }
  }

  @Test(
    "changes nothing and leaves no half file when one system call fails",
    arguments: Operation.allCases)
  func oneFailure(_ operation: Operation) throws {
    for (step, number) in zip(
      0..<(try steps(of: operation)), [ENOSPC, EIO, EROFS, EDQUOT, EACCES].cycled)
    {
      try withTemporaryFolder { folder in
        var store = IntrinsicsStore(root: folder + "/root")
        let before = try operation.prepare(store)
        let saboteur = Saboteur()
        (saboteur.refused, saboteur.number) = (step..<step + 1, number)
        store.disk.intercept = saboteur.intercept
        do {
          try operation.perform(store)
        } catch let error as StoreError {
          #expect(error.code == .notWritable, "step \(step): \(error)")
          #expect(error.systemError == number)
        }
        #expect(try inventory(folder + "/root").isSuperset(of: before), "step \(step)")
        // A device of which nothing could be stored has no folder, unless that can't be removed.
        for device in names(in: folder + "/root") where FileNames.device(ofFolder: device) != nil {
          if saboteur.last == .remove { continue }
          let held = files(below: folder + "/root/" + device)
          #expect(!held.isEmpty, "step \(step): \(device)")
        }
        // A failed removal of a temporary file is the one thing that may leave it.
        #expect(temporaryFiles(folder).count <= 2)
      }
    }
  }
}

extension Array {
  /// The elements over and over.
  fileprivate var cycled: some Sequence<Element> {
    sequence(state: 0) { index in
      defer { index += 1 }
      return self[index % count]
    }
  }
}
