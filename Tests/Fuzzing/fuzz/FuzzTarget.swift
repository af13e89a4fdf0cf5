import CalibrationFormats
import CalibrationStore
import CommandLineTool
import Imaging

/// A parser of outside bytes.
///
/// Whatever the bytes, it must end in a value or an error of its own: no trap, no overrun, no
/// endless loop. Where it has an inverse, what was read must survive writing and reading again.
enum FuzzTarget: String, CaseIterable {
  /// Stored records.
  case record
  /// Calibration files of other programs.
  case dialect
  /// JPEG, PNG and PNM: header, then pixels.
  case image
  /// EXIF blocks.
  case exif
  /// Command lines, an argument a line.
  case options

  /// The one that this process feeds; set once before the fuzzer starts.
  nonisolated(unsafe) static var chosen = FuzzTarget.record

  func run(_ bytes: [UInt8]) {
    switch self {
    case .record: record(bytes)
    case .dialect: dialect(bytes)
    case .image: image(bytes)
    case .exif: _ = ExifTags(tiff: bytes)
    case .options: options(bytes)
    }
  }

  private func record(_ bytes: [UInt8]) {
    guard let record = try? IntrinsicsRecord(jsonBytes: bytes) else { return }
    // Not every record that can be read may be stored, but what can be written reads back alike.
    guard let text = try? record.jsonText() else { return }
    do {
      let again = try IntrinsicsRecord(jsonBytes: Array(text.utf8)).jsonText()
      precondition(again == text, "a record changes when it is written and read")
    } catch {
      preconditionFailure("a record that was written cannot be read: \(error)")
    }
  }

  private func dialect(_ bytes: [UInt8]) {
    do {
      _ = try CalibrationFile.camera(in: bytes)
    } catch {
      precondition(!error.description.isEmpty)
    }
  }

  private func image(_ bytes: [UInt8]) {
    guard let header = try? ImageFile.header(of: bytes.span.bytes, named: "input"),
      // Larger ones only cost time here; their limits are tested elsewhere.
      header.width * header.height <= 1 << 20,
      let picture = try? ImageFile.grayImage(of: bytes.span.bytes, named: "input")
    else { return }
    precondition(picture.width == header.width)
    precondition(picture.height == header.height)
    precondition(picture.pixels.count == picture.width * picture.height)
  }

  private func options(_ bytes: [UInt8]) {
    let arguments = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    do throws(UsageError) {
      _ = try FuzzedCommand.description.parse(arguments)
    } catch {
      precondition(!error.message.isEmpty)
    }
  }
}
