import CalibrationStore
import CommandLineTool
import StoreCommands
import V4L2

/// One run of `list-cameras`.
struct ListCommand {
  let arguments: ParsedArguments
  let terminal: Terminal
  let roots: StoreRoots
  let store: IntrinsicsStore

  init(_ arguments: ParsedArguments, _ terminal: Terminal) throws {
    self.arguments = arguments
    self.terminal = terminal
    if arguments[Self.quiet] { terminal.verbosity = .quiet }
    roots = try asFailure { () throws(StoreError) in
      try StoreRoots(given: arguments[ListCommand.store])
    }
    store = IntrinsicsStore(roots)
  }

  func run(sysfs: String = "/sys", calls: V4L2Calls = .system) throws -> ExitStatus {
    // Whether or not a camera is attached whose calibrations are looked up.
    let isThere = try asFailure { () throws(StoreError) in try store.checkReadable() }
    if !isThere, roots.origin == .given {
      terminal.note("\(roots.writing.printable): there is no such folder, and so no calibration")
    }
    let cameras = try asFailure { () throws(StoreError) in
      try SurveyedCamera.all(sysfs: sysfs, calls: calls)
    }
    var listed: [ListedCamera] = []
    for camera in cameras {
      let calibrations = try asFailure { () throws(StoreError) in
        try store.calibrations(of: camera.camera.identity.id)
      }
      for case .failure(let error) in calibrations.map(\.record) { terminal.warn("\(error)") }
      listed.append(ListedCamera(camera, calibrations))
    }
    if listed.isEmpty {
      terminal.note(
        "no camera is attached, as far as the kernel knows; is it plugged in? In a container or a "
          + "virtual machine the camera must be passed on to it")
    }
    if arguments[Self.json] {
      terminal.write(Array(JSONValue.array(listed.map(\.json)).jsonText().utf8))
    } else if !listed.isEmpty {
      terminal.write(Array(listed.map(\.text).joined(separator: "\n").utf8))
    }
    return .success
  }
}
