import CameraModel
import FakeV4L2
import Glibc
import Imaging
import Testing

@testable import V4L2

/// v4l2loopback before 0.14 has the same buffers for all readers and forgets at any REQBUFS that they are
/// mapped: the next DQBUF of each of them fails.
@Suite("Buffers that several programs read from")
struct SharedBuffersTests {
  private static var loopback: FakeDescription {
    var description = FakeDescription(driver: "v4l2 loopback")
    description.overwritesLeased = true
    description.sharesBuffers = true
    return description
  }

  private func otherNode(_ rig: Rig) throws -> VideoNode {
    try VideoNode(path: "/dev/video0", calls: rig.system.calls)
  }

  @Test("are not asked for where somebody only looks at the camera")
  func looking() throws {
    let rig = try Rig(FakeCamera(Self.loopback))
    try rig.next().release()
    rig.camera.resetCounts()
    #expect(try !otherNode(rig).isStreamedByOthers)
    #expect(rig.camera.count(of: .requestBuffers) == 0)
    try rig.next().release()
    #expect(rig.camera.count(of: .map) == 0)
  }

  @Test("are not given back at the end, as that would end the others' streams")
  func stopping() throws {
    let rig = try Rig(FakeCamera(Self.loopback))
    let other = try otherNode(rig)
    let pool = try BufferPool(mapping: 4, on: other, wakeUp: WakeUp(subject: other.path))
    rig.camera.resetCounts()
    rig.stream.stop()
    #expect(rig.camera.count(of: .streamOff) == 1)
    #expect(rig.camera.count(of: .requestBuffers) == 0)
    withExtendedLifetime(pool) {}
  }

  @Test(
    "are not given back after a start that failed either",
    arguments: [(FakeCall.streamOn, 0), (.queue, 1), (.map, 2)])
  func failing(call: FakeCall, skipped: Int) throws {
    let camera = FakeCamera(Self.loopback)
    camera.fail(call, with: EIO, afterCalls: skipped)
    #expect(throws: V4L2Error.self) { try Rig(camera) }
    #expect(camera.count(of: .requestBuffers) == 1)
  }

  @Test("that a driver keeps apart are given back", arguments: ["uvcvideo", "v4l2 loopback"])
  func apart(driver: String) throws {
    let rig = try Rig(FakeCamera(FakeDescription(driver: driver)))
    rig.camera.resetCounts()
    rig.stream.stop()
    #expect(rig.camera.count(of: .requestBuffers) == 1)
  }

  @Test("are mapped again where another program made the driver forget them")
  func goingOn() throws {
    let rig = try Rig(FakeCamera(Self.loopback))
    let other = try otherNode(rig)
    for round in 0..<20 {
      for _ in 0..<3 {
        let frame = try rig.next()
        #expect(frame.bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: frame.sequence) })
        frame.release()
      }
      rig.camera.resetCounts()
      BufferPool.giveBack(other)
      try rig.next().release()
      #expect(rig.camera.count(of: .map) == 4, "round \(round)")
      #expect(rig.system.mappingCount == 4)
    }
  }

  @Test("end the stream where mapping them again does not help")
  func vain() throws {
    let rig = try Rig(FakeCamera(Self.loopback))
    try rig.next().release()
    rig.camera.fail(.dequeue, with: EINVAL)
    let error = try #require(throws: V4L2Error.self) { try rig.next() }
    #expect(error.code == .systemCall)
    #expect(error.systemError == EINVAL)
    rig.camera.mend()
    try rig.next().release()
    rig.camera.fail(.map, with: ENOMEM)
    BufferPool.giveBack(try otherNode(rig))
    #expect(try #require(throws: V4L2Error.self) { try rig.next() }.code == .outOfResources)
    #expect(rig.system.mappingCount == 4)
  }
}
