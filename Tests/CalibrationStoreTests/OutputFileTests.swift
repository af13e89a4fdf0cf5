import CalibrationStore
import Glibc
import Testing

@Suite("A file that a command writes")
struct OutputFileTests {
  private let bytes = Array("new".utf8)

  @Test("takes the place of what was there, through a link too")
  func replacing() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file"
      symlink("file", folder + "/link")
      for name in ["file", "link", "file"] {
        let isWritten = try OutputFile.write(bytes + [0], to: folder + "/" + name)
        #expect(isWritten)
      }
      var info = stat()
      #expect(lstat(folder + "/link", &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
      #expect(stat(path, &info) == 0 && info.st_size == 4)
      #expect(names(in: folder) == ["file", "link"])
    }
  }

  @Test("is named as it was given where it can't be written, and nothing is left")
  func failures() throws {
    try withTemporaryFolder { folder in
      try #require(mkdir(folder + "/sub", 0o777) == 0)
      for (path, words) in [
        (folder + "/none/file", "make that first"), (folder + "/sub", "is a folder"),
        (folder + "/" + String(repeating: "x", count: 300), "File name too long"),
        ("/dev/full", "No space left"), ("/proc/file", "/proc/file: cannot write"),
      ] {
        let error = try #require(throws: StoreError.self) {
          try OutputFile.write(bytes, to: path)
        }
        #expect(error.code == .notWritable)
        #expect(error.subject == path)
        #expect(error.message.contains(words) || "\(error)".contains(words), "\(error)")
        #expect(!"\(error)".contains("--store") && !"\(error)".contains(".tmp-"), "\(error)")
      }
      #expect(names(in: folder) == ["sub"])
    }
  }

  @Test("may be a pipe: without a reader it is given up, by patience or by a wish to stop")
  func pipes() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/pipe"
      try #require(mkfifo(path, 0o666) == 0)
      let error = #expect(throws: StoreError.self) {
        try OutputFile.write(bytes, to: path, patience: 0)
      }
      #expect(error?.message.contains("start its reader first") == true)
      var questions = 0
      let isOpened = try OutputFile.write(bytes, to: path) {
        questions += 1
        return questions == 3
      }
      #expect(!isOpened && questions == 3)
      // A reader that takes nothing: the pipe fills, and the wait can be ended.
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let isSmallTaken = try OutputFile.write(bytes, to: path)
      #expect(isSmallTaken)
      var isFull = false
      let isLargeTaken = try OutputFile.write([UInt8](repeating: 1, count: 1 << 21), to: path) {
        defer { isFull = true }
        return isFull
      }
      #expect(!isLargeTaken && isFull)
      var info = stat()
      #expect(stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFIFO)
    }
  }
}
