package import Boards
internal import CalibrationStore
package import CameraModel
internal import Glibc

extension CornerTable {
  /// The largest file that is read: 20 000 views of 500 points.
  static let maximumFileSize = 1 << 29

  /// Reads tables of one board and joins them: text, or JSON where a file begins with a brace.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - board: The board; its points are expected row by row, in whichever direction.
  ///   - resolution: The size of the images; nil where the files are to say.
  /// - Returns: The table, its points in the order of `board.canonical.cornerPoints`, with a size.
  /// - Throws: `CornerTableError`.
  package static func read(
    _ paths: [String], board: ChessboardGeometry, resolution: Resolution?
  ) throws(CornerTableError) -> CornerTable {
    var all = CornerTable(views: [], resolution: resolution)
    // Where each image of the files before was met.
    var places: [String: String] = [:]
    for path in paths {
      do throws(CornerTableError) {
        let table = try CornerTable(parsing: contents(of: path), board: board)
        try table.refuseTwins()
        for view in table.views {
          let place = view.line.map { "\(path):\($0)" } ?? path
          if let before = places.updateValue(place, forKey: view.source) {
            throw CornerTableError(
              .malformed, line: view.line,
              "\(view.source) stands twice, first in \(before); give each image a name of its own")
          }
        }
        try all.append(table)
      } catch {
        var named = error
        named.file = path
        throw named
      }
    }
    do throws(CornerTableError) {
      return try all.checked(for: board)
    } catch {
      var named = error
      named.file = paths.count == 1 ? paths[0] : nil
      throw named
    }
  }

  /// Reads one file's bytes.
  ///
  /// - Throws: `CornerTableError` with a line where one is to blame, without a file.
  package init(parsing bytes: [UInt8], board: ChessboardGeometry) throws(CornerTableError) {
    let start = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    self =
      start == UInt8(ascii: "{")
      ? try CornerTable(json: bytes, board: board.canonical) : try CornerTable(text: bytes)
  }

  /// Adds the images of another table.
  mutating func append(_ other: CornerTable) throws(CornerTableError) {
    if let size = other.resolution {
      if let mine = resolution, mine != size {
        throw CornerTableError(
          .malformed, "its images are \(size), but \(mine) is asked for or stands in another file")
      }
      resolution = size
    }
    let isAbsolute = { (kind: Confidence?) in kind == .sigma || kind == .weight }
    guard views.isEmpty || isAbsolute(confidence) == isAbsolute(other.confidence) else {
      throw CornerTableError(
        .malformed,
        "this file and those before do not say in the same way how well points are known; give all of "
          + "them the same columns")
    }
    for notice in other.notices where !notices.contains(notice) { notices.append(notice) }
    confidence = other.confidence ?? confidence
    views += other.views
  }

  private static func contents(of path: String) throws(CornerTableError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw CornerTableError(.unreadable, "is a folder; name the table in it")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CornerTableError(.unreadable, "is no regular file; write the table into one first")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno)
      }
      bytes += buffer[..<count]
      guard bytes.count <= maximumFileSize else {
        throw CornerTableError(.malformed, "is longer than any table of corners (512 MB)")
      }
    }
  }

  private static func failure(_ code: Int32) -> CornerTableError {
    CornerTableError(
      code == EACCES || code == EPERM ? .noPermission : .unreadable,
      "can't be read: \(String(cString: strerror(code)))")
  }
}
