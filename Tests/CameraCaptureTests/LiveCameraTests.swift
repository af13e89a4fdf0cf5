import CalibrationStore
import CameraModel
import FakeV4L2
import Frames
import Glibc
import Imaging
import Testing

@testable import CameraCapture
@testable import V4L2

@Suite("A camera as a source of frames")
struct LiveCameraTests {
  static let identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "usb:046d:0825:1"), name: "Fake Camera", identifiedBy: "serial number")

  static func open(
    _ camera: FakeCamera, _ options: LiveCamera.Options = LiveCamera.Options()
  ) throws -> LiveCamera {
    try LiveCamera(
      path: "/dev/video0", identity: identity, options: options,
      calls: FakeSystem(["/dev/video0": camera]).calls)
  }

  private static func options(
    _ resolution: Resolution? = nil, format: NativePixelFormat? = nil, rate: Double? = nil
  ) -> LiveCamera.Options {
    var options = LiveCamera.Options()
    options.resolution = resolution
    options.pixelFormat = format
    options.framesPerSecond = rate
    return options
  }

  private static func offer(
    _ format: NativePixelFormat, _ sizes: [(Int, Int, [UInt32])]
  ) -> OfferedFormat {
    OfferedFormat(
      pixelFormat: format, name: "\(format)", isEmulated: false,
      sizes: sizes.map { width, height, rates in
        let size = Resolution(width: width, height: height)
        return OfferedSize(
          minimum: size, maximum: size, step: Resolution(width: 1, height: 1),
          intervals: rates.map { FrameInterval(numerator: 1, denominator: $0) },
          isIntervalRange: false)
      })
  }

  /// What an ordinary webcam offers.
  private static let webcam = [
    offer(.yuyv, [(640, 480, [30, 15]), (1280, 720, [10]), (1920, 1080, [5])]),
    offer(
      .mjpg,
      [(640, 480, [60, 30]), (1280, 720, [60, 30]), (1920, 1080, [30]), (3840, 2160, [10])]),
    offer(NativePixelFormat(rawValue: 0x3436_3248), [(3840, 2160, [30])]),
  ]

  @Test("The largest size that comes fast enough is taken, and what was asked for where it was")
  func modes() throws {
    func mode(_ options: LiveCamera.Options) throws -> String {
      let mode = try LiveMode(among: Self.webcam, options: options, subject: "camera")
      return "\(mode.pixelFormat) \(mode.resolution) \(mode.frameInterval?.description ?? "")"
    }
    #expect(try mode(Self.options()) == "MJPG 1920x1080 30 fps")
    // As fast in both formats: the one that loses nothing.
    let small = Resolution(width: 640, height: 480)
    #expect(try mode(Self.options(small)) == "YUYV 640x480 30 fps")
    #expect(try mode(Self.options(small, rate: 60)) == "MJPG 640x480 60 fps")
    #expect(try mode(Self.options(small, format: .mjpg)) == "MJPG 640x480 30 fps")
    #expect(try mode(Self.options(format: .yuyv)) == "YUYV 640x480 30 fps")
    // Slow where it is asked for.
    #expect(
      try mode(Self.options(Resolution(width: 3840, height: 2160))) == "MJPG 3840x2160 10 fps")
    #expect(try mode(Self.options(rate: 10)) == "MJPG 3840x2160 10 fps")
  }

  @Test("A size or format that is not offered is an error that names what is")
  func unavailable() throws {
    for options in [
      Self.options(Resolution(width: 800, height: 600)), Self.options(format: .nv12),
    ] {
      let error = try #require(throws: V4L2Error.self) {
        try LiveMode(among: Self.webcam, options: options, subject: "/dev/video0")
      }
      #expect(error.code == .formatUnavailable)
      #expect(error.message.contains("MJPG 640x480, 1280x720, 1920x1080"), "\(error)")
      #expect(error.message.contains("--size"), "\(error)")
    }
    #expect(throws: V4L2Error.self) {
      try LiveMode(among: [], options: Self.options(), subject: "/dev/video0")
    }
  }

  @Test("A range of sizes and rates gives its largest size, at the usual rate")
  func ranges() throws {
    let size = OfferedSize(
      minimum: Resolution(width: 16, height: 16), maximum: Resolution(width: 1280, height: 720),
      step: Resolution(width: 2, height: 2),
      intervals: [
        FrameInterval(numerator: 1, denominator: 60), FrameInterval(numerator: 1, denominator: 1),
      ], isIntervalRange: true)
    let offer = OfferedFormat(pixelFormat: .yuyv, name: "", isEmulated: false, sizes: [size])
    let mode = try LiveMode(among: [offer], options: Self.options(), subject: "camera")
    #expect(mode.resolution == Resolution(width: 1280, height: 720))
    #expect(mode.frameInterval.map { abs($0.framesPerSecond - 30) < 1e-9 } == true)
  }

  @Test("Grey is the Y of what the driver gave, and its buffers are free again at once")
  func grey() throws {
    let fake = FakeCamera { frame, bytes in
      for index in 0..<frame.byteCount {
        bytes[index] =
          index % 2 == 0 ? UInt8(truncatingIfNeeded: index / 2 + Int(frame.sequence)) : 128
      }
    }
    let camera = try Self.open(fake)
    #expect(camera.resolution == Resolution(width: 640, height: 480))
    #expect(camera.pixelFormat == "YUYV")
    var frames: [Frame] = []
    for _ in 0..<12 { frames.append(try #require(try camera.next())) }
    #expect(frames.map(\.index) == Array(0..<12))
    for (number, frame) in frames.enumerated() {
      let image = try frame.grayImage()
      #expect(image.width == 640 && image.height == 480)
      #expect(
        (0..<2000).allSatisfy { image.pixels[$0] == UInt8(truncatingIfNeeded: $0 + number) })
    }
  }

  @Test("Damaged and cut-off frames come as errors in their place, lost ones as gaps")
  func damaged() throws {
    let fake = FakeCamera(pace: .manual) { frame, _ in
      if frame.sequence == 1 { frame.isDamaged = true }
      if frame.sequence == 2 { frame.byteCount /= 2 }
    }
    let camera = try Self.open(fake)
    var frames: [Frame] = []
    for index in 0..<5 {
      if index == 4 { fake.skip(3) }
      fake.deliver()
      frames.append(try #require(try camera.next()))
    }
    #expect(frames.map(\.index) == [0, 1, 2, 3, 7])
    let readable = frames.map { (try? $0.grayImage()) != nil }
    #expect(readable == [true, false, false, true, true])
  }

  @Test("MJPG that lacks its end is an error when it is looked at")
  func cutOffJPEG() throws {
    let image = GrayImage(
      width: 64, height: 48, pixels: (0..<64 * 48).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let jpeg = try image.jpegData(quality: 95)
    let description = FakeDescription(formats: [.init("MJPG", sizes: [.init(64, 48)])])
    let fake = FakeCamera(description, pace: .manual) { frame, bytes in
      let count = frame.sequence == 0 ? jpeg.count : jpeg.count / 2
      bytes.copyBytes(from: jpeg[..<count])
      frame.byteCount = count
    }
    let camera = try Self.open(fake)
    fake.deliver()
    #expect(try #require(try camera.next()).grayImage().width == 64)
    fake.deliver()
    let cut = try #require(try camera.next())
    #expect(throws: (any Error).self) { try cut.grayImage() }
  }

  @Test(
    "Focus and stabilisation are held, told, and put back; a lens that moves all the same is told")
  func lens() throws {
    let fake = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    let autofocus: UInt32 = 0x009A_090C
    let stabilisation: UInt32 = 0x009A_0916
    let focus: UInt32 = 0x009A_090A
    do {
      let camera = try Self.open(fake)
      #expect(fake.value(of: autofocus) == 0)
      #expect(fake.value(of: stabilisation) == 0)
      let controls = try #require(camera.lensControls)
      #expect(controls["focus_absolute"] == .init(value: 35, locked: true))
      #expect(controls["focus_automatic_continuous"] == .init(value: 0, locked: true))
      #expect(camera.notices.count == 1)
      #expect(camera.notices.first?.contains("the focus stays at 35") == true)
      // Another program turns the focus.
      fake.change(focus, to: 60)
      fake.deliver()
      _ = try camera.next()
      fake.deliver()
      _ = try camera.next()
      #expect(camera.lensControls?["focus_absolute"] == .init(value: 60, locked: false))
      #expect(camera.notices.contains { $0.contains("focus_absolute changed from 35 to 60") })
      #expect(camera.handle.close().isEmpty)
      #expect(fake.value(of: autofocus) == 1)
      #expect(fake.value(of: stabilisation) == 1)
    }
    #expect(fake.openCount == 0)
    #expect(!fake.isStreaming)
  }

  @Test(
    "An autofocus that is let settle runs until it is held where it then stands, and is put back")
  func settling() throws {
    let fake = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    let autofocus: UInt32 = 0x009A_090C
    let focus: UInt32 = 0x009A_090A
    var options = LiveCamera.Options()
    options.letsFocusSettle = true
    let camera = try Self.open(fake, options)
    #expect(camera.handle.isFocusSettling)
    #expect(fake.value(of: autofocus) == 1)
    #expect(fake.value(of: 0x009A_0916) == 0)
    #expect(camera.notices.contains { $0.contains("the camera focuses by itself") })
    #expect(camera.lensControls?["focus_absolute"] == nil)
    // The lens moves on its own: nobody else's doing, and nothing to be told.
    for value in [60, 80, 75] as [Int32] {
      fake.change(focus, to: value)
      fake.deliver()
      _ = try camera.next()
    }
    // Told late, after the focus is held: it was before.
    fake.change(focus, to: 70)
    fake.change(focus, to: 75)
    #expect(
      try camera.handle.holdFocus() == ["the focus is held at 75 from here on: views count now"])
    #expect(!camera.handle.isFocusSettling)
    #expect(fake.value(of: autofocus) == 0)
    for _ in 0..<2 {
      fake.deliver()
      _ = try camera.next()
    }
    #expect(camera.lensControls?["focus_absolute"] == .init(value: 75, locked: true))
    #expect(camera.lensControls?["focus_automatic_continuous"] == .init(value: 0, locked: true))
    #expect(try camera.handle.holdFocus() == [])
    // Moved by somebody else from then on.
    fake.change(focus, to: 90)
    for _ in 0..<2 {
      fake.deliver()
      _ = try camera.next()
    }
    #expect(camera.lensControls?["focus_absolute"] == .init(value: 90, locked: false))
    #expect(camera.handle.close().isEmpty)
    #expect(fake.value(of: autofocus) == 1)
    #expect(fake.value(of: 0x009A_0916) == 1)
  }

  @Test(
    "An autofocus that is off is held where it is at once; one that was never held is left alone")
  func settlingNot() throws {
    var options = LiveCamera.Options()
    options.letsFocusSettle = true
    let fake = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    fake.change(0x009A_090C, to: 0)
    let camera = try Self.open(fake, options)
    #expect(!camera.handle.isFocusSettling)
    #expect(camera.lensControls?["focus_absolute"] == .init(value: 35, locked: true))
    #expect(try camera.handle.holdFocus() == [])
    camera.handle.close()
    let other = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    let ended = try Self.open(other, options)
    ended.handle.close()
    #expect(try ended.handle.holdFocus() == [])
    #expect(other.value(of: 0x009A_090C) == 1)
  }

  @Test("The end of a camera, and its failures, reach whoever waits; controls are put back")
  func ends() throws {
    let fake = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    let camera = try Self.open(fake)
    camera.handle.end()
    let end = try camera.next()
    #expect(end == nil)
    let other = FakeCamera(FakeDescription(controls: .webcam), pace: .manual)
    let unplugged = try Self.open(other)
    other.unplug()
    let error = try #require(throws: V4L2Error.self) { try unplugged.next() }
    #expect(error.code == .unplugged)
    // Busy, and no bandwidth: the lens is as it was.
    for (call, number, code) in [
      (FakeCall.setFormat, EBUSY, V4L2Error.Code.busy), (.streamOn, ENOSPC, .noBandwidth),
    ] {
      let refusing = FakeCamera(FakeDescription(controls: .webcam))
      refusing.fail(call, with: number)
      let error = try #require(throws: V4L2Error.self) { try Self.open(refusing) }
      #expect(error.code == code)
      #expect(refusing.value(of: 0x009A_090C) == 1)
      #expect(refusing.openCount == 0)
    }
  }
}
