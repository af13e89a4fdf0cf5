import CameraModel
import Glibc
import Testing

@testable import CalibrationStore

@Suite("The root of the store")
struct StoreRootsTests {
  @Test("is what was given, then the variable, then the working folder's, then the user's")
  func order() throws {
    try withTemporaryFolder { folder in
      mkdir(folder + "/calibrations", 0o700)
      let all = [
        "CAMERA_CALIBRATIONS": "/c", "XDG_DATA_HOME": "/data", "HOME": "/home/user",
      ]
      let given = try StoreRoots(given: "/given/", environment: all, workingFolder: folder)
      #expect((given.writing, given.fallbacks, given.origin) == ("/given", [], .given))
      let variable = try StoreRoots(environment: all, workingFolder: folder)
      #expect((variable.writing, variable.fallbacks, variable.origin) == ("/c", [], .environment))

      var environment = all
      environment["CAMERA_CALIBRATIONS"] = ""
      let local = try StoreRoots(environment: environment, workingFolder: folder)
      #expect(local.writing == folder + "/calibrations")
      #expect(local.fallbacks == ["/data/camera-calibrations"])
      #expect(local.origin == .workingFolder)

      rmdir(folder + "/calibrations")
      let data = try StoreRoots(environment: environment, workingFolder: folder)
      #expect((data.writing, data.fallbacks) == ("/data/camera-calibrations", []))
      #expect(data.origin == .user)
      // The XDG specification has relative paths ignored.
      environment["XDG_DATA_HOME"] = "data"
      let home = try StoreRoots(environment: environment, workingFolder: folder)
      #expect(home.writing == "/home/user/.local/share/camera-calibrations")
    }
  }

  @Test("is an error where nothing names a folder, as in a service without HOME")
  func nothing() throws {
    try withTemporaryFolder { folder in
      for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
        let error = try #require(throws: StoreError.self) {
          try StoreRoots(environment: environment, workingFolder: folder)
        }
        #expect(error.code == .noRoot)
        #expect(error.message.contains("--store"))
      }
      mkdir(folder + "/calibrations", 0o700)
      let local = try StoreRoots(environment: [:], workingFolder: folder)
      #expect(local.fallbacks == [])
    }
  }

  @Test("is not a file of the name calibrations")
  func fileOfThatName() throws {
    try withTemporaryFolder { folder in
      try writeFile(folder + "/calibrations", [])
      let roots = try StoreRoots(environment: ["HOME": "/home/user"], workingFolder: folder)
      #expect(roots.origin == .user)
    }
  }

  @Test("does not let a poor record hide a better one in a further root")
  func poorInFirst() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder + "/first", fallbackRoots: [folder + "/second"])
      let good = Sample.record(fx: 500)
      try IntrinsicsStore(root: folder + "/second").save(good)
      let poor = Sample.record(fx: 700, level: .poor)
      guard case .keptBetter(let better, _) = try store.save(poor) else {
        Issue.record("the poor record hides the good one")
        return
      }
      #expect(better.hasPrefix(folder + "/second/"))
      let (device, size) = (good.device.id, good.camera.resolution)
      #expect(try store.intrinsics(for: device, resolution: size) == good)
      try store.save(poor, replace: true)
      #expect(try store.intrinsics(for: device, resolution: size) == poor)
    }
  }

  @Test("that is first is read first; an unreadable record there is not passed over")
  func fallback() throws {
    try withTemporaryFolder { folder in
      let (first, second) = (folder + "/first", folder + "/second")
      let store = IntrinsicsStore(root: first, fallbackRoots: [second])
      let record = Sample.record(fx: 500)
      let (device, size) = (record.device.id, record.camera.resolution)
      try IntrinsicsStore(root: second).save(record)
      #expect(try store.intrinsics(for: device, resolution: size) == record)
      #expect(try store.calibrations().map(\.root) == [second])
      try store.save(Sample.record(fx: 501))
      #expect(try store.intrinsics(for: device, resolution: size)?.camera.intrinsics.fx == 501)
      #expect(try store.calibrations().map(\.root) == [first])
      try writeFile(try store.path(for: device, resolution: size), [])
      #expect(throws: StoreError.self) { try store.intrinsics(for: device, resolution: size) }
      // Removing moves it out of the way in the root where it is.
      try store.remove(device, resolution: size)
      #expect(try store.intrinsics(for: device, resolution: size) == record)
    }
  }

  @Test("A full disk is known before anything is measured")
  func fullDisk() {
    #expect(IntrinsicsStore.holdsRecord(freeBytes: 1 << 20, freeFiles: 1000, files: 10_000))
    #expect(!IntrinsicsStore.holdsRecord(freeBytes: 4096, freeFiles: 1000, files: 10_000))
    #expect(!IntrinsicsStore.holdsRecord(freeBytes: 1 << 30, freeFiles: 0, files: 10_000))
    // Btrfs and the like count no files.
    #expect(IntrinsicsStore.holdsRecord(freeBytes: 1 << 20, freeFiles: 0, files: 0))
  }
}
