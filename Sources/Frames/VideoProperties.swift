import Imaging

/// What `ffprobe` says of a video without decoding it: nice to know, and nothing depends on it.
struct VideoProperties {
  /// The codec's name.
  private(set) var codec: String?
  /// The number of frames, by the container or from duration and rate.
  private(set) var frameCount: Int?
  /// Whether players are asked to turn the picture.
  private(set) var isRotated = false

  /// Probes a file; all is unknown where that fails.
  init(ofFileAt path: String) {
    guard let file = try? RegularFile(path: path) else { return }
    let entries =
      "stream=codec_name,nb_frames,avg_frame_rate,duration:stream_tags=rotate"
      + ":stream_side_data=rotation:format=duration"
    let arguments = [
      "-v", "quiet", "-select_streams", "v:0", "-show_entries", entries, "-of",
      "default=noprint_wrappers=1", "-protocol_whitelist", "file", "file:/dev/fd/3",
    ]
    guard let output = Self.output(arguments, descriptor: file.descriptor) else { return }
    var values: [Substring: Substring] = [:]
    for line in output.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      // The stream's entries come before the container's.
      if parts.count == 2 && parts[1] != "N/A" && values[parts[0]] == nil {
        values[parts[0]] = parts[1]
      }
    }
    codec = values["codec_name"].map(String.init)
    isRotated =
      [values["rotation"], values["TAG:rotate"]].contains { $0.map { $0 != "0" } ?? false }
    frameCount = values["nb_frames"].flatMap { Int($0) }
    if frameCount == nil, let duration = values["duration"].flatMap({ Double($0) }),
      let rate = Self.ratio(values["avg_frame_rate"])
    {
      frameCount = Int(exactly: (duration * rate).rounded())
    }
  }

  private static func ratio(_ text: Substring?) -> Double? {
    let parts = (text ?? "").split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : nil
  }

  private static func output(_ arguments: [String], descriptor: Int32) -> String? {
    guard
      var process = try? Subprocess(
        program: "ffprobe", arguments: arguments, descriptor: descriptor),
      let bytes = try? process.readAll(
        atMost: 1 << 16, waitingAtMost: FFmpeg.patienceSeconds)
    else { return nil }
    return process.wait() == .exited(0) ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
