import CameraModel

/// The measured points behind a record, and how far the model is from each: the contents of
/// `<width>x<height>.points.json`.
public struct CalibrationPoints: Sendable, Hashable {
  /// The points of one view.
  public struct View: Sendable, Hashable {
    /// The file or frame, as in the record's `views`.
    public var source: String
    /// The points on the board in board coordinates, metres (squares where the size is not known), as if
    /// it were flat.
    public var board: [SIMD3<Double>]
    /// Where they were seen: pixels, pixel-centre convention; as many as `board`.
    public var pixels: [SIMD2<Double>]
    /// Seen minus projected, pixels, on the board bent as the record says; as many as `board`, or empty
    /// where there is no pose.
    public var residuals: [SIMD2<Double>]
    /// Which points took part in the estimate; as many as `board`.
    ///
    /// None where the view did not fit the others.
    public var used: [Bool]
    /// Which points were offered to the estimate, before those that do not fit were left out; as many as
    /// `board`, or nil: those in `used`.
    public var offered: [Bool]?
    /// 1σ of each point in a unit that all views share; as many as `board`, or nil where all are alike.
    public var deviations: [Double]?

    /// Creates a view's points; without `used` all took part.
    public init(
      source: String, board: [SIMD3<Double>], pixels: [SIMD2<Double>],
      residuals: [SIMD2<Double>] = [], used: [Bool]? = nil, offered: [Bool]? = nil,
      deviations: [Double]? = nil
    ) {
      self.source = source
      self.board = board
      self.pixels = pixels
      self.residuals = residuals
      self.used = used ?? Array(repeating: true, count: board.count)
      self.offered = offered
      self.deviations = deviations
    }
  }

  /// The views in the order of the record: all in which the board was found and that were not set aside.
  public var views: [View]

  /// Creates the points of a calibration.
  public init(views: [View]) {
    self.views = views
  }
}

/// What ties points to their record: the two files are renamed one after the other, and a process
/// may be killed in between.
struct PointsStamp: Hashable {
  var created: String
  var resolution: Resolution
  var intrinsics: Intrinsics
  var distortion: [Double]

  init(_ record: IntrinsicsRecord) {
    created = record.created
    resolution = record.camera.resolution
    intrinsics = record.camera.intrinsics
    distortion = record.camera.distortion
  }

  init(_ root: JSONField) throws(JSONError) {
    created = try root.member("created").string()
    resolution = try Resolution(root.member("resolution"))
    let focal = try root.member("intrinsics")
    intrinsics = try Intrinsics(
      fx: focal.member("fx").number(), fy: focal.member("fy").number(),
      cx: focal.member("cx").number(), cy: focal.member("cy").number())
    distortion = []
    for (_, field) in try root.member("distortion").members() {
      distortion.append(try field.number())
    }
  }
}

extension CalibrationPoints {
  /// The largest file that is read: 4000 views of 1000 points.
  static let maximumFileSize = 1 << 29

  /// The points as JSON, marked as those of `record`.
  func jsonText(of record: IntrinsicsRecord) throws(StoreError) -> String {
    for view in views {
      let count = view.board.count
      guard view.pixels.count == count, view.used.count == count,
        view.residuals.isEmpty || view.residuals.count == count,
        view.offered.map({ $0.count == count }) ?? true,
        view.deviations.map({ $0.count == count && $0.allSatisfy { $0 > 0 && $0.isFinite } })
          ?? true
      else {
        throw StoreError(
          code: .invalidRecord, subject: record.device.id.rawValue,
          message: "points of \(view.source.clipped): as many pixels, residuals, flags and "
            + "deviations above 0 as board points were expected")
      }
    }
    return JSONValue.object([
      .init("schema", .integer(IntrinsicsRecord.schemaVersion)),
      .init("created", .string(record.created)),
      .init("resolution", record.camera.resolution.jsonValue),
      .init("intrinsics", record.camera.intrinsics.jsonValue),
      .init("distortion", record.camera.distortionJSONValue),
      .init("views", .array(views.map(\.jsonValue))),
    ]).jsonText()
  }
}

extension CalibrationPoints.View {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("source", .string(source)),
      // Flat arrays, so that each stands on one line: x y z x y z …
      .init("board", .numbers(board.flatMap { [$0.x, $0.y, $0.z] })),
      .init("pixels", .numbers(pixels.flatMap { [$0.x, $0.y] })),
      .init("residuals", .numbers(residuals.flatMap { [$0.x, $0.y] })),
      .init("used", .array(used.map { .boolean($0) })),
    ]
    if let offered, offered != used {
      members.append(.init("offered", .array(offered.map { .boolean($0) })))
    }
    if let deviations { members.append(.init("deviations", .numbers(deviations))) }
    return .object(members)
  }
}
