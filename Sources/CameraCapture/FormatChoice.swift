internal import CameraModel
internal import Imaging

/// Which of a camera's formats a session takes frames in.
enum FormatChoice {
  /// A format narrowed to one size, and the time from frame to frame to ask for.
  struct Result: Sendable, Hashable {
    var format: CaptureDevice.Format
    var frameDuration: MediaTime?
  }

  private static let usualFrameDuration = MediaTime(value: 1, timescale: CaptureRate.usual)
  private static let briskFrameDuration = MediaTime(value: 1, timescale: CaptureRate.brisk)

  /// Chooses among the formats at a size the one that comes nearest to the wanted frame rate and, of
  /// those equal in that, is turned into pixels most cheaply without loss.
  ///
  /// - Parameters:
  ///   - resolution: The size, which must be had exactly; nil for the largest that still comes at
  ///     24 frames a second or, where none does, the largest.
  ///   - minimum: The shortest time from frame to frame.
  ///   - needsColor: Whether a grey format will not do while there is another one.
  static func choose(
    among formats: [CaptureDevice.Format], resolution: Resolution?,
    minFrameDuration minimum: MediaTime?,
    needsColor: Bool, subject: String
  ) throws(CaptureError) -> Result {
    let readable = formats.filter(\.pixelFormat.isSupported)
    guard !readable.isEmpty else {
      let offered = Set(formats.map { "\($0.pixelFormat)" }).sorted().joined(separator: ", ")
      throw CaptureError(
        code: .formatUnavailable, subject: subject,
        message:
          "the camera offers \(offered.isEmpty ? "no format" : "\(offered) only"); readable are "
          + NativePixelFormat.supported.map { "\($0)" }.joined(separator: ", "))
    }
    let size = resolution ?? largest(readable)
    let fitting = readable.filter { $0.contains(size) }.map { $0.at(size) }
    guard !fitting.isEmpty else { throw unavailable("\(size)", subject, formats) }
    let wanted = minimum ?? usualFrameDuration
    var results: [Result] = []
    for format in fitting {
      if format.frameDurations.isEmpty {
        results.append(Result(format: format, frameDuration: wanted))
      } else if let duration = format.frameDuration(atLeast: wanted) {
        results.append(Result(format: format, frameDuration: duration))
      } else if minimum == nil {
        results.append(Result(format: format, frameDuration: format.frameDurations.last))
      }
    }
    let best = results.min { a, b in
      rank(a, needsColor, wanted) < rank(b, needsColor, wanted)
    }
    guard let best else {
      let longest = fitting.compactMap(\.frameDurations.last).max().map { "\($0)" } ?? "none"
      throw CaptureError(
        code: .frameDurationUnavailable, subject: subject,
        message:
          "frames at least \(wanted) apart were asked for; at \(size) the longest time between "
          + "frames that the camera offers is \(longest): ask for that, and skip frames in the app")
    }
    return best
  }

  /// Less is better: first colour, then the frame rate, then how much the format loses.
  private static func rank(
    _ result: Result, _ needsColor: Bool, _ wanted: MediaTime
  ) -> (Int, Double, Int) {
    let isGrey = result.format.pixelFormat == .grey || result.format.pixelFormat == .y16
    // Rates that differ by less than a fifth are as good as each other.
    let distance = abs((result.frameDuration ?? wanted).seconds / wanted.seconds - 1)
    let order = NativePixelFormat.supported.firstIndex(of: result.format.pixelFormat)
    let cost = needsColor || !isGrey ? order ?? NativePixelFormat.supported.count : -1
    return (needsColor && isGrey ? 1 : 0, (distance * 5).rounded(.down), cost)
  }

  private static func largest(_ formats: [CaptureDevice.Format]) -> Resolution {
    let brisk = formats.filter { format in
      format.frameDurations.first.map { $0 <= briskFrameDuration } ?? true
    }
    func area(_ format: CaptureDevice.Format) -> Int {
      format.resolution.width.multipliedReportingOverflow(by: format.resolution.height).partialValue
    }
    let best = (brisk.isEmpty ? formats : brisk).max { area($0) < area($1) }
    return best?.resolution ?? Resolution(width: 1, height: 1)
  }

  /// The error for a size or format that is not offered, with what is.
  static func unavailable(
    _ wish: String, _ subject: String, _ formats: [CaptureDevice.Format]
  ) -> CaptureError {
    var sizes: [(Resolution, [String])] = []
    for format in formats {
      let name = "\(format.pixelFormat)"
      if let index = sizes.firstIndex(where: { $0.0 == format.resolution }) {
        if !sizes[index].1.contains(name) { sizes[index].1.append(name) }
      } else {
        sizes.append((format.resolution, [name]))
      }
    }
    let list = sizes.prefix(16).map { "\($0.0) (\($0.1.joined(separator: ", ")))" }
    return CaptureError(
      code: .formatUnavailable, subject: subject,
      message: "the camera does not offer \(wish); it offers "
        + (list.isEmpty ? "nothing" : list.joined(separator: ", "))
        + (sizes.count > 16 ? ", …" : "") + ": choose one of these")
  }
}
