public import CalibrationStore
internal import CameraModel
internal import Locking

/// A camera.
///
/// Two values for the same camera are independent: each has its own settings, and only one of them
/// can take frames at a time. Usable from any thread.
public final class CaptureDevice: Sendable {
  /// What a device gives.
  public enum MediaType: Sendable, Hashable {
    /// Pictures.
    case video
  }

  /// What the camera's calibrations are filed under: stable across reboots and replugging.
  public let uniqueID: DeviceID
  /// A name for people.
  public let localizedName: String
  /// What `uniqueID` rests on, for example `serial number` or `bus position`.
  public let identifiedBy: String

  struct State: Sendable {
    var listing: CameraListing
    var node: (any CameraNode)?
    var formats: [Format]?
    var activeFormat: Format?
    var minFrameDuration: MediaTime?
    var isInUse = false
  }

  let provider: any CameraProvider
  private let state: Lock<State>

  package init(_ listing: CameraListing, provider: any CameraProvider) {
    uniqueID = listing.identity.id
    localizedName = listing.identity.name
    identifiedBy = listing.identity.identifiedBy
    self.provider = provider
    state = Lock(State(listing: listing))
  }

  /// The device file that the camera has now, for example `/dev/video0`; another one after a replug.
  public var path: String { state.withLock { $0.listing.path } }

  /// What the camera offers, in its driver's order.
  ///
  /// The first call opens the camera and asks; it takes some milliseconds.
  public var formats: [Format] {
    get throws(CaptureError) {
      let node = try node()
      if let known = state.withLock({ $0.formats }) { return known }
      let formats = try node.formats()
      state.withLock { $0.formats = formats }
      return formats
    }
  }

  /// The format that was chosen by `setActiveFormat`; nil where the session's preset chooses.
  public var activeFormat: Format? { state.withLock { $0.activeFormat } }

  /// The shortest time from frame to frame that was asked for; nil where none was.
  public var activeVideoMinFrameDuration: MediaTime? { state.withLock { $0.minFrameDuration } }

  /// Chooses the format that sessions take frames in, in the place of their preset; nil lets the
  /// preset choose again.
  ///
  /// It takes effect when a session starts.
  ///
  /// - Throws: `CaptureError.Code.formatUnavailable` where the camera does not offer it.
  public func setActiveFormat(_ format: Format?) throws(CaptureError) {
    if let format {
      let offered = try formats
      guard
        offered.contains(where: {
          $0.pixelFormat == format.pixelFormat && $0.contains(format.resolution)
        })
      else {
        throw FormatChoice.unavailable("\(format.pixelFormat) \(format.resolution)", path, offered)
      }
    }
    state.withLock { $0.activeFormat = format }
  }

  /// Sets the shortest time from frame to frame: 1/30 s for at most 30 frames a second.
  ///
  /// The session takes the camera's next longer one. It takes effect when a session starts.
  ///
  /// A camera that does not say which times it offers is asked for this one as it is.
  /// - Throws: `frameDurationUnavailable` where every frame rate that the camera offers is higher;
  ///   errors of opening the camera.
  public func setActiveVideoMinFrameDuration(_ duration: MediaTime) throws(CaptureError) {
    guard duration.value > 0 else {
      throw CaptureError(
        code: .frameDurationUnavailable, subject: path,
        message: "a frame duration of \(duration) was given; it must be above 0")
    }
    let fixed = activeFormat
    let candidates = if let fixed { [fixed] } else { try formats }
    let stated = candidates.filter { !$0.frameDurations.isEmpty }
    if !stated.isEmpty, stated.allSatisfy({ $0.frameDuration(atLeast: duration) == nil }) {
      let longest = stated.compactMap(\.frameDurations.last).max().map { "\($0)" } ?? "none"
      throw CaptureError(
        code: .frameDurationUnavailable, subject: path,
        message:
          "frames at least \(duration) apart were asked for; the longest time between frames "
          + "that the camera offers is \(longest): ask for that, and skip frames in the app")
    }
    state.withLock { $0.minFrameDuration = duration }
  }

  /// The camera's controls with their values as they are now, in the driver's order.
  public var controls: [Control] {
    get throws(CaptureError) { try node().controls() }
  }

  /// Sets a control by its name, for example `focus_absolute`.
  ///
  /// - Returns: The value that the driver took, which may be one nearby.
  /// - Throws: `controlUnavailable` where there is no such control, or where it can't be changed now
  ///   (focus while autofocus is on); errors of opening the camera.
  @discardableResult
  public func setControl(_ name: String, to value: Int) throws(CaptureError) -> Int {
    try node().setControl(name, to: value)
  }

  /// Sets focus, zoom and stabilisation to what they were when a calibration was made, so that its
  /// numbers hold.
  ///
  /// Does nothing where the record does not know them.
  public func setLensControls(of record: IntrinsicsRecord) throws(CaptureError) {
    let recorded = record.lensControls ?? [:]
    // Automatics first: while they are on, the values they rule cannot be set.
    for name in LensWatch.controlNames {
      guard let control = try controls.first(where: { LensWatch.canonical($0.name) == name }),
        let wanted = recorded.first(where: { LensWatch.canonical($0.key) == name })?.value.value,
        wanted != control.value
      else { continue }
      try setControl(control.name, to: wanted)
    }
  }
}

extension CaptureDevice {
  /// The opened camera; opens it where it is not.
  ///
  /// By its identity: after a replug its device file may be another camera's.
  func node() throws(CaptureError) -> any CameraNode {
    try state.withLock { state throws(CaptureError) in
      if let node = state.node { return node }
      if (try? provider.camera(at: state.listing.path))?.identity.id != uniqueID {
        state.listing = try CaptureDevice.listing(of: uniqueID, among: provider)
      }
      let node = try provider.open(state.listing)
      state.node = node
      return node
    }
  }

  /// Forgets the opened camera: it was unplugged.
  func forgetNode() {
    state.withLock { state in
      state.node = nil
      state.formats = nil
    }
  }

  /// Looks for the camera by its identity, wherever it is attached now; false while it is not there.
  func findAgain() throws(CaptureError) -> Bool {
    guard let listing = try provider.cameras().first(where: { $0.identity.id == uniqueID }) else {
      return false
    }
    state.withLock { state in
      state.listing = listing
      state.node = nil
      state.formats = nil
    }
    return true
  }

  /// Takes the camera for a session; false where another one has it.
  func claim() -> Bool {
    state.withLock { state in
      if state.isInUse { return false }
      state.isInUse = true
      return true
    }
  }

  func unclaim() { state.withLock { $0.isInUse = false } }
}
