import Imaging
import Testing

/// Whether the program ffmpeg is installed.
enum FFmpegPresence {
  static let isThere: Bool = {
    do throws(Subprocess.Failure) {
      var process = try Subprocess(program: "ffmpeg", arguments: ["-version"])
      return process.wait() == .exited(0)
    } catch {
      print("SKIPPED: tests of other formats: ffmpeg is not installed")
      return false
    }
  }()
}

/// Formats that the program ffmpeg decodes.
@Suite(.enabled(if: FFmpegPresence.isThere, "needs the program ffmpeg"))
struct OtherFormatTests {
  /// An uncompressed TIFF of one grey sample of `bits` a pixel.
  private func tiff(bits: Int) -> [UInt8] {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let data = bits == 8 ? Sample.gray : Sample.gray.flatMap { [$0, 4] }
    let entries: [(Int, Int)] = [
      (256, Sample.width), (257, Sample.height), (258, bits), (259, 1), (262, 1),
      (273, 8 + 2 + 12 * 9 + 4), (277, 1), (278, Sample.height), (279, data.count),
    ]
    let directory = entries.flatMap { tag, value in
      little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
    }
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + little(entries.count, 2) + directory + little(0, 4)
      + data
  }

  @Test func grayIsExactAndWideIsStretched() throws {
    let folder = try TemporaryFolder()
    // A name that ffmpeg would take for a numbered sequence, or an option.
    let path = try folder.write(tiff(bits: 8), to: "-i%03d.jpg")
    let header = try ImageFile.header(ofFileAt: path)
    #expect(header.format == .other("TIFF"))
    #expect((header.width, header.height) == (Sample.width, Sample.height))
    #expect(try ImageFile.grayImage(ofFileAt: path).pixels == Sample.gray)
    let wide = try folder.write(tiff(bits: 16), to: "wide.tif")
    let image = try ImageFile.grayImage(ofFileAt: wide)
    #expect(image.pixels.min() == 0 && image.pixels.max() == 255)
  }

  @Test func cutPictureIsAnError() throws {
    let folder = try TemporaryFolder()
    let whole = tiff(bits: 8)
    for missing in [1, 100, 900] {
      let path = try folder.write(Array(whole.dropLast(missing)), to: "cut.tif")
      #expect(throws: ImagingError.self, "\(missing)") { try ImageFile.grayImage(ofFileAt: path) }
    }
  }

  @Test func missingProgramSaysWhatToInstall() {
    let error = ImagingError(.missing(program: "ffmpeg"), format: "TIFF", path: "a.tif")
    #expect(error.code == .missingProgram)
    #expect(error.description.contains("ffmpeg") && error.description.contains("install"))
  }
}
