internal import CameraModel
internal import Glibc

/// Reads cameras from the calibration files of other programs.
package enum CalibrationFile {
  /// The one camera of a file, or the chosen one of several.
  ///
  /// - Parameter path: A YAML, XML, JSON, INI or text file in one of the known dialects; the content
  ///   decides, not the name.
  /// - Throws: `FormatError` when there is no such file, when it is no calibration, when it holds
  ///   several cameras and none is chosen, or when the camera has no equal in our lens models.
  package static func read(_ path: String, options: ImportOptions = ImportOptions())
    throws(FormatError) -> ImportedCamera
  {
    do throws(FormatError) {
      return try camera(in: try bytes(ofFileAt: path), options: options)
    } catch {
      var error = error
      error.file = path
      throw error
    }
  }

  /// The same for a file's bytes; never traps, whatever they are.
  package static func camera(in bytes: [UInt8], options: ImportOptions = ImportOptions())
    throws(FormatError) -> ImportedCamera
  {
    let (dialect, candidates) = try candidates(in: try SourceText(bytes), options: options)
    let candidate = try chosen(candidates, dialect: dialect, options: options)
    return try candidate.draft.get().finished(
      id: candidates.count == 1 ? "" : candidate.id, dialect: dialect, options: options)
  }

  private static func chosen(
    _ candidates: [Candidate], dialect: String, options: ImportOptions
  ) throws(FormatError) -> Candidate {
    let names = candidates.map(\.id).filter { !$0.isEmpty }.joined(separator: ", ")
    if let wanted = options.camera {
      let found = candidates.filter { $0.id == wanted }
      guard let candidate = found.first, found.count == 1 else {
        let held = names.isEmpty ? "one camera without a name" : names
        throw FormatError(
          .chooseCamera,
          found.isEmpty
            ? "no camera \"\(wanted)\" in this \(dialect) file; it holds \(held)"
            : "\(found.count) cameras are called \"\(wanted)\"")
      }
      return candidate
    }
    guard let first = candidates.first else {
      throw FormatError(.notACalibration, "this \(dialect) file holds no camera")
    }
    guard candidates.count > 1 else { return first }
    // Where none can be read, the reason helps more than the choice.
    let readable = candidates.contains { if case .success = $0.draft { true } else { false } }
    guard readable else { return first }
    throw FormatError(
      .chooseCamera,
      "this \(dialect) file holds \(candidates.count) cameras (\(names)); "
        + "choose one with --camera \(first.id)")
  }

  private static func bytes(ofFileAt path: String) throws(FormatError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      let code: FormatError.Code =
        switch number {
        case ENOENT, ENOTDIR: .notFound
        case EACCES, EPERM: .noPermission
        default: .unreadable
        }
      throw FormatError(code, "can't be opened: \(String(cString: strerror(number)))")
    }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FormatError(.unreadable, "is no regular file; expected a calibration file")
    }
    guard status.st_size <= SourceText.largestFile else {
      throw FormatError(
        .tooLarge,
        "has \(status.st_size) bytes; calibration files have at most \(SourceText.largestFile)")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= SourceText.largestFile {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw FormatError(
          .unreadable, "can't be read: \(String(cString: strerror(errno)))")
      }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
