import CameraModel
import FakeV4L2
import Glibc
import Imaging
import Testing

@testable import V4L2

@Suite("Negotiation")
struct NegotiationTests {
  private static let formats: [FakeDescription.Format] = [
    .init("MJPG", sizes: [.init(1280, 720), .init(640, 480, rates: [30, 15, 5])]),
    .init("YUYV", sizes: [.init(640, 480, rates: [15]), .init(1472, 1104, rates: [5])]),
  ]

  private func node(
    _ formats: [FakeDescription.Format] = NegotiationTests.formats, echoes: Bool = false
  ) throws -> VideoNode {
    var description = FakeDescription(formats: formats)
    description.echoesRequests = echoes
    let system = FakeSystem(["/dev/video0": FakeCamera(description)])
    return try VideoNode(path: "/dev/video0", calls: system.calls)
  }

  private let vga = Resolution(width: 640, height: 480)

  @Test("gives what was asked for, and what the driver says of it")
  func exact() throws {
    let node = try node()
    let format = try node.negotiate(
      pixelFormat: .yuyv, resolution: vga,
      frameInterval: FrameInterval(numerator: 1, denominator: 15))
    #expect(format.pixelFormat == .yuyv)
    #expect(format.resolution == vga)
    #expect(format.bytesPerRow == 1280)
    #expect(format.sizeImage == 614_400)
    #expect(format.completeByteCount == 614_400)
    #expect(format.frameInterval?.framesPerSecond == 15)
    #expect("\(format)" == "YUYV 640x480 at 15 fps")
    #expect(try node.currentFormat() == format)
  }

  /// Pain 44: the tool stored another size than was asked for.
  @Test("of a size or format that the camera has not is an error that names what it has")
  func other() throws {
    for (format, width, height) in [
      (NativePixelFormat.yuyv, 1280, 720), (.nv12, 640, 480), (.mjpg, 641, 480), (.mjpg, 0, 0),
      (.mjpg, -1, 480),
    ] {
      for echoes in [false, true] {
        let error = try #require(throws: V4L2Error.self) {
          try node(echoes: echoes).negotiate(
            pixelFormat: format, resolution: Resolution(width: width, height: height))
        }
        #expect(error.code == .formatUnavailable)
        #expect(error.message.contains("\(format) \(width)x\(height)"))
        #expect(error.message.contains("MJPG 1280x720, 640x480; YUYV 640x480, 1472x1104"))
      }
    }
  }

  /// Pain 60: programs that begin with 640x480 cannot open such a camera.
  @Test("of a camera without 640x480 works")
  func unusualSizes() throws {
    let odd = Resolution(width: 1472, height: 1104)
    let node = try node([.init("YUYV", sizes: [.init(1472, 1104, rates: [5])])])
    #expect(try node.negotiate(pixelFormat: .yuyv, resolution: odd).resolution == odd)
  }

  @Test("takes any size of a range")
  func range() throws {
    let node = try node([
      .init("GREY", sizes: [.init(2, 2, upTo: (8192, 8192), rates: [30])])
    ])
    let size = Resolution(width: 322, height: 242)
    #expect(try node.negotiate(pixelFormat: .grey, resolution: size).sizeImage == 322 * 242)
    let offered = try #require(try node.offeredFormats().first?.sizes.first)
    #expect("\(offered)" == "2x2 to 8192x8192")
    #expect(offered.contains(size))
    #expect(!offered.contains(Resolution(width: 323, height: 242)))
    #expect(!offered.contains(Resolution(width: 9000, height: 242)))
  }

  @Test("lists formats, sizes and rates")
  func list() throws {
    let formats = try node().offeredFormats()
    #expect(formats.map { "\($0.pixelFormat)" } == ["MJPG", "YUYV"])
    let vgaOfMJPG = try #require(formats[0].sizes.last)
    #expect("\(vgaOfMJPG)" == "640x480")
    #expect(vgaOfMJPG.intervals.map(\.description) == ["30 fps", "15 fps", "5 fps"])
  }

  @Test("while another program streams says that it does")
  func busy() throws {
    let camera = FakeCamera()
    let system = FakeSystem(["/dev/video0": camera])
    let first = try VideoNode(path: "/dev/video0", calls: system.calls)
    let stream = try VideoStream(
      first, format: try first.negotiate(pixelFormat: .yuyv, resolution: vga))
    let second = try VideoNode(path: "/dev/video0", calls: system.calls)
    let error = try #require(throws: V4L2Error.self) {
      try second.negotiate(pixelFormat: .yuyv, resolution: vga)
    }
    #expect(error.code == .busy)
    stream.stop()
    _ = try second.negotiate(pixelFormat: .yuyv, resolution: vga)
  }

  @Test(
    "rates are said as people say them",
    arguments: [
      (1, 30, "30 fps"), (2, 15, "7.5 fps"), (1001, 30000, "29.97 fps"), (100, 2997, "29.97 fps"),
      (0, 30, "0 fps"), (1, 0, "0 fps"), (100, 3005, "30.05 fps"),
    ])
  func rates(numerator: Int, denominator: Int, text: String) {
    let interval = FrameInterval(
      numerator: UInt32(numerator), denominator: UInt32(denominator))
    #expect("\(interval)" == text)
  }
}
