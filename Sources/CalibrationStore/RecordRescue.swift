import CameraModel

/// Keeps a measured record that its store did not take: a read-only folder, a full disk.
public enum RecordRescue {
  /// Writes a record into a folder for temporary files, with a name that nothing else has.
  ///
  /// Tried in this order: `TMPDIR`, `/var/tmp` (which a reboot does not empty), `/tmp`, the working
  /// folder, the home folder.
  ///
  /// - Returns: The file; `import-calibration` takes it into a store later.
  /// - Throws: `StoreError` where none of them takes it, or the record would not read back.
  public static func save(
    _ record: IntrinsicsRecord, environment: [String: String] = StoreRoots.processEnvironment
  ) throws(StoreError) -> String {
    let bytes = Array(try record.jsonText().utf8)
    let candidates = [environment["TMPDIR"], "/var/tmp", "/tmp", ".", environment["HOME"]]
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    let device = try FileNames.folder(of: record.device.id).prefix(100)
    let name = "calibration-\(device)-\(record.camera.resolution)-\(random).json"
    var failures: [String] = []
    for case let folder? in candidates where !folder.isEmpty && !folder.utf8.contains(0) {
      do {
        // Only the user's own: a folder for temporary files is open to all.
        try Disk().writeNewFile(folder + "/" + name, bytes, mode: 0o600)
        return folder + "/" + name
      } catch {
        failures.append(error.description)
      }
    }
    throw StoreError(
      code: .notWritable, subject: name,
      message: "no folder takes the record: " + failures.joined(separator: "; "))
  }
}
