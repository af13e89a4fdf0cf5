import CalibrationStore
import CameraModel
import FakeV4L2
import Testing
import V4L2

@testable import CameraCapture

@Suite("Intrinsics of a camera that another library captures from")
struct OpenCameraTests {
  @Test(
    "The size is what the camera is set to; other sizes have nothing; a dead camera is an error")
  func size() throws {
    let fake = FakeCamera()
    let system = FakeSystem(["/dev/video0": fake])
    let node = try VideoNode(path: "/dev/video0", calls: system.calls)
    let set = try node.currentFormat().resolution
    let descriptor = system.calls.open("/dev/video0")
    defer { _ = system.calls.close(descriptor) }
    #expect(try system.calls.currentSize(ofDescriptor: descriptor, subject: "x") == set)
    let error = try #require(throws: V4L2Error.self) {
      try system.calls.currentSize(ofDescriptor: -1, subject: "x")
    }
    #expect(error.subject == "x")
  }

  @Test("A descriptor that is none of a camera is an error, not an answer")
  func noCamera() throws {
    let store = IntrinsicsStore(root: "/nonexistent")
    for descriptor: Int32 in [-1, 0, 99_999] {
      let error = try #require(throws: StoreError.self) {
        try store.intrinsics(forOpenCamera: descriptor)
      }
      #expect(error.code == .cameraUnknown, "\(error)")
    }
  }
}
