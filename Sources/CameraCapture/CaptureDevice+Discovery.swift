public import CalibrationStore

extension CaptureDevice {
  /// The first camera that is attached, in the order of the device files.
  ///
  /// - Throws: `noCamera` where none is; iOS gives nil instead.
  public static func `default`(for type: MediaType) throws(CaptureError) -> CaptureDevice {
    try `default`(for: type, among: V4L2Cameras())
  }

  /// All cameras that are attached, in the order of the device files.
  public static func devices(for type: MediaType) throws(CaptureError) -> [CaptureDevice] {
    try devices(among: V4L2Cameras())
  }

  /// The attached camera with a device id.
  ///
  /// - Throws: `noCamera` where it is not attached; the message names those that are.
  public convenience init(uniqueID: DeviceID) throws(CaptureError) {
    try self.init(uniqueID: uniqueID, among: V4L2Cameras())
  }

  /// The camera behind a device file such as `/dev/video0`, or a link to one as in `/dev/v4l/by-id`.
  public convenience init(path: String) throws(CaptureError) {
    let cameras = V4L2Cameras()
    self.init(try cameras.camera(at: path), provider: cameras)
  }

  /// The camera that a person means: a device file, a device id, the name under which a store has
  /// calibrations, or the name of an attached camera.
  public convenience init(
    matching text: String, store: IntrinsicsStore?
  ) throws(CaptureError) {
    try self.init(matching: text, store: store, among: V4L2Cameras())
  }
}

extension CaptureDevice {
  package static func `default`(
    for type: MediaType, among provider: any CameraProvider
  ) throws(CaptureError) -> CaptureDevice {
    guard let first = try provider.cameras().first else {
      throw CaptureError(
        code: .noCamera, subject: "video",
        message: "no camera is attached; plug one in (`ls /dev/video*` shows the device files)")
    }
    return CaptureDevice(first, provider: provider)
  }

  package static func devices(
    among provider: any CameraProvider
  ) throws(CaptureError) -> [CaptureDevice] {
    try provider.cameras().map { CaptureDevice($0, provider: provider) }
  }

  package convenience init(
    uniqueID: DeviceID, among provider: any CameraProvider
  ) throws(CaptureError) {
    self.init(try Self.listing(of: uniqueID, among: provider), provider: provider)
  }

  /// Where a camera is attached now.
  static func listing(
    of uniqueID: DeviceID, among provider: any CameraProvider
  ) throws(CaptureError) -> CameraListing {
    let attached = try provider.cameras()
    guard let listing = attached.first(where: { $0.identity.id == uniqueID }) else {
      let others = attached.map { "\($0.identity.id) (\($0.path))" }.joined(separator: ", ")
      throw CaptureError(
        code: .noCamera, subject: "\(uniqueID)",
        message: "this camera is not attached; "
          + (others.isEmpty ? "no other one is, either" : "attached are \(others)"))
    }
    return listing
  }

  package convenience init(
    matching text: String, store: IntrinsicsStore?, among provider: any CameraProvider
  ) throws(CaptureError) {
    if text.hasPrefix("/") {
      self.init(try provider.camera(at: text), provider: provider)
      return
    }
    var named: DeviceID?
    do {
      named = try store?.device(matching: text)
    } catch {
      throw CaptureError(code: .noCamera, subject: text, message: error.message)
    }
    if named == nil {
      let attached = try provider.cameras().filter {
        $0.identity.name.lowercased() == text.lowercased()
      }
      // One of several with the same name must not be guessed.
      if attached.count == 1 { named = attached[0].identity.id }
    }
    try self.init(uniqueID: named ?? DeviceID(rawValue: text), among: provider)
  }
}
