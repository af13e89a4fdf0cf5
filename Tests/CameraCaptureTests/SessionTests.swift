import CalibrationStore
import CameraCapture
import CameraModel
import Dispatch
import FakeV4L2
import Glibc
import Imaging
import Testing

@Suite("Capture session")
struct SessionTests {
  @Test("frames come in order, each with its number, time and clock, and end with stopRunning")
  func frames() throws {
    let rig = try Rig()
    let collector = Collector(keepsLast: true)
    rig.output.alwaysDiscardsLateVideoFrames = false
    rig.output.setSampleBufferDelegate(collector, queue: DispatchQueue(label: "frames"))
    try rig.session.startRunning()
    #expect(rig.session.isRunning)
    #expect(collector.waits(forFrames: 20))
    rig.session.stopRunning()
    #expect(!rig.session.isRunning && rig.session.runtimeError == nil)
    #expect(!rig.camera.isStreaming)
    let numbers = collector.numbers
    #expect(numbers == Array(0..<UInt32(numbers.count)))
    let last = try #require(collector.last)
    #expect(last.clock == .monotonic && last.timestampSource == .startOfExposure)
    #expect(last.timestampNanoseconds > 0)
    #expect(last.presentationTimeStamp.seconds > 0)
    #expect(rig.session.activeFormat?.pixelFormat == .yuyv)
  }

  @Test("a session starts again after it was stopped, and starting or stopping twice is no harm")
  func restart() throws {
    let rig = try Rig()
    let collector = Collector()
    rig.output.setSampleBufferDelegate(collector, queue: nil)
    rig.session.stopRunning()
    for round in 1...3 {
      try rig.session.startRunning()
      try rig.session.startRunning()
      #expect(collector.waits(forFrames: 5 * round))
      rig.session.stopRunning()
      rig.session.stopRunning()
      #expect(!rig.session.isRunning)
    }
    #expect(eventually { rig.cameras.system.mappingCount == 0 })
  }

  @Test("what a session lacks, or has already, is an error that says what to do")
  func configuration() throws {
    let rig = try Rig()
    let empty = CaptureSession()
    let noCamera = CaptureError.thrown { try empty.startRunning() }
    #expect(noCamera?.code == .invalidConfiguration)
    #expect(noCamera?.message.contains("addInput") == true)
    let second = CaptureError.thrown {
      try rig.session.addInput(CaptureDeviceInput(device: rig.device))
    }
    #expect(second?.code == .invalidConfiguration)
    let taken = CaptureError.thrown { try empty.addOutput(rig.output) }
    #expect(taken?.code == .invalidConfiguration)
    try rig.session.startRunning()
    defer { rig.session.stopRunning() }
    let late = CaptureError.thrown { try rig.session.addOutput(CaptureVideoDataOutput()) }
    #expect(late?.code == .alreadyRunning)
  }

  @Test("a size that the camera lacks is an error that names what it offers")
  func sizes() throws {
    let rig = try Rig(preset: .hd1920x1080)
    #expect(!rig.session.canSetSessionPreset(.hd1920x1080))
    #expect(rig.session.canSetSessionPreset(.vga640x480))
    let error = CaptureError.thrown { try rig.session.startRunning() }
    #expect(error?.code == .formatUnavailable)
    #expect(error?.message.contains("1920x1080") == true)
    #expect(error?.message.contains("640x480 (YUYV)") == true, "\(String(describing: error))")
    #expect(!rig.session.isRunning)
    rig.session.sessionPreset = .high
    try rig.session.startRunning()
    #expect(rig.session.activeFormat?.resolution == Resolution(width: 640, height: 480))
    rig.session.stopRunning()
  }

  @Test("two cameras run in two sessions of one program, and one camera in one only")
  func severalSessions() throws {
    let first = try Rig()
    let second = try Rig()
    let (one, other) = (Collector(), Collector())
    first.output.setSampleBufferDelegate(one, queue: nil)
    second.output.setSampleBufferDelegate(other, queue: nil)
    try first.session.startRunning()
    try second.session.startRunning()
    #expect(one.waits(forFrames: 5) && other.waits(forFrames: 5))

    let third = CaptureSession()
    third.sessionPreset = .vga640x480
    try third.addInput(CaptureDeviceInput(device: first.device))
    try third.addOutput(CaptureVideoDataOutput())
    #expect(CaptureError.thrown { try third.startRunning() }?.code == .busy)
    // By another opening of the same camera, as another program has one: the driver says it.
    let fourth = CaptureSession()
    fourth.sessionPreset = .vga640x480
    let again = try CaptureDevice.default(for: .video, among: first.cameras)
    try fourth.addInput(CaptureDeviceInput(device: again))
    try fourth.addOutput(CaptureVideoDataOutput())
    let busy = CaptureError.thrown { try fourth.startRunning() }
    #expect(busy?.code == .busy, "\(String(describing: busy))")
    first.session.stopRunning()
    second.session.stopRunning()
    try third.startRunning()
    third.stopRunning()
  }

  @Test("letting go of a session ends its frames and closes the camera")
  func lettingGo() throws {
    let cameras = FakeCameras()
    let camera = FakeCamera()
    cameras.attach(camera, at: "/dev/video0")
    do {
      let session = CaptureSession()
      let device = try CaptureDevice.default(for: .video, among: cameras)
      session.sessionPreset = .vga640x480
      try session.addInput(CaptureDeviceInput(device: device))
      let output = CaptureVideoDataOutput()
      try session.addOutput(output)
      let collector = Collector()
      output.setSampleBufferDelegate(collector, queue: nil)
      try session.startRunning()
      #expect(collector.waits(forFrames: 3))
    }
    // The buffers go with the last frame, which the delegate's thread may hold a moment longer.
    #expect(
      eventually { cameras.system.openDescriptorCount == 0 && cameras.system.mappingCount == 0 })
    #expect(!camera.isStreaming)
  }

  @Test(
    "what drivers refuse is an error of its own",
    arguments: [
      (FakeCall.streamOn, ENOSPC, CaptureError.Code.noBandwidth),
      (FakeCall.streamOn, ENODEV, .unplugged), (FakeCall.requestBuffers, EBUSY, .busy),
    ])
  func refusals(call: FakeCall, number: Int32, code: CaptureError.Code) throws {
    let rig = try Rig()
    rig.camera.fail(call, with: number)
    let error = CaptureError.thrown { try rig.session.startRunning() }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(!rig.session.isRunning && rig.cameras.system.mappingCount == 0)
    rig.camera.mend()
    try rig.session.startRunning()
    rig.session.stopRunning()
  }

  @Test("a camera that this user may not open, or that is none, is an error at the input")
  func opening() throws {
    let cameras = FakeCameras()
    let none = CaptureError.thrown {
      _ = try CaptureDevice.default(for: .video, among: cameras)
    }
    #expect(none?.code == .noCamera)
    let camera = FakeCamera()
    cameras.attach(camera, at: "/dev/video0")
    camera.fail(.open, with: EACCES)
    let device = try CaptureDevice.default(for: .video, among: cameras)
    let refused = CaptureError.thrown { _ = try CaptureDeviceInput(device: device) }
    #expect(refused?.code == .noPermission)
    #expect(refused?.message.contains("video") == true)
    let unknown = CaptureError.thrown {
      _ = try CaptureDevice(uniqueID: .init(rawValue: "usb:0:0:0"), among: cameras)
    }
    #expect(unknown?.code == .noCamera)
    #expect(unknown?.message.contains("usb:1234:5678:A (/dev/video0)") == true)
  }

  @Test("the minimum frame duration takes the camera's next longer one, or says that there is none")
  func frameDuration() throws {
    let sizes = [FakeDescription.Size(640, 480, rates: [60, 25])]
    let rig = try Rig(FakeDescription(formats: [.init("YUYV", sizes: sizes)]))
    try rig.device.setActiveVideoMinFrameDuration(MediaTime(value: 1, timescale: 30))
    #expect(rig.device.activeVideoMinFrameDuration == MediaTime(value: 1, timescale: 30))
    try rig.session.startRunning()
    rig.session.stopRunning()
    let slow = CaptureError.thrown {
      try rig.device.setActiveVideoMinFrameDuration(MediaTime(value: 1, timescale: 5))
    }
    #expect(slow?.code == .frameDurationUnavailable)
    #expect(slow?.message.contains("1/25 s") == true)
    let zero = CaptureError.thrown {
      try rig.device.setActiveVideoMinFrameDuration(MediaTime(value: 0, timescale: 30))
    }
    #expect(zero?.code == .frameDurationUnavailable)
  }
}
