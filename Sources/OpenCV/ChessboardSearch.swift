package import Imaging
internal import OpenCVBridge

/// One search for a chessboard by one of OpenCV's finders, in a child process with a sure bound.
///
/// Each thread that searches has a child process of its own, which ends with it.
package struct ChessboardSearch: Sendable, Hashable {
  /// OpenCV's two finders.
  package enum Finder: Sendable, Hashable, CaseIterable {
    /// cv::findChessboardCorners: joins dark quadrangles; quick where a board is, slow where none is.
    case classic
    /// cv::findChessboardCornersSB: joins saddle points; slower, bounded by the image's size.
    case sectorBased
  }

  /// Options by the names of OpenCV's flags.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let adaptiveThreshold = Options(rawValue: ocvFinderAdaptiveThreshold.rawValue)
    package static let normalizeImage = Options(rawValue: ocvFinderNormalizeImage.rawValue)
    package static let filterQuads = Options(rawValue: ocvFinderFilterQuads.rawValue)
    package static let fastCheck = Options(rawValue: ocvFinderFastCheck.rawValue)
    package static let exhaustive = Options(rawValue: ocvFinderExhaustive.rawValue)
    package static let accuracy = Options(rawValue: ocvFinderAccuracy.rawValue)
    /// The board may be larger than asked for (sector based only).
    package static let larger = Options(rawValue: ocvFinderLarger.rawValue)
  }

  /// A part of an image in whole pixels.
  package struct Region: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    package init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// Inner corners in a row, at least 3.
  package var columns: Int
  /// Rows of inner corners, at least 3.
  package var rows: Int
  package var finder: Finder
  package var options: Options
  /// The part to search; nil for the whole image.
  package var region: Region?
  /// The size of the searched image as a factor: below 1 means over areas, above 1 cubic.
  package var scale = 1.0
  /// The deviation of a Gaussian that smooths the searched image, in its pixels.
  package var smoothing = 0.0
  /// Whether grey values are stretched to the whole range first.
  package var stretchesContrast = false
  /// Whether the searched image is black and white, by the mean around each pixel.
  ///
  /// The classic finder tries thresholds of its own, all dilations of each before the next; an image
  /// that is black and white already makes the first of them the right one.
  package var binarizes = false
  /// The search is ended when it has filled its working memory so many times the searched image's size;
  /// nil for no bound.
  ///
  /// What it then has found is the same on every run. The classic finder fills it up to 60 times, the
  /// sector-based one some 150 times, 190 where it finds nothing.
  package var work: Double?
  /// The work after which the classic finder has looked at its first threshold with one dilation.
  ///
  /// The image and a copy for each look: the finder tries no dilation first from OpenCV 4.10 on.
  package static let workOfFirstSight = 1 + Double(ocvLooksUpToOneDilation())
  /// The search is ended after this much CPU time, seconds: a safety net for the machine's sake, as a
  /// busy machine needs more time for the same work.
  package var cpuSeconds = 1.0
  /// The search is ended after this much time on the clock, seconds; wide, because a loaded machine
  /// should not change what is found.
  package var wallSeconds: Double { 5 + 10 * cpuSeconds }

  /// Creates a search with the options that OpenCV uses by default.
  package init(columns: Int, rows: Int, finder: Finder, options: Options? = nil) {
    self.columns = columns
    self.rows = rows
    self.finder = finder
    self.options = options ?? (finder == .classic ? [.adaptiveThreshold, .normalizeImage] : [])
  }

  /// How a search ended.
  package enum Outcome: Sendable, Hashable {
    /// The corners row by row, pixel-centre convention, and the size of the board.
    case found(corners: [SIMD2<Double>], columns: Int, rows: Int)
    case notFound
    /// The bound on work was reached.
    case workLimit
    /// The time was used up.
    case timeLimit
    /// OpenCV failed on this image: an exception or a crash in the child process.
    case failed(String)
  }

  /// An outcome and what it cost.
  package struct Answer: Sendable, Hashable {
    package var outcome: Outcome
    /// The work as `ChessboardSearch.work` counts it, where the search came to its end; else 0.
    package var work: Double
    /// The CPU time of the child process, seconds.
    package var cpuSeconds: Double

    /// The corners where found.
    package var corners: [SIMD2<Double>]? {
      if case .found(let corners, _, _) = outcome { corners } else { nil }
    }
  }

  /// The CPU time that all searches of this process have taken in their child processes, seconds.
  package static var cpuSecondsOfAll: Double { ocvChildCPUSeconds() }

  /// Ends the child processes that wait for another search.
  package static func endIdleProcesses() { ocvEndChildren() }

  /// Searches `image`.
  ///
  /// Never takes longer than `cpuSeconds` of CPU time and `wallSeconds`, whatever the image shows.
  ///
  /// - Throws: `invalidArgument`, `outOfMemory`, `interrupted`, `system`.
  package func run(in image: GrayImage) throws(OpenCVError) -> Answer {
    let capacity = options.contains(.larger) ? 4096 : max(columns, 0) * max(rows, 0)
    var flat = [Double](repeating: 0, count: 2 * capacity)
    var (foundColumns, foundRows) = (Int32(0), Int32(0))
    var (work, cpu) = (0.0, 0.0)
    var request = ocvChessboardSearch(
      columns: Int32(clamping: columns), rows: Int32(clamping: rows),
      finder: finder == .classic ? ocvFinderClassic : ocvFinderSectorBased,
      options: options.rawValue,
      regionX: Int32(clamping: region?.x ?? 0), regionY: Int32(clamping: region?.y ?? 0),
      regionWidth: Int32(clamping: region?.width ?? 0),
      regionHeight: Int32(clamping: region?.height ?? 0),
      scale: scale, smoothing: smoothing, stretch: stretchesContrast,
      binarize: binarizes, work: self.work ?? 0, cpuSeconds: cpuSeconds, wallSeconds: wallSeconds)
    let (status, message) = withBridgeMessage { text, size in
      image.pixels.withUnsafeBufferPointer { pixels in
        flat.withUnsafeMutableBufferPointer { corners in
          ocvFindChessboard(
            pixels.baseAddress, Int32(clamping: image.width), Int32(clamping: image.height),
            image.width, &request, corners.baseAddress, corners.count / 2, &foundColumns,
            &foundRows, &work, &cpu, text, size)
        }
      }
    }
    switch status {
    case ocvStatusOK:
      let count = Int(foundColumns) * Int(foundRows)
      let corners = (0..<count).map { SIMD2(flat[2 * $0], flat[2 * $0 + 1]) }
      return Answer(
        outcome: .found(corners: corners, columns: Int(foundColumns), rows: Int(foundRows)),
        work: work, cpuSeconds: cpu)
    case ocvStatusNotFound: return Answer(outcome: .notFound, work: work, cpuSeconds: cpu)
    case ocvStatusWorkLimit: return Answer(outcome: .workLimit, work: 0, cpuSeconds: cpu)
    case ocvStatusTimeLimit: return Answer(outcome: .timeLimit, work: 0, cpuSeconds: cpu)
    case ocvStatusCrashed, ocvStatusOpenCVException, ocvStatusStandardException,
      ocvStatusUnknownException:
      return Answer(outcome: .failed(message), work: 0, cpuSeconds: cpu)
    default:
      throw OpenCVError(
        status: status, operation: "searching for a chessboard", message: message)
    }
  }
}
