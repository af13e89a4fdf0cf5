import Glibc
import Testing

/// A folder of its own for a test, removed at the end; in memory where possible: the tests write many
/// small files, and waiting for a disk to have each of them would take a minute.
func withTemporaryFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
  let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
  var template = Array("\(parent)/camera-intrinsics-test-XXXXXX".utf8CString)
  let made = try #require(mkdtemp(&template))
  let path = String(cString: made)
  defer { removeTree(path) }
  return try body(path)
}

/// Removes a file or a folder with all that is in it.
func removeTree(_ path: String) {
  var info = stat()
  guard lstat(path, &info) == 0 else { return }
  if info.st_mode & S_IFMT == S_IFDIR {
    chmod(path, 0o700)
    for name in names(in: path) { removeTree(path + "/" + name) }
    rmdir(path)
  } else {
    unlink(path)
  }
}

/// The names in a folder, sorted; empty where there is none.
func names(in folder: String) -> [String] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// All files below a folder by their relative paths, sorted.
func files(below folder: String, prefix: String = "") -> [String] {
  names(in: folder).flatMap { name -> [String] in
    var info = stat()
    let path = folder + "/" + name
    guard lstat(path, &info) == 0 else { return [] }
    return info.st_mode & S_IFMT == S_IFDIR
      ? files(below: path, prefix: prefix + name + "/") : [prefix + name]
  }
}

/// The bytes of a file; nil where there is none.
func bytes(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return result }
    result += buffer[..<count]
  }
}

/// Writes a file.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let file = try #require(fopen(path, "wb"))
  defer { fclose(file) }
  #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}
