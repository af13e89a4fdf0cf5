import CalibrationStore
import CameraCapture
import CameraModel
import Dispatch
import FakeV4L2
import Foundation
import Imaging
import Testing

/// A rig whose camera has a record in a store of its own.
private struct CalibratedRig {
  let rig: Rig
  let folder: StoreFolder
  let collector = Collector(keepsLast: true)
  let connection: CaptureConnection

  init(
    controls: [FakeDescription.Control] = .unmoved,
    lensControls: [String: IntrinsicsRecord.LensControl]? = .unmoved,
    verdict: IntrinsicsRecord.Verdict.Level = .good, pace: FakeCamera.Pace = .manual
  ) throws {
    rig = try Rig(FakeDescription(controls: controls), pace: pace)
    folder = try StoreFolder()
    try folder.save(lensControls: lensControls, verdict: verdict)
    rig.session.intrinsicsStore = folder.store
    connection = try #require(rig.output.connections.first)
    rig.output.setSampleBufferDelegate(collector, queue: nil)
  }

  /// Delivers the next frame and waits for it.
  func nextFrame() throws -> SampleBuffer {
    let count = collector.numbers.count
    rig.camera.deliver()
    #expect(collector.waits(forFrames: count + 1))
    return try #require(collector.last)
  }

  /// Delivers frames until one fits; nil where none does within thirty seconds.
  func frame(where fits: (SampleBuffer) -> Bool) throws -> SampleBuffer? {
    var found: SampleBuffer?
    _ = try eventually {
      let frame = try nextFrame()
      if fits(frame) { found = frame }
      return found != nil
    }
    return found
  }
}

extension [FakeDescription.Control] {
  /// A webcam whose automatics are off.
  fileprivate static var unmoved: [FakeDescription.Control] {
    var controls = [FakeDescription.Control].webcam
    for index in controls.indices {
      switch controls[index].id {
      case Control.autofocus, Control.stabilisation: controls[index].value = 0
      case Control.zoom: controls[index].value = 100
      default: break
      }
    }
    return controls
  }

  fileprivate func with(_ id: UInt32, _ value: Int32) -> Self {
    map { control in
      var control = control
      if control.id == id { control.value = value }
      return control
    }
  }
}

extension [String: IntrinsicsRecord.LensControl] {
  fileprivate static var unmoved: Self {
    [
      "focus_automatic_continuous": .init(value: 0, locked: true),
      "focus_absolute": .init(value: 35, locked: true),
      "zoom_absolute": .init(value: 100, locked: true),
      "image_stabilization": .init(value: 0, locked: true),
    ]
  }
}

private enum Control {
  static let focus: UInt32 = 0x009A_090A
  static let autofocus: UInt32 = 0x009A_090C
  static let zoom: UInt32 = 0x009A_090D
  static let stabilisation: UInt32 = 0x009A_0916
}

@Suite("Intrinsics delivery")
struct DeliveryTests {
  @Test("each frame carries the stored matrix as 48 bytes, and all that belongs to it")
  func attachment() throws {
    let calibrated = try CalibratedRig()
    #expect(calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    #expect(!calibrated.connection.isCameraIntrinsicMatrixDeliveryEnabled)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    let frame = try calibrated.nextFrame()
    let data = try #require(frame.attachment(.cameraIntrinsicMatrix))
    #expect(data.count == 48)
    let matrix = data.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
    #expect(matrix[0, 0] == 533.5 && matrix[1, 1] == 534.25)
    #expect(matrix[2, 0] == 341.5 && matrix[2, 1] == 235 && matrix[2, 2] == 1)
    let floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(floats == [533.5, 0, 0, 0, 0, 534.25, 0, 0, 341.5, 235, 1, 0])
    #expect(frame.cameraIntrinsicMatrix == matrix)
    #expect(frame.intrinsicMatrixOrigin == .center)
    #expect(frame.cameraParameters == StoreFolder.camera)
    #expect(frame.intrinsicsRecord?.device.id == DeviceID(rawValue: "usb:1234:5678:A"))
    #expect(frame.lensControlsKnown == true)
    #expect(frame.intrinsicsAbsenceReason == nil)
  }

  @Test("Apple's origin is half a pixel more, in both coordinates")
  func corner() throws {
    let calibrated = try CalibratedRig()
    calibrated.connection.intrinsicMatrixOrigin = .corner
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    let frame = try calibrated.nextFrame()
    #expect(frame.cameraIntrinsicMatrix?[2] == SIMD3(342, 235.5, 1))
    #expect(frame.intrinsicMatrixOrigin == .corner)
    // The typed parameters have one convention.
    #expect(frame.cameraParameters?.intrinsics.cx == 341.5)
  }

  @Test("without being enabled, frames carry nothing and say nothing")
  func disabled() throws {
    let calibrated = try CalibratedRig()
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    let frame = try calibrated.nextFrame()
    #expect(frame.attachment(.cameraIntrinsicMatrix) == nil)
    #expect(frame.cameraIntrinsicMatrix == nil && frame.intrinsicsRecord == nil)
    #expect(frame.lensControlsKnown == nil && frame.intrinsicsAbsenceReason == nil)
  }

  @Test("a size that was not calibrated is not supported, and the reason names what is")
  func otherSize() throws {
    let calibrated = try CalibratedRig()
    calibrated.rig.session.sessionPreset = .init(Resolution(width: 320, height: 240))
    #expect(!calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    let error = CaptureError.thrown {
      try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    }
    #expect(error?.code == .intrinsicsUnavailable)
    #expect(error?.message.contains("was not calibrated at 320x240") == true)
    #expect(error?.message.contains(": 640x480)") == true, "\(String(describing: error))")
    #expect(!calibrated.connection.isCameraIntrinsicMatrixDeliveryEnabled)
  }

  @Test("a camera without a record, and a store that cannot be read, are not supported")
  func noRecord() throws {
    let rig = try Rig()
    let connection = try #require(rig.output.connections.first)
    #expect(connection.cameraIntrinsicMatrixDeliveryObstacle?.contains("no calibration") == true)
    let folder = try StoreFolder()
    try folder.save()
    let path = try folder.store.path(
      for: DeviceID(rawValue: "usb:1234:5678:A"), resolution: StoreFolder.camera.resolution)
    try Data("{".utf8).write(to: URL(filePath: path))
    rig.session.intrinsicsStore = folder.store
    #expect(connection.cameraIntrinsicMatrixDeliveryObstacle?.contains("cannot be read") == true)
  }

  @Test("a poor calibration is delivered only where that is allowed")
  func poor() throws {
    let calibrated = try CalibratedRig(verdict: .poor)
    #expect(!calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    #expect(calibrated.connection.cameraIntrinsicMatrixDeliveryObstacle?.contains("poor") == true)
    calibrated.connection.allowsPoorCalibration = true
    #expect(calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    #expect(try calibrated.nextFrame().intrinsicsRecord?.verdict.level == .poor)
  }

  @Test("stabilisation, and a zoom that nobody calibrated, stand against delivery")
  func stabilisation() throws {
    let stabilised = try CalibratedRig(
      controls: .unmoved.with(Control.stabilisation, 1))
    #expect(
      stabilised.connection.cameraIntrinsicMatrixDeliveryObstacle?.contains("image_stabilization")
        == true)
    let zoomed = try CalibratedRig(controls: .unmoved.with(Control.zoom, 150), lensControls: nil)
    #expect(
      zoomed.connection.cameraIntrinsicMatrixDeliveryObstacle?.contains("zoom_absolute is 150")
        == true)
    // A zoom at which the camera was calibrated is the one that the numbers hold for.
    var controls: [String: IntrinsicsRecord.LensControl] = .unmoved
    controls["zoom_absolute"] = .init(value: 150, locked: true)
    let same = try CalibratedRig(
      controls: .unmoved.with(Control.zoom, 150), lensControls: controls)
    #expect(same.connection.isCameraIntrinsicMatrixDeliverySupported)
  }

  @Test("delivery can be switched while the session stands still only")
  func running() throws {
    let calibrated = try CalibratedRig()
    try calibrated.rig.session.startRunning()
    let error = CaptureError.thrown {
      try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    }
    #expect(error?.code == .alreadyRunning)
    calibrated.rig.session.stopRunning()
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
  }

  @Test("when focus moves, frames carry none and say why; when it is back, they carry them again")
  func moved() throws {
    let calibrated = try CalibratedRig()
    let notices = Notices(calibrated.rig.session)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    #expect(try calibrated.nextFrame().cameraIntrinsicMatrix != nil)
    calibrated.rig.camera.change(Control.focus, to: 40)
    let moved = try #require(try calibrated.frame { $0.cameraIntrinsicMatrix == nil })
    #expect(moved.attachment(.cameraIntrinsicMatrix) == nil && moved.intrinsicsRecord == nil)
    #expect(moved.intrinsicsAbsenceReason?.contains("focus_absolute is 40 and was 35") == true)
    #expect(notices.waits(for: .intrinsicsAbsent)?.message.contains("focus_absolute") == true)
    calibrated.rig.camera.change(Control.focus, to: 35)
    #expect(try calibrated.frame { $0.cameraIntrinsicMatrix != nil } != nil)
    #expect(notices.waits(for: .intrinsicsRestored) != nil)
    calibrated.rig.camera.change(Control.autofocus, to: 1)
    let automatic = try calibrated.frame { $0.cameraIntrinsicMatrix == nil }
    #expect(automatic?.intrinsicsAbsenceReason?.contains("autofocus is on") == true)
    calibrated.rig.camera.change(Control.autofocus, to: 0)
    #expect(try calibrated.frame { $0.cameraIntrinsicMatrix != nil } != nil)
    calibrated.rig.camera.change(Control.stabilisation, to: 1)
    #expect(try calibrated.frame { $0.cameraIntrinsicMatrix == nil } != nil)
  }

  @Test(
    "a lens that has moved before the start is supported, and carries nothing until it is set back")
  func movedBefore() throws {
    let calibrated = try CalibratedRig(
      controls: .unmoved.with(Control.focus, 90).with(Control.autofocus, 1))
    let notices = Notices(calibrated.rig.session)
    #expect(calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    #expect(try calibrated.nextFrame().cameraIntrinsicMatrix == nil)
    #expect(notices.waits(for: .intrinsicsAbsent)?.message.contains("autofocus") == true)
    // By the app itself: automatics first, as the driver refuses the focus while they are on.
    let record = try #require(
      try calibrated.folder.store.intrinsics(
        for: calibrated.rig.device.uniqueID, resolution: StoreFolder.camera.resolution))
    try calibrated.rig.device.setLensControls(of: record)
    #expect(calibrated.rig.camera.value(of: Control.focus) == 35)
    #expect(calibrated.rig.camera.value(of: Control.autofocus) == 0)
    #expect(try calibrated.frame { $0.cameraIntrinsicMatrix != nil } != nil)
  }

  @Test(
    "the lens is set as it was calibrated, so that delivery is supported and frames carry numbers")
  func lensAsCalibrated() throws {
    // As after plugging in: automatics on, zoomed.
    let calibrated = try CalibratedRig(controls: .webcam)
    #expect(!calibrated.connection.isCameraIntrinsicMatrixDeliverySupported)
    try calibrated.connection.setLensAsCalibrated()
    #expect(calibrated.rig.camera.value(of: Control.autofocus) == 0)
    #expect(calibrated.rig.camera.value(of: Control.focus) == 35)
    #expect(calibrated.rig.camera.value(of: Control.zoom) == 100)
    #expect(calibrated.rig.camera.value(of: Control.stabilisation) == 0)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    #expect(try calibrated.nextFrame().cameraIntrinsicMatrix != nil)
    let rig = try Rig()
    let none = CaptureError.thrown { try rig.output.connections.first?.setLensAsCalibrated() }
    #expect(none?.code == .intrinsicsUnavailable)
  }

  @Test("a record that does not know the lens is delivered, and says so")
  func unknown() throws {
    let calibrated = try CalibratedRig(
      controls: .unmoved.with(Control.autofocus, 1), lensControls: nil)
    let notices = Notices(calibrated.rig.session)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    let frame = try calibrated.nextFrame()
    #expect(frame.cameraIntrinsicMatrix != nil && frame.lensControlsKnown == false)
    #expect(notices.waits(for: .lensControlsUnknown) != nil)
  }

  @Test("a thousand frames with intrinsics ask the camera for nothing but frames")
  func noSystemCalls() throws {
    let calibrated = try CalibratedRig(pace: .immediate)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    #expect(calibrated.collector.waits(forFrames: 1))
    calibrated.rig.camera.resetCounts()
    #expect(eventually { calibrated.rig.camera.count(of: .dequeue) >= 1000 })
    for call in FakeCall.allCases where ![.dequeue, .queue, .poll].contains(call) {
      #expect(calibrated.rig.camera.count(of: call) == 0, "\(call)")
    }
    #expect(calibrated.collector.last?.cameraIntrinsicMatrix != nil)
  }

  @Test("crop, resize and turn change the intrinsics as they change the pixels")
  func geometry() throws {
    let calibrated = try CalibratedRig()
    // A bright square of 20x20 pixels whose middle lies at (199.5, 119.5) of the camera's frame.
    calibrated.rig.camera.setPainter { frame, bytes in
      for index in stride(from: 0, to: bytes.count, by: 2) {
        let (x, y) = (index / 2 % frame.width, index / 2 / frame.width)
        let isInside = (190..<210).contains(x) && (110..<130).contains(y)
        bytes[index] = isInside ? 235 : 16
        if index + 1 < bytes.count { bytes[index + 1] = 128 }
      }
    }
    calibrated.rig.output.videoSettings = VideoSettings(
      pixelFormat: .gray8, crop: .init(x: 40, y: 20, width: 400, height: 300),
      size: Resolution(width: 200, height: 150), orientation: .right)
    try calibrated.connection.setCameraIntrinsicMatrixDeliveryEnabled(true)
    try calibrated.rig.session.startRunning()
    defer { calibrated.rig.session.stopRunning() }
    let frame = try calibrated.nextFrame()
    #expect(frame.imageBuffer.width == 150 && frame.imageBuffer.height == 200)
    let image = try frame.imageBuffer.grayImage()
    #expect(image.width == 150 && image.height == 200)
    // fx' = fy/2; cx' = H - 1 - ((cy - 20 + 0.5)/2 - 0.5), cy' = (cx - 40 + 0.5)/2 - 0.5.
    let expected = Intrinsics(fx: 267.125, fy: 266.75, cx: 149 - 107.25, cy: 150.5)
    #expect(frame.cameraParameters?.intrinsics == expected)
    #expect(frame.cameraParameters?.resolution == Resolution(width: 150, height: 200))
    #expect(frame.cameraIntrinsicMatrix == expected.matrix())
    let data = try #require(frame.cameraCalibrationData)
    #expect(data.intrinsicMatrixReferenceDimensions == Resolution(width: 150, height: 200))
    #expect(data.intrinsicMatrix == expected.matrix(origin: .corner))
    #expect(data.lensDistortionLookupTable?.count == 42 * MemoryLayout<Float>.size)
    // The record stays that of the whole frame.
    #expect(frame.intrinsicsRecord?.camera == StoreFolder.camera)

    // The ray to the square's middle is the same one: seen by the camera where the picture shows it.
    let delivered = try #require(frame.cameraParameters)
    var (sum, mass) = (SIMD2<Double>(), 0.0)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let weight = Double(image.pixels[y * image.width + x]) - 16
        sum += weight * SIMD2(Double(x), Double(y))
        mass += weight
      }
    }
    let found = sum / mass
    let ray = try #require(StoreFolder.camera.unproject(SIMD2(199.5, 119.5)))
    // The camera's frame turns with the picture: X' = -Y, Y' = X.
    let seen = try #require(delivered.project(SIMD3(-ray.y, ray.x, ray.z)))
    #expect(abs(found.x - seen.x) < 0.05 && abs(found.y - seen.y) < 0.05, "\(found), \(seen)")
  }

  @Test("settings that do not fit the frames are an error that says why")
  func badSettings() throws {
    let rig = try Rig()
    for settings in [
      VideoSettings(crop: .init(x: 600, y: 0, width: 100, height: 10)),
      VideoSettings(crop: .init(x: 0, y: 0, width: .max, height: .max)),
      VideoSettings(crop: .init(x: -1, y: 0, width: 10, height: 10)),
      VideoSettings(size: Resolution(width: 0, height: 10)),
      VideoSettings(pixelFormat: .native, orientation: .right),
    ] {
      rig.output.videoSettings = settings
      #expect(
        CaptureError.thrown { try rig.session.startRunning() }?.code == .invalidConfiguration,
        "\(settings)")
    }
  }
}
