/// The programs that decode what the codecs in the process do not.
///
/// The file is handed over as an open descriptor (`/dev/fd/3`) instead of by name: what was checked is
/// what is read, its content alone decides the format, and no name can be taken for an option, a
/// protocol, or a numbered sequence of files.
package enum FFmpeg {
  /// How long the program may make no progress, seconds.
  ///
  /// A frame of any supported size takes below one second; the rest is room for a slow disk and a
  /// loaded machine.
  package static let patienceSeconds = 30

  /// The options that come before any input: no console input, errors only, no rotation by metadata,
  /// nothing read but files (a playlist may name network addresses).
  package static let inputArguments = [
    "-nostdin", "-hide_banner", "-v", "error", "-noautorotate", "-protocol_whitelist", "file",
    "-i", "file:/dev/fd/3",
  ]

  /// What the user is told where a program is missing.
  package static func installHint(_ program: String) -> String {
    "needs the program \(program), which is not installed; install it "
      + "(apt-get install ffmpeg) or convert to JPEG or PNG"
  }

  /// A complaint without what changes from run to run and says nothing to people: `[h264 @ 0x55d0…]`
  /// and the descriptor's name.
  package static func readable(_ complaint: String) -> String {
    var text = ""
    for word in complaint.split(separator: " ") where word != "@" {
      if word.hasPrefix("0x"), word.hasSuffix("]") {
        text += "]"
      } else if word != "file:/dev/fd/3:" {
        text += (text.isEmpty ? "" : " ") + word
      }
    }
    return text
  }

  /// The first picture of `file` as the bytes of a grey PNM of 8 or 16 bits.
  static func picture(
    of file: borrowing RegularFile, format: String, path: String
  ) throws(ImagingError) -> [UInt8] {
    // The largest picture that is read, in 16 bits, and its header.
    let most = ImageHeader.mostPixels * 2 + 64
    let arguments =
      inputArguments + ["-frames:v", "1", "-an", "-c:v", "pgm", "-f", "image2pipe", "pipe:1"]
    return try output(
      of: "ffmpeg", arguments, file: file, mostBytes: most, format: format, path: path)
  }

  /// The size of the first picture of `file`.
  static func header(
    of file: borrowing RegularFile, format: String, path: String
  ) throws(ImagingError) -> ImageHeader {
    let arguments = [
      "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of",
      "csv=p=0:s=x", "-protocol_whitelist", "file", "file:/dev/fd/3",
    ]
    let bytes = try output(
      of: "ffprobe", arguments, file: file, mostBytes: 4096, format: format, path: path)
    let text = String(decoding: bytes, as: UTF8.self)
    let numbers = text.prefix { !$0.isNewline }.split(separator: "x").compactMap { Int($0) }
    guard numbers.count >= 2 else {
      throw ImagingError(
        .corrupt, path: path,
        message: "ffprobe finds no picture in the \(format); the file is damaged")
    }
    let header = ImageHeader(format: .other(format), width: numbers[0], height: numbers[1])
    return try header.checked(path: path)
  }

  /// All that a program writes to standard output; an error where it fails or complains.
  private static func output(
    of program: String, _ arguments: [String], file: borrowing RegularFile, mostBytes: Int,
    format: String, path: String
  ) throws(ImagingError) -> [UInt8] {
    let (bytes, ending, complaint) = try run(
      program, arguments, file: file, mostBytes: mostBytes, format: format, path: path)
    guard bytes.count <= mostBytes else {
      throw ImagingError(
        .tooLarge, path: path, message: "\(program) gives more than \(mostBytes) bytes for it")
    }
    // It exits with 0 after errors which it could work round: the picture is then not whole.
    guard ending == .exited(0), complaint.isEmpty, !bytes.isEmpty else {
      throw ImagingError(
        .corrupt, path: path,
        message:
          "\(program) can't read the \(format) whole, so it is not used; copy it again or convert "
          + "it to PNG" + (complaint.isEmpty ? "" : " (\(complaint))"))
    }
    return bytes
  }

  private static func run(
    _ program: String, _ arguments: [String], file: borrowing RegularFile, mostBytes: Int,
    format: String, path: String
  ) throws(ImagingError) -> ([UInt8], Subprocess.Ending, complaint: String) {
    do throws(Subprocess.Failure) {
      var process = try Subprocess(
        program: program, arguments: arguments, descriptor: file.descriptor)
      let bytes = try process.readAll(atMost: mostBytes, waitingAtMost: patienceSeconds)
      let ending = bytes.count <= mostBytes ? process.wait() : .exited(0)
      return (bytes, ending, readable(process.complaint))
    } catch {
      throw ImagingError(error, format: format, path: path)
    }
  }
}

extension ImagingError {
  /// What the failure of a program means for the file of a `format` that it was to decode.
  package init(_ failure: Subprocess.Failure, format: String, path: String) {
    switch failure {
    case .missing(let program):
      self.init(
        .missingProgram, path: path, message: "is a \(format), which \(FFmpeg.installHint(program))"
      )
    case .notStarted(let program, let code):
      self.init(
        .programFailed, path: path,
        message: "the program \(program) can't be started: \(systemMessage(code))")
    case .stalled(let program, let seconds):
      self.init(
        .timedOut, path: path,
        message: "\(program) made no progress on the \(format) for \(seconds) s; convert it to PNG")
    case .unreadable(let program, let code):
      self.init(
        .programFailed, path: path,
        message: "the output of \(program) can't be read: \(systemMessage(code))")
    }
  }
}
