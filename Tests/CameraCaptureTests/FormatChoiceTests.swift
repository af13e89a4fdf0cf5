import CameraCapture
import CameraModel
import Imaging
import Testing

@testable import CameraCapture

@Suite("Choice of format")
struct FormatChoiceTests {
  private let vga = Resolution(width: 640, height: 480)
  private let hd = Resolution(width: 1920, height: 1080)

  private func format(
    _ pixels: NativePixelFormat, _ size: Resolution, _ rates: Int32...
  ) -> CaptureDevice.Format {
    CaptureDevice.Format(
      pixelFormat: pixels, resolution: size,
      frameDurations: rates.map { MediaTime(value: 1, timescale: $0) })
  }

  private func choose(
    _ formats: [CaptureDevice.Format], _ size: Resolution?, minimum: Int32? = 30,
    needsColor: Bool = true
  ) throws -> (NativePixelFormat, Resolution, MediaTime?) {
    let result = try FormatChoice.choose(
      among: formats, resolution: size,
      minFrameDuration: minimum.map { MediaTime(value: 1, timescale: $0) },
      needsColor: needsColor, subject: "camera")
    return (result.format.pixelFormat, result.format.resolution, result.frameDuration)
  }

  @Test("the frame rate comes first, then the cheapest conversion")
  func rates() throws {
    let formats = [
      format(.mjpg, hd, 30), format(.yuyv, hd, 5), format(.mjpg, vga, 30),
      format(.yuyv, vga, 30, 15),
    ]
    #expect(try choose(formats, hd).0 == .mjpg)
    #expect(try choose(formats, vga).0 == .yuyv)
    // 5 frames a second are had raw.
    #expect(try choose(formats, hd, minimum: 5).0 == .yuyv)
    #expect(try choose(formats, vga, minimum: 20).2 == MediaTime(value: 1, timescale: 15))
  }

  @Test("colour is kept where an output delivers it, and not paid for where none does")
  func color() throws {
    let formats = [format(.grey, vga, 60), format(.yuyv, vga, 30)]
    #expect(try choose(formats, vga).0 == .yuyv)
    #expect(try choose(formats, vga, minimum: nil, needsColor: false).0 == .yuyv)
    let equal = [format(.yuyv, vga, 30), format(.grey, vga, 30)]
    #expect(try choose(equal, vga, needsColor: false).0 == .grey)
    #expect(try choose([format(.grey, vga, 30)], vga).0 == .grey)
  }

  @Test("the preset high takes the largest size that still comes in time")
  func high() throws {
    let formats = [format(.yuyv, hd, 5), format(.yuyv, vga, 30)]
    #expect(try choose(formats, nil).1 == vga)
    #expect(try choose([format(.yuyv, hd, 5)], nil, minimum: 5).1 == hd)
  }

  @Test("a range of sizes holds those of its steps")
  func ranges() throws {
    var range = format(.yuyv, hd, 30)
    range.minimumResolution = Resolution(width: 64, height: 64)
    range.resolutionStep = Resolution(width: 16, height: 8)
    #expect(try choose([range], vga).1 == vga)
    #expect(throws: CaptureError.self) {
      try choose([range], Resolution(width: 650, height: 480))
    }
  }

  @Test("what cannot be read is said, with what can be")
  func unreadable() throws {
    let h264 = NativePixelFormat("H264") ?? .mjpg
    let error = CaptureError.thrown { _ = try choose([format(h264, vga, 30)], vga) }
    #expect(error?.code == .formatUnavailable)
    #expect(error?.message.contains("H264 only") == true)
    #expect(error?.message.contains("YUYV") == true)
    #expect(
      CaptureError.thrown { _ = try choose([], vga) }?.message.contains("no format") == true)
    let slow = CaptureError.thrown { _ = try choose([format(.yuyv, vga, 60)], vga, minimum: 30) }
    #expect(slow?.code == .frameDurationUnavailable)
    #expect(try choose([format(.yuyv, vga, 60)], vga, minimum: nil).0 == .yuyv)
  }

  @Test(
    "every format that is converted is taken by a session, as it is by calibrate",
    arguments: NativePixelFormat.supported)
  func oneList(pixels: NativePixelFormat) throws {
    let isGrey = pixels == .grey || pixels == .y16
    for needsColor in [true, false] {
      #expect(try choose([format(pixels, vga, 30)], vga, needsColor: needsColor).0 == pixels)
      // A JPEG costs most: whatever else there is in colour goes before it.
      guard pixels != .jpeg, !isGrey || !needsColor else { continue }
      let both = [format(.jpeg, vga, 30), format(pixels, vga, 30)]
      #expect(try choose(both, vga, needsColor: needsColor).0 == pixels)
    }
  }

  @Test("times are compared as fractions and written as such")
  func times() {
    #expect(MediaTime(value: 1, timescale: 30) == MediaTime(value: 2, timescale: 60))
    #expect(
      MediaTime(value: 1, timescale: 30).hashValue == MediaTime(value: 2, timescale: 60).hashValue)
    #expect(MediaTime(value: 1, timescale: 60) < MediaTime(value: 1, timescale: 30))
    #expect(MediaTime(value: .max, timescale: 1) > MediaTime(value: .max, timescale: 2))
    #expect(MediaTime(value: 1, timescale: 0).timescale == 1)
    #expect("\(MediaTime(value: 1, timescale: 30))" == "1/30 s")
    #expect("\(format(.yuyv, vga, 15, 30))" == "YUYV 640x480 at up to 30 frames/s")
  }
}
