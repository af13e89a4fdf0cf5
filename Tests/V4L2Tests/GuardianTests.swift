import Foundation
import GuardianProbe
import Testing
import V4L2

@Suite("The guardian of controls")
struct GuardianTests {
  /// A file that stands for the camera.
  private final class Device {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws { try Data().write(to: URL(filePath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    func opened() throws -> Int32 {
      let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
      try #require(descriptor >= 0)
      return descriptor
    }
  }

  /// A process that holds controls, as it was built beside the tests.
  private final class Parent {
    let process = Process()
    let input = Pipe()
    let guardian: Int32

    init(_ device: Device) throws {
      let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      process.executableURL = URL(filePath: runner).deletingLastPathComponent()
        .appending(path: "guardian-parent")
      process.arguments = [device.path]
      let output = Pipe()
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      // Ends with the line: the guardian holds no copy of the pipe, and the parent writes no more.
      let line = String(
        decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
      try #require(numbers.count == 2, "\(line)")
      guardian = numbers[1]
    }
  }

  /// Whether `condition` comes true before long.
  private func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if condition() { return true }
      usleep(5000)
    }
    return condition()
  }

  private func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test("restores in the given order when the program ends in order, and is reaped")
  func orderly() throws {
    let device = try Device()
    let descriptor = try device.opened()
    defer { close(descriptor) }
    let guardian = try ControlGuardian(
      restoring: [.init(id: 9, value: 250), .init(id: 4, value: 1)], descriptor: descriptor,
      subject: "test", restorer: gpr_write_setting)
    let process = try #require(guardian.processID)
    #expect(device.text == "")
    #expect(guardian.restore().allSatisfy { $0.failure == nil })
    #expect(device.text == "9=250\n4=1\n")
    // Reaped: not even a zombie is left.
    #expect(!exists(process))
    #expect(guardian.restore() == [])
    #expect(guardian.processID == nil)
    #expect(device.text == "9=250\n4=1\n")
  }

  @Test("says which control could not be restored, and restores the others")
  func failure() throws {
    let device = try Device()
    let descriptor = try device.opened()
    defer { close(descriptor) }
    let guardian = try ControlGuardian(
      restoring: [.init(id: 13, value: 1), .init(id: 4, value: 1)], descriptor: descriptor,
      subject: "test", restorer: gpr_write_setting)
    let outcomes = guardian.restore()
    #expect(outcomes.map { $0.failure?.code } == [.hardware, nil])
    #expect(device.text == "4=1\n")
  }

  @Test("restores nothing when dismissed, and is reaped")
  func dismissal() throws {
    let device = try Device()
    let descriptor = try device.opened()
    defer { close(descriptor) }
    let guardian = try ControlGuardian(
      restoring: [.init(id: 4, value: 1)], descriptor: descriptor, subject: "test",
      restorer: gpr_write_setting)
    let process = try #require(guardian.processID)
    guardian.dismiss()
    #expect(!exists(process))
    #expect(device.text == "")
  }

  @Test("restores after kill -9 of the program, and ends")
  func killed() throws {
    let device = try Device()
    let parent = try Parent(device)
    #expect(exists(parent.guardian))
    kill(parent.process.processIdentifier, SIGKILL)
    parent.process.waitUntilExit()
    #expect(eventually { device.text == "2=-7\n1=1\n" }, "\(device.text)")
    // Whoever adopted it reaps it, or leaves a zombie: it holds nothing any more.
    #expect(eventually { !exists(parent.guardian) || isZombie(parent.guardian) })
  }

  private func isZombie(_ process: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.contains(") Z ")
  }

  @Test("outlives the signals that a terminal and a service manager send")
  func signals() throws {
    let device = try Device()
    let parent = try Parent(device)
    for signal in [SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE] { kill(parent.guardian, signal) }
    // A session of its own: what the terminal sends to the program's group does not reach it.
    #expect(eventually { getsid(parent.guardian) == parent.guardian })
    #expect(device.text == "")
    try parent.input.fileHandleForWriting.close()
    parent.process.waitUntilExit()
    #expect(parent.process.terminationStatus == 0)
    #expect(device.text == "2=-7\n1=1\n")
  }

  @Test("holds nothing of the program but the camera")
  func descriptors() throws {
    let device = try Device()
    let parent = try Parent(device)
    let folder = "/proc/\(parent.guardian)/fd"
    // Arranged by the child itself, a moment after its start.
    #expect(
      eventually {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted())
          == ["0", "1", "2", "3"]
      })
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/3") == device.path)
    try parent.input.fileHandleForWriting.close()
    parent.process.waitUntilExit()
  }
}
