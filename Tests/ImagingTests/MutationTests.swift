import Imaging
import Testing

/// Every parser of outside bytes survives garbage: it gives an error, or a picture of the header's size.
///
/// Seeded; the fuzzers do the same for longer.
struct MutationTests {
  static let samples: [(String, [UInt8])] = [
    ("jpeg", Sample.grayJPEG),
    ("color", Sample.jpeg(Sample.repeated(3), channels: 3, restartRows: 1)),
    ("progressive", Sample.jpeg(Sample.repeated(3), channels: 3, progressive: true)),
    ("cmyk", Sample.jpeg(Sample.repeated(4), channels: 4)),
    ("exif", ExifSample.jpeg(Sample.grayJPEG, tiff: tiff)),
    ("png", ExifSample.png(Sample.grayPNG, tiff: tiff, atEnd: true)),
    ("interlaced", Sample.png(rows: Sample.gray, colorType: 0, bitDepth: 8, interlaced: true)),
    ("P5", Array("P5 # text\n40 24\n255\n".utf8) + Sample.gray),
    ("P2", Array("P2 4 2 300\n1 2 3 4\n300 6 7 8\n".utf8)),
    ("P6", Array("P6 40 8 255\n".utf8) + Sample.gray),
  ]
  private static let tiff = ExifSample.tiff(
    orientation: 6, make: "ACME", model: "Eye 2", little: true)

  @Test(arguments: samples.indices)
  func damagedPictureIsAnErrorOrWhole(index: Int) {
    let (name, sample) = Self.samples[index]
    var generator = SeededGenerator(seed: 0xC0FFEE + UInt64(index))
    var refused = 0
    for round in 0..<300 {
      let mutated = mutate(sample, &generator)
      do throws(ImagingError) {
        let image = try mutated.decoded()
        let header = try mutated.header()
        #expect(
          (image.width, image.height) == (header.width, header.height), "\(name) \(round)")
      } catch {
        refused += 1
        #expect(!error.message.isEmpty)
      }
    }
    // A mutation that never does harm would test nothing.
    #expect(refused > 30, "\(name): only \(refused) of 300 were refused")
  }

  @Test func damagedExifIsSurvived() {
    var generator = SeededGenerator(seed: 0xE81F)
    for _ in 0..<2000 {
      let tags = ExifTags(tiff: mutate(Self.tiff, &generator))
      #expect(tags.orientation.map { (1...8).contains($0) } ?? true)
    }
  }

  private func mutate(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else { break }
      // The first bytes hold most of the structure: half of the changes go there.
      let end = Bool.random(using: &generator) ? min(64, bytes.count) : bytes.count
      let index = Int.random(in: 0..<end, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes[index] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
      case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
      case 4: bytes.remove(at: index)
      default:
        let length = Int.random(in: 1...40, using: &generator)
        bytes.removeSubrange(index..<min(index + length, bytes.count))
      }
    }
    return bytes
  }
}
