import Calibration
import CalibrationStore
import CameraCapture
import CameraModel
import CommandLineTool
import Frames
import Glibc
import Imaging
import StoreCommands
import V4L2

extension CalibrateRun {
  /// Watches a camera until there are enough views; gives those as a source.
  ///
  /// - Parameter folder: Where the frames are written; nil where they are not.
  func capture(
    _ attached: AttachedCamera, _ options: CalibrationOptions, into folder: OutputFolder?
  ) throws -> KeptFrames {
    let live = liveOptions(folder?.path)
    let camera = try open(attached)
    let handle = camera.handle
    do throws(CalibrationError) {
      try options.constraints.check(camera.resolution, options.lensModel)
    } catch {
      for failure in handle.close() { terminal.warn(failure) }
      throw failure(error)
    }
    try folder?.make()
    terminal.note(
      "Camera: \(camera.identity.id) (by \(camera.identity.identifiedBy)), \(camera.modeDescription)"
    )
    let told = camera.notices
    for notice in told { terminal.note(notice) }
    let enter = EnterKey()
    let talk = LiveTalk(terminal, hasEnterKey: enter.isAvailable)
    let terminal = terminal
    var session = LiveSession(options: options, live: live, clock: monotonicNanoseconds)
    session.isCancelled = { Interruption.isRequested }
    session.isFinishRequested = {
      let wasPressed = enter.wasPressed
      if wasPressed { terminal.acceptEcho() }
      return wasPressed
    }
    session.onStatus = { talk.tell($0) }
    session.onNotice = { terminal.note($0) }
    session.wakeSource = { handle.end() }
    if handle.isFocusSettling { session.holdFocus = { try handle.holdFocus() } }
    if folder != nil {
      session.onKept = { image, name in try image.writePNG(toFileAt: name) }
    }
    let result: LiveSession.Result
    do {
      result = try session.run(camera)
    } catch {
      terminal.clearStatus()
      for failure in handle.close() { terminal.warn(failure) }
      throw failure(capturing: error)
    }
    for failure in handle.close() { terminal.warn(failure) }
    talk.tellEnd(result)
    for notice in result.kept.notices where !told.contains(notice) { terminal.note(notice) }
    return result.kept
  }

  private func open(_ attached: AttachedCamera) throws -> LiveCamera {
    var options = LiveCamera.Options()
    options.resolution = arguments[CalibrateCommand.size].map {
      Resolution(width: $0.width, height: $0.height)
    }
    options.pixelFormat = arguments[CalibrateCommand.format]
    options.framesPerSecond = arguments[CalibrateCommand.frameRate]
    options.locksExposure = arguments[CalibrateCommand.lockExposure]
    options.letsFocusSettle = true
    do {
      return try LiveCamera(
        path: attached.deviceFile, identity: attached.identity, options: options,
        calls: system.calls)
    } catch {
      throw failure(capturing: error)
    }
  }

  private func liveOptions(_ folder: String?) -> LiveOptions {
    var live = LiveOptions()
    switch arguments[CalibrateCommand.goal] {
    case .pixels(let pixels): live.goal = .pixels(pixels)
    case .percent(let percent): live.goal = .shareOfDiagonal(percent / 100)
    case nil: break
    }
    live.viewCount = arguments[CalibrateCommand.views]
    live.giveUpSeconds = arguments[CalibrateCommand.giveUp]
    live.namePrefix = folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    return live
  }

  /// An error of the capture as the command's end.
  func failure(capturing error: any Error) -> any Error {
    switch error {
    case let error as CalibrationError: failure(error)
    case let error as V4L2Error: CommandFailure(error.exitStatus, "\(error)".printable)
    case let error as ImagingError:
      CommandFailure(
        error.code == .permissionDenied ? .noPermission : .notStored,
        "--keep-frames: \(error)".printable)
    default: error
    }
  }
}

extension V4L2Error {
  /// The status that a command ends with after this error.
  var exitStatus: ExitStatus {
    switch code {
    case .noPermission: .noPermission
    case .formatUnavailable: .usage
    default: .cameraUnavailable
    }
  }
}
