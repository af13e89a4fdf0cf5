import CameraModel
import Imaging

/// A running `ffmpeg` whose frames arrive through a pipe, each a grey PGM: with its own size in front,
/// so that nothing has to be known beforehand.
///
/// Used from one thread. The program is ended when the decoder goes away.
final class VideoDecoder {
  /// The size of all frames.
  let resolution: Resolution

  private let path: String
  /// The bytes in front of every frame.
  private let header: [UInt8]
  private var process: Subprocess
  private var first: GrayImage?
  private var isOtherSize = false

  private init(
    path: String, header: [UInt8], process: consuming Subprocess, first: GrayImage
  ) {
    self.path = path
    self.header = header
    self.process = process
    self.resolution = first.resolution
    self.first = first
  }

  /// Starts decoding and reads the first frame.
  static func open(path: String, every: Int) throws(FramesError) -> VideoDecoder {
    do throws(ImagingError) {
      let file = try RegularFile(path: path)
      // The second name is that before ffmpeg 5.1.
      var opening = try start(path, file, every: every, oneToOne: ["-fps_mode", "passthrough"])
      if case .failed(let complaint) = opening, complaint.contains("fps_mode") {
        opening = try start(path, file, every: every, oneToOne: ["-vsync", "0"])
      }
      switch opening {
      case .open(let decoder): return decoder
      case .failed(let complaint):
        throw ImagingError(
          .corrupt, path: path,
          message: "ffmpeg finds no whole frame in it; check that it is a video and copy it again"
            + (complaint.isEmpty ? "" : " (\(complaint))"))
      }
    } catch {
      throw FramesError(error, noPicture: .noFrames)
    }
  }

  private enum Opening {
    case open(VideoDecoder)
    case failed(complaint: String)
  }

  private static func start(
    _ path: String, _ file: borrowing RegularFile, every: Int, oneToOne: [String]
  ) throws(ImagingError) -> Opening {
    // Decoding stops at the first error: what follows builds on damaged frames. The selection comes
    // before the conversion to grey, so that frames passed over cost no conversion.
    let selection = every > 1 ? ["-vf", "select=not(mod(n\\,\(every)))"] : []
    let arguments =
      ["-xerror", "-err_detect", "explode"] + FFmpeg.inputArguments
      + ["-map", "0:v:0"] + selection + oneToOne
      + ["-pix_fmt", "gray", "-c:v", "pgm", "-f", "image2pipe", "pipe:1"]
    do throws(Subprocess.Failure) {
      var process = try Subprocess(
        program: "ffmpeg", arguments: arguments, descriptor: file.descriptor)
      let header = try PGMStream.header(from: &process)
      if let size = PGMStream.size(inHeader: header),
        let image = try PGMStream.image(of: size, from: &process)
      {
        return .open(VideoDecoder(path: path, header: header, process: process, first: image))
      }
      _ = process.wait()
      return .failed(complaint: FFmpeg.readable(process.complaint))
    } catch {
      throw ImagingError(error, format: "video", path: path)
    }
  }

  /// The first frame; nil when it was taken.
  func takeFirst() -> GrayImage? {
    defer { first = nil }
    return first
  }

  /// The next frame; nil where the video ends or is damaged.
  func next() throws(FramesError) -> GrayImage? {
    do throws(Subprocess.Failure) {
      guard
        let bytes = try process.read(exactly: header.count, waitingAtMost: FFmpeg.patienceSeconds)
      else { return nil }
      guard bytes == header else {
        isOtherSize = true
        return nil
      }
      return try PGMStream.image(of: resolution, from: &process)
    } catch {
      throw FramesError(ImagingError(error, format: "video", path: path), noPicture: .noFrames)
    }
  }

  /// Why the frames ended, after `next` gave nil; nil where that is simply the video's end.
  ///
  /// The number of frames that the header announces is no evidence: it is an estimate in most
  /// containers, and edit lists hide frames.
  func damage() -> String? {
    if isOtherSize { return "the frame size changes there" }
    let ending = process.wait()
    let complaint = FFmpeg.readable(process.complaint)
    if !complaint.isEmpty { return "the video is damaged there (\(complaint))" }
    return ending == .exited(0) ? nil : "ffmpeg gave up there"
  }
}
