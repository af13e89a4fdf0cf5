package import CameraModel

/// Points of a board that somebody detected: what stands in a corners table, image by image.
///
/// Pixels are in the pixel-centre convention, as mrcal and mrgingham have them.
package struct CornerTable: Sendable, Hashable {
  /// What one image shows.
  package struct View: Sendable, Hashable {
    /// The image's file name as the table has it.
    package var source: String
    /// Where the board's points were seen, in the order of the table, NaN where one was not; empty
    /// where there is no board.
    package var pixels: [SIMD2<Double>]
    /// Whether each point is to take part; as many as `pixels`.
    package var isUsed: [Bool]
    /// The deviation of each point in any unit that all share, 1 where nothing is known; as many as
    /// `pixels`.
    package var deviations: [Double]
    /// Why the image is not to be used; nil where it is, or nothing was said.
    package var reason: String?
    /// Whether the points are known to stand in the board's order, as in what was written here.
    package var isOrdered = false
    /// The line on which it begins, from 1; nil where it was not read from lines.
    package var line: Int?

    /// Creates a view; all points that were seen take part, alike, unless the arguments say otherwise.
    package init(
      source: String, pixels: [SIMD2<Double>], isUsed: [Bool]? = nil, deviations: [Double]? = nil,
      reason: String? = nil, line: Int? = nil
    ) {
      self.source = source
      self.pixels = pixels
      self.isUsed = isUsed ?? pixels.map(\.isSeen)
      self.deviations = deviations ?? Array(repeating: 1, count: pixels.count)
      self.reason = reason
      self.line = line
    }

    /// Whether no point was seen at all.
    package var isEmpty: Bool { !pixels.contains(where: \.isSeen) }
  }

  /// What a table says of how well each point is known.
  package enum Confidence: String, Sendable, Hashable {
    /// mrgingham's and mrcal's decimation level: the deviation is 2^level.
    case level
    /// The deviation itself, pixels.
    case sigma
    /// mrcal's weight: what a residual is multiplied by, 1/deviation.
    case weight
  }

  /// The images in the order of the table.
  package var views: [View]
  /// The size of the images, where the table says so.
  package var resolution: Resolution?
  /// What the column behind x and y was taken for; nil where there is none.
  package var confidence: Confidence?
  /// What the reader of the table's output should know of how it was understood.
  package var notices: [String]

  /// Creates a table.
  package init(
    views: [View], resolution: Resolution? = nil, confidence: Confidence? = nil,
    notices: [String] = []
  ) {
    self.views = views
    self.resolution = resolution
    self.confidence = confidence
    self.notices = notices
  }

  /// Whether all points that take part are known equally well, so that no weights are needed.
  package var isUniform: Bool {
    var known: Double?
    for view in views {
      for (deviation, isUsed) in zip(view.deviations, view.isUsed) where isUsed {
        guard deviation == known ?? deviation else { return false }
        known = deviation
      }
    }
    return true
  }
}

extension SIMD2 where Scalar == Double {
  /// Whether this stands for a point that was seen.
  package var isSeen: Bool { x.isFinite && y.isFinite }
  /// What stands for a point that was not seen.
  package static var unseen: SIMD2 { SIMD2(.nan, .nan) }
}
