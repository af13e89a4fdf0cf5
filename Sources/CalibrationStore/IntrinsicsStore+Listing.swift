public import CameraModel
import Glibc

/// A file in the store that should hold a current record.
public struct StoredCalibration: Sendable {
  /// The folder of the store.
  public var root: String
  /// The device by the folder's name.
  public var device: DeviceID
  /// The resolution by the file's name.
  public var resolution: Resolution
  /// The file.
  public var path: String
  /// The record, or why it cannot be read.
  public var record: Result<IntrinsicsRecord, StoreError>
}

extension IntrinsicsStore {
  /// Checks that the folders can be read, as far as they exist.
  ///
  /// - Returns: Whether the first one exists.
  /// - Throws: `StoreError` for a root that is no folder or may not be read.
  package func checkReadable() throws(StoreError) -> Bool {
    for root in [root] + fallbackRoots { _ = try Disk.names(in: checked(root)) }
    return Disk.isFolder(root)
  }

  /// Checks that records can be stored as far as that can be known without a change: before work that
  /// would be in vain.
  ///
  /// - Throws: `StoreError` with the code `notWritable` where the root, or the folder that it would be
  ///   made in, is no folder, may not be written to, or lies on a disk that is full or read-only.
  package func checkWritable() throws(StoreError) {
    var path = try checked(root)
    var info = stat()
    while stat(path, &info) != 0 {
      let parent = Disk.parent(of: path)
      guard errno == ENOENT, parent != path else {
        throw .system(errno, .notWritable, "cannot be used", path)
      }
      path = parent
    }
    guard info.st_mode & S_IFMT == S_IFDIR else {
      throw .system(ENOTDIR, .notWritable, "cannot be used", path)
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw .system(errno, .notWritable, "cannot be written to", path)
    }
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return }
    let free = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
    // File systems that are none on a disk say that they have no blocks at all.
    if disk.f_blocks > 0, !free.overflow,
      !Self.holdsRecord(
        freeBytes: free.partialValue, freeFiles: UInt64(disk.f_favail), files: UInt64(disk.f_files))
    {
      throw .system(ENOSPC, .notWritable, "cannot be written to", path)
    }
  }

  /// Whether a disk has room for a record with its points: about 100 KiB for 13 photographs, twice while
  /// it takes the place of the one before.
  ///
  /// File systems that don't count files say that they hold none at all.
  static func holdsRecord(freeBytes: UInt64, freeFiles: UInt64, files: UInt64) -> Bool {
    freeBytes >= 200 * 1024 && (freeFiles >= 3 || files == 0)
  }

  /// All current records, also those that cannot be read, by device and size.
  ///
  /// Where a further root has a record of the same device and resolution as one before it, only the
  /// first is listed, as `intrinsics(for:resolution:)` finds it.
  public func calibrations() throws(StoreError) -> [StoredCalibration] {
    var found: [StoredCalibration] = []
    for root in [root] + fallbackRoots {
      let root = try checked(root)
      for folder in try Disk.names(in: root) where Disk.isFolder(root + "/" + folder) {
        let device = FileNames.device(ofFolder: folder)
        guard device != nil || FileNames.isCut(folder) else { continue }
        for entry in try Self.calibrations(root: root, folder: folder, device: device)
        where !found.contains(where: {
          $0.device == entry.device && $0.resolution == entry.resolution
        }) {
          found.append(entry)
        }
      }
    }
    return found.sorted {
      ($0.device.rawValue, $0.resolution.width, $0.resolution.height)
        < ($1.device.rawValue, $1.resolution.width, $1.resolution.height)
    }
  }

  /// All current records of a device.
  public func calibrations(of device: DeviceID) throws(StoreError) -> [StoredCalibration] {
    let folder = try FileNames.folder(of: device)
    var found: [StoredCalibration] = []
    for root in [root] + fallbackRoots {
      for entry in try Self.calibrations(root: checked(root), folder: folder, device: device)
      where !found.contains(where: { $0.resolution == entry.resolution }) {
        found.append(entry)
      }
    }
    return found.sorted {
      ($0.resolution.width, $0.resolution.height) < ($1.resolution.width, $1.resolution.height)
    }
  }

  /// The records in a folder; a folder whose device is nil has its id in its records only.
  private static func calibrations(
    root: String, folder: String, device: DeviceID?
  ) throws(StoreError) -> [StoredCalibration] {
    var found: [StoredCalibration] = []
    for name in try Disk.names(in: root + "/" + folder) {
      guard let resolution = FileNames.resolution(ofRecord: name) else { continue }
      let path = "\(root)/\(folder)/\(name)"
      var owner = device
      let record: Result<IntrinsicsRecord, StoreError>
      do {
        if owner == nil, let id = try Self.record(at: path)?.device.id,
          try FileNames.folder(of: id) == folder
        {
          owner = id
        }
        // Gone again since the folder was read: another process has removed it.
        guard
          let read = try Self.record(
            at: path, device: owner ?? DeviceID(rawValue: folder), resolution: resolution)
        else { continue }
        record = .success(read)
      } catch {
        record = .failure(error)
      }
      found.append(
        StoredCalibration(
          root: root, device: owner ?? DeviceID(rawValue: folder), resolution: resolution,
          path: path, record: record))
    }
    return found
  }
}
