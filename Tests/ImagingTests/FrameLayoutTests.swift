import CameraModel
import Imaging
import Testing

struct FrameLayoutTests {
  @Test(
    "formats are V4L2's codes",
    arguments: [
      (.mjpg, 0x4750_4A4D, "MJPG"), (.jpeg, 0x4745_504A, "JPEG"), (.yuyv, 0x5659_5559, "YUYV"),
      (.uyvy, 0x5956_5955, "UYVY"), (.nv12, 0x3231_564E, "NV12"), (.yu12, 0x3231_5559, "YU12"),
      (.grey, 0x5945_5247, "GREY"), (.y16, 0x2036_3159, "Y16"), (.rgb24, 0x3342_4752, "RGB3"),
      (.bgr24, 0x3352_4742, "BGR3"),
    ] as [(NativePixelFormat, UInt32, String)])
  func codes(format: NativePixelFormat, code: UInt32, text: String) {
    #expect(format.rawValue == code)
    #expect(format.description == text)
    #expect(NativePixelFormat(text) == format)
    #expect(format.isSupported)
  }

  @Test func otherCodesCanBeShown() {
    let bigEndian = NativePixelFormat(rawValue: NativePixelFormat.y16.rawValue | 1 << 31)
    #expect(bigEndian.description == "Y16-BE")
    #expect(NativePixelFormat("Y16-BE") == bigEndian)
    #expect(!bigEndian.isSupported)
    #expect(NativePixelFormat(rawValue: 0).description == "0x0")
    #expect(NativePixelFormat(rawValue: 0x1B5B_3331).description == "0x1b5b3331")
    #expect(NativePixelFormat(rawValue: 0x2020_2020).description == "0x20202020")
    for text in ["", "Y", "YUYVX", "YU V", "YÜV", "-BE"] { #expect(NativePixelFormat(text) == nil) }
  }

  @Test(
    arguments: [
      (.yuyv, 640, 480, 640 * 480 * 2), (.uyvy, 3, 1, 8), (.nv12, 4, 4, 24), (.nv12, 3, 3, 20),
      (.yu12, 4, 4, 24), (.yu12, 3, 3, 17), (.yu12, 1, 1, 3), (.grey, 5, 2, 10), (.y16, 5, 2, 20),
      (.rgb24, 5, 2, 30), (.bgr24, 1, 1, 3), (.mjpg, 640, 480, 4),
    ] as [(NativePixelFormat, Int, Int, Int)])
  func fewestBytes(format: NativePixelFormat, width: Int, height: Int, count: Int) throws {
    #expect(try FrameSample.layout(format, width, height).minimumByteCount == count)
  }

  @Test func paddingAfterTheLastRowNeedNotBeThere() throws {
    #expect(try FrameSample.layout(.grey, 5, 3, bytesPerRow: 8).minimumByteCount == 21)
    // Y 3·8, Cb 2·4, Cr 4 + 3
    #expect(try FrameSample.layout(.yu12, 5, 3, bytesPerRow: 8).minimumByteCount == 39)
    #expect(try FrameSample.layout(.nv12, 5, 3, bytesPerRow: 8).minimumByteCount == 38)
    #expect(try FrameSample.layout(.mjpg, 5, 3, bytesPerRow: 8).bytesPerRow == 0)
  }

  @Test func layoutsThatNoFrameHasAreErrors() {
    for (format, width, height, stride) in [
      (.yuyv, 0, 1, 0), (.yuyv, 1, -1, 0), (.yuyv, 65536, 1, 0), (.yuyv, 640, 480, 1279),
      (.rgb24, 10, 10, 20), (.grey, 10, 10, -10), (.grey, 10, 10, .max), (.yuyv, 3, 2, 6),
      (NativePixelFormat(rawValue: 0x3432_3142), 10, 10, 0),
    ] as [(NativePixelFormat, Int, Int, Int)] {
      #expect(throws: ImagingError.self, "\(format) \(width)x\(height) \(stride)") {
        try FrameLayout(format: format, width: width, height: height, bytesPerRow: stride)
      }
    }
    let error = #expect(throws: ImagingError.self) {
      try FrameLayout(
        format: NativePixelFormat(rawValue: 0x3432_3142),
        resolution: Resolution(width: 640, height: 480))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.description.contains("YUYV") == true)
  }
}
