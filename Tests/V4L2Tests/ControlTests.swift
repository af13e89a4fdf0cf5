import CalibrationStore
import CameraModel
import FakeV4L2
import Glibc
import Testing

@testable import V4L2

@Suite("Controls")
struct ControlTests {
  private func webcam() throws -> (FakeCamera, VideoNode) {
    let camera = FakeCamera(FakeDescription(controls: .webcam))
    let system = FakeSystem(["/dev/video0": camera])
    return (camera, try VideoNode(path: "/dev/video0", calls: system.calls))
  }

  @Test(
    "have v4l2-ctl's names",
    arguments: [
      ("Focus, Automatic Continuous", "focus_automatic_continuous"), ("Gamma", "gamma"),
      ("White Balance Temperature, Auto", "white_balance_temperature_auto"),
      ("  (LED) Mode 2!", "led_mode_2"), ("", ""), ("é", ""),
    ])
  func names(title: String, name: String) {
    #expect(LensControls.name(fromTitle: title) == name)
  }

  @Test("are listed with range, kind and state")
  func list() throws {
    let (_, node) = try webcam()
    let controls = try node.controls()
    #expect(
      controls.map(\.name) == [
        "brightness", "auto_exposure", "exposure_time_absolute", "exposure_dynamic_framerate",
        "focus_absolute", "focus_automatic_continuous", "zoom_absolute", "image_stabilization",
      ])
    let focus = try node.control(named: "focus_absolute")
    #expect(focus.range == 0...250)
    #expect(focus.step == 5)
    #expect(focus.isInactive)
    #expect(try node.control(named: "auto_exposure").kind == .menu)
  }

  /// usb_cam's "unknown control 'focus_auto'".
  @Test("are found by old and new kernels' names, on old and new kernels")
  func aliases() throws {
    let (camera, node) = try webcam()
    try node.setValue(0, ofControl: "focus_auto")
    #expect(camera.value(of: LensControls.focusAutomatic.id) == 0)
    try node.setValue(1, ofControl: "focus_automatic_continuous")
    #expect(try node.value(ofControl: "focus_auto") == 1)
    #expect(try node.value(ofControl: "brightness") == 0)
    #expect(try node.value(ofControl: "exposure_absolute") == 157)
  }

  @Test("that are unknown, out of range or ruled by an automatic are explained")
  func refusals() throws {
    let (_, node) = try webcam()
    func error(_ body: () throws -> Void) throws -> V4L2Error {
      try #require(throws: V4L2Error.self, performing: body)
    }
    let unknown = try error { try node.setValue(1, ofControl: "gamma") }
    #expect(unknown.code == .controlUnknown)
    #expect(unknown.message.contains("zoom_absolute"))
    let far = try error { try node.setValue(900, ofControl: "zoom_absolute") }
    #expect(far.code == .controlRefused)
    #expect(far.message.contains("100 to 500"))
    let ruled = try error { try node.setValue(10, ofControl: "focus_absolute") }
    #expect(ruled.code == .controlRefused)
    #expect(ruled.message.contains("automatic"))
    #expect(ruled.message.contains("focus_absolute"))
    #expect(try error { try node.setValue(.max, of: 1) }.code == .controlRefused)
  }

  @Test("are held for a calibration, noted for the record, and set back")
  func hold() throws {
    let (camera, node) = try webcam()
    let before = try node.controls().map { try node.value(of: $0.id) }
    let hold = try CalibrationHold(node, exposure: .manual(atMost: 100))
    #expect(hold.notes == [])
    #expect(
      hold.lensControls == [
        "focus_automatic_continuous": .init(value: 0, locked: true),
        "focus_absolute": .init(value: 35, locked: true),
        "image_stabilization": .init(value: 0, locked: true),
        "zoom_absolute": .init(value: 120, locked: true),
      ])
    #expect(camera.value(of: LensControls.exposureAutomatic.id) == 1)
    #expect(camera.value(of: LensControls.exposureTime.id) == 100)
    #expect(camera.value(of: LensControls.exposureLowersRate.id) == 0)
    #expect(try node.lensControlValues() == hold.lensControls.mapValues(\.value))
    #expect(hold.release() == [])
    #expect(try node.controls().map { try node.value(of: $0.id) } == before)
    camera.resetCounts()
    #expect(hold.release() == [])
    #expect(camera.count(of: .setControl) == 0)
  }

  @Test("are set back at the end of the last reference")
  func scope() throws {
    let (camera, node) = try webcam()
    do {
      let hold = try CalibrationHold(node)
      #expect(camera.value(of: LensControls.focusAutomatic.id) == 0)
      // Without being asked to, exposure is left alone.
      #expect(camera.value(of: LensControls.exposureAutomatic.id) == 3)
      withExtendedLifetime(hold) {}
    }
    #expect(camera.value(of: LensControls.focusAutomatic.id) == 1)
    #expect(camera.value(of: LensControls.stabilization.id) == 1)
  }

  @Test("that the camera refuses to hold are noted as not locked")
  func refusedHold() throws {
    let (camera, node) = try webcam()
    camera.fail(.setControl, with: EACCES)
    let hold = try CalibrationHold(node)
    #expect(hold.lensControls["focus_automatic_continuous"] == .init(value: 1, locked: false))
    #expect(hold.lensControls["zoom_absolute"] == .init(value: 120, locked: true))
    #expect(hold.notes.contains { $0.contains("focus_automatic_continuous stays at 1") })
    #expect(hold.release().count == 3)
  }

  @Test("of a camera that goes away while they are set are an error, and nothing is left half-held")
  func unplugged() throws {
    let (camera, node) = try webcam()
    camera.fail(.setControl, with: ENODEV, afterCalls: 1, times: 1)
    let error = try #require(throws: V4L2Error.self) { try CalibrationHold(node) }
    #expect(error.code == .unplugged)
    #expect(camera.value(of: LensControls.focusAutomatic.id) == 1)
  }

  @Test("a camera without any has none to hold")
  func none() throws {
    let system = FakeSystem(["/dev/video0": FakeCamera()])
    let hold = try CalibrationHold(try VideoNode(path: "/dev/video0", calls: system.calls))
    #expect(hold.lensControls == [:])
    #expect(hold.notes == [])
  }

  @Test("that others change are told by events, without a call a frame")
  func events() throws {
    let camera = FakeCamera(FakeDescription(controls: .webcam))
    let rig = try Rig(camera)
    #expect(try rig.stream.node.watchLensControls())
    camera.resetCounts()
    for _ in 0..<10 { try rig.next().release() }
    #expect(rig.stream.takeControlEvents() == [])
    #expect(camera.count(of: .dequeueEvent) == 0)
    #expect(camera.count(of: .getControl) == 0)
    camera.change(LensControls.focus.id, to: 40)
    camera.change(0x0098_0900, to: 3)
    #expect(try rig.stream.dequeue(timeoutMilliseconds: 1000) == nil)
    #expect(
      rig.stream.takeControlEvents() == [ControlEvent(id: LensControls.focus.id, value: 40)])
    #expect(rig.stream.takeControlEvents() == [])
    #expect(try rig.next().bytes.count > 0)
  }

  @Test("of a driver without events cannot be watched, which is told")
  func noEvents() throws {
    let (camera, node) = try webcam()
    camera.fail(.subscribe, with: ENOTTY)
    #expect(try !node.watchLensControls())
    camera.mend()
    camera.fail(.subscribe, with: ENODEV)
    #expect(throws: V4L2Error.self) { try node.watchLensControls() }
  }
}
