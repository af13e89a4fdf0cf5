public import CameraModel

/// One stored calibration: everything that is known of a camera at one resolution (schema 1).
///
/// Pixel positions are in the pixel-centre convention. What was not measured is nil or empty; what
/// is not finite is nil, with a reason in `verdict`.
public struct IntrinsicsRecord: Sendable, Hashable {
  /// Whose camera it is.
  public var device: DeviceIdentity
  /// The lens model, resolution, intrinsics and distortion coefficients.
  public var camera: CameraParameters
  /// The pixel format of the frames, for example `MJPG`; nil when not known.
  public var pixelFormat: String?
  /// 1σ of each free parameter by name: the larger of noise and view-to-view deviation.
  public var standardDeviations: [String: Double]
  /// The two covariance matrices of the free parameters.
  public var covariance: ParameterCovariance?
  /// How far the measured corners lie from where the model puts them.
  public var reprojectionError: ReprojectionError?
  /// The parameters that were not estimated, or not from the views alone, each with the reason; `bend`
  /// is that of the board.
  public var held: [String: String]
  /// How far the projection of a fixed direction may be off, over the image.
  public var projectionUncertainty: ProjectionUncertainty?
  /// What the residuals have in common; nil when unknown.
  public var residualPatterns: ResidualPatterns?
  /// The calibration board.
  public var board: BoardDescription?
  /// The views in the order in which they were read.
  public var views: [CalibrationView]
  /// Where in the image corners were seen, and under which tilts.
  public var coverage: Coverage?
  /// What each lens model would give, where the lens model was chosen among several; else nil.
  public var lensComparison: [LensCandidate]?
  /// How good the calibration is, and why.
  public var verdict: Verdict
  /// The controls that change a lens's intrinsics, by name; nil when they are not known.
  public var lensControls: [String: LensControl]?
  /// The resolution that was measured where this record was derived from it by scaling; else nil.
  public var scaledFrom: Resolution?
  /// When the calibration was made: ISO 8601, UTC, whole seconds, for example `2026-11-30T05:21:30Z`.
  public var created: String
  /// The program and version that made the record.
  public var tool: String

  /// Creates a record; all that is not given is unknown.
  public init(
    device: DeviceIdentity, camera: CameraParameters, verdict: Verdict, created: String,
    tool: String
  ) {
    self.device = device
    self.camera = camera
    self.standardDeviations = [:]
    self.held = [:]
    self.views = []
    self.verdict = verdict
    self.created = created
    self.tool = tool
  }
}

extension IntrinsicsRecord {
  /// How a device was recognised.
  public struct DeviceIdentity: Sendable, Hashable {
    /// What the record is filed under.
    public var id: DeviceID
    /// A name for people.
    public var name: String
    /// What `id` rests on, for example `serial number`, `bus position`, `given name`, `folder name`.
    public var identifiedBy: String

    /// Creates an identity.
    public init(id: DeviceID, name: String, identifiedBy: String) {
      self.id = id
      self.name = name
      self.identifiedBy = identifiedBy
    }
  }

  /// Two covariance matrices over the same free parameters; units are those of the parameters.
  public struct ParameterCovariance: Sendable, Hashable {
    /// The names of the free parameters, in the order of rows and columns.
    public var parameters: [String]
    /// From independent corner noise: H⁻¹·s².
    public var noise: [[Double]]
    /// From the disagreement of views (jackknife); nil below 6 views.
    public var viewToView: [[Double]]?

    /// The deviation of each parameter from view to view divided by that from noise; nil below 6 views,
    /// and for one without noise.
    public var ratios: [Double?]? {
      viewToView.map { viewToView in
        zip(noise, viewToView).enumerated().map { index, rows in
          guard rows.0.indices.contains(index), rows.1.indices.contains(index) else { return nil }
          let ratio = (rows.1[index] / rows.0[index]).squareRoot()
          return ratio.isFinite ? ratio : nil
        }
      }
    }

    /// Creates a pair of covariance matrices.
    public init(parameters: [String], noise: [[Double]], viewToView: [[Double]]?) {
      self.parameters = parameters
      self.noise = noise
      self.viewToView = viewToView
    }
  }

  /// Residuals in pixels.
  public struct ReprojectionError: Sendable, Hashable {
    /// √(Σ‖residual‖²/points): OpenCV's and mrcal's figure.
    public var rms: Double
    /// √(Σr²/degrees of freedom), per axis.
    public var sigma: Double
    /// The same for views that took no part in the estimate; nil below 5 views.
    public var heldOutSigma: Double?

    /// Creates the three figures, in pixels.
    public init(rms: Double, sigma: Double, heldOutSigma: Double?) {
      self.rms = rms
      self.sigma = sigma
      self.heldOutSigma = heldOutSigma
    }
  }

  /// 1σ of the projection at infinity on a grid of cell centres over the image, in pixels.
  public struct ProjectionUncertainty: Sendable, Hashable {
    /// The number of cells in a row.
    public var columns: Int
    /// The number of rows of cells.
    public var rows: Int
    /// `columns * rows` values, row by row; nil where the model can't be inverted ("no data").
    public var sigma: [Double?]
    /// The level that half of the area stays within; nil when beyond what has data.
    public var median: Double?
    /// The level that 90 % of the area stays within; nil when beyond what has data.
    public var p90: Double?
    /// The largest value; nil when a cell has no data.
    public var worst: Double?
    /// The shares of the area within 0.1, 0.2 and 0.4 % of the image's diagonal, by the keys "0.1", "0.2" and "0.4".
    public var share: [String: Double]
    /// The same figures for points as far away as the boards were; nil when unknown.
    public var atBoards: AtBoards?

    /// Figures for points at a distance.
    ///
    /// There a shift of the camera's position takes up a part of the error that points at infinity show.
    public struct AtBoards: Sendable, Hashable {
      /// The depth (Z) of the points: the median of the used corners, in the unit of the views' poses.
      public var distance: Double
      /// As for points at infinity.
      public var median: Double?
      /// As for points at infinity.
      public var p90: Double?
      /// As for points at infinity.
      public var worst: Double?

      /// Creates figures, in pixels.
      public init(distance: Double, median: Double?, p90: Double?, worst: Double?) {
        self.distance = distance
        self.median = median
        self.p90 = p90
        self.worst = worst
      }
    }

    /// Creates a grid with its figures.
    public init(
      columns: Int, rows: Int, sigma: [Double?], median: Double?, p90: Double?, worst: Double?,
      share: [String: Double]
    ) {
      self.columns = columns
      self.rows = rows
      self.sigma = sigma
      self.median = median
      self.p90 = p90
      self.worst = worst
      self.share = share
    }
  }

  /// The board that was shown.
  public struct BoardDescription: Sendable, Hashable {
    /// The kind of board: `chessboard`.
    public var kind: String
    /// Inner corners in a row.
    public var columns: Int
    /// Rows of inner corners.
    public var rows: Int
    /// The side of a square in metres, along a row; nil when it was not given.
    public var squareSize: Double?
    /// The side down the rows in metres where it was measured apart; nil: as along a row.
    public var squareHeight: Double?
    /// How far it is from flat; nil where it was taken for flat, or nobody asked.
    public var bend: BoardBend?

    /// Creates a description.
    public init(
      kind: String, columns: Int, rows: Int, squareSize: Double?, squareHeight: Double? = nil,
      bend: BoardBend? = nil
    ) {
      self.kind = kind
      self.columns = columns
      self.rows = rows
      self.squareSize = squareSize
      self.squareHeight = squareHeight
      self.bend = bend
    }
  }

  /// A board's bend: z = x·(1 − ξ²) + y·(1 − η²), ξ and η from −1 to 1 over its inner corners, z away
  /// from whoever looks at the printed side.
  ///
  /// Lengths are in metres; in squares where `squareSize` is nil.
  public struct BoardBend: Sendable, Hashable {
    /// How far the middle stands back from the two ends of a row.
    public var x: Double
    /// How far the middle stands back from the two ends of a column.
    public var y: Double
    /// 1σ of `x`: the larger of noise and view-to-view deviation.
    public var deviationX: Double
    /// 1σ of `y`.
    public var deviationY: Double

    /// Creates a bend.
    public init(x: Double, y: Double, deviationX: Double, deviationY: Double) {
      self.x = x
      self.y = y
      self.deviationX = deviationX
      self.deviationY = deviationY
    }
  }

  /// One image and what became of it.
  public struct CalibrationView: Sendable, Hashable {
    /// The file or frame that the view came from.
    public var source: String
    /// Whether it took part in the estimate.
    public var used: Bool
    /// Why it was not used; nil for used views.
    public var reason: String?
    /// The RMS of its 2-D residuals, pixels; nil when it has none.
    public var rms: Double?
    /// cameraFromBoard, metres (squares where the board's size was not given); nil when it has none.
    public var pose: Pose?

    /// Creates a view.
    public init(
      source: String, used: Bool, reason: String? = nil, rms: Double? = nil, pose: Pose? = nil
    ) {
      self.source = source
      self.used = used
      self.reason = reason
      self.rms = rms
      self.pose = pose
    }
  }

  /// Where corners were seen, and under which tilts.
  public struct Coverage: Sendable, Hashable {
    /// Cells in a row of `cornerCounts`.
    public var columns: Int
    /// Rows of cells.
    public var rows: Int
    /// The number of used corners in each cell of the image, row by row.
    public var cornerCounts: [Int]
    /// Used views by the angle between board normal and optical axis, in steps of 10° from 0.
    public var tiltHistogram: [Int]

    /// Creates a coverage.
    public init(columns: Int, rows: Int, cornerCounts: [Int], tiltHistogram: [Int]) {
      self.columns = columns
      self.rows = rows
      self.cornerCounts = cornerCounts
      self.tiltHistogram = tiltHistogram
    }
  }

  /// The judgement of a calibration.
  public struct Verdict: Sendable, Hashable {
    /// The three levels.
    public enum Level: String, Sendable, Hashable, CaseIterable {
      /// Fit for measuring.
      case good
      /// Fit for most purposes, with known weaknesses.
      case usable
      /// Not to be relied on.
      case poor
    }

    /// The level.
    public var level: Level
    /// Why, the cure first; one sentence each.
    public var reasons: [String]

    /// Creates a verdict.
    public init(level: Level, reasons: [String]) {
      self.level = level
      self.reasons = reasons
    }
  }

  /// A camera control at the time of the calibration.
  public struct LensControl: Sendable, Hashable {
    /// Its value, in the driver's unit.
    public var value: Int
    /// Whether it was held at this value.
    public var locked: Bool

    /// Creates a control's state.
    public init(value: Int, locked: Bool) {
      self.value = value
      self.locked = locked
    }
  }
}
