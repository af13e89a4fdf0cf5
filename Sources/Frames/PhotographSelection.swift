import CameraModel
import Imaging

/// The choice of one size among photographs.
struct PhotographSelection {
  /// A file whose header could be read.
  struct Photograph {
    var path: String
    var header: ImageHeader
  }

  private(set) var setAside: [SetAside]
  private(set) var notices: [String] = []
  private var photographs: [Photograph] = []
  private var refusals: [ImagingError] = []
  private var isTied = false

  init(setAside: [SetAside]) {
    self.setAside = setAside
  }

  /// Reads a file's header and keeps it, or sets the file aside.
  mutating func add(_ path: String) {
    do throws(ImagingError) {
      photographs.append(Photograph(path: path, header: try ImageFile.header(ofFileAt: path)))
    } catch {
      refusals.append(error)
      setAside.append(
        SetAside(
          source: path, reason: error.message, isPicture: error.code != .unsupportedFormat))
    }
  }

  /// The size to use: the one asked for, else the most frequent, of equally frequent ones the larger.
  mutating func choose(
    _ requested: Resolution?, of sources: [String]
  ) throws(FramesError) -> Resolution {
    guard !photographs.isEmpty else { throw nothingUsable(sources) }
    var counts: [Resolution: Int] = [:]
    for photograph in photographs { counts[photograph.header.resolution, default: 0] += 1 }
    let sizes = counts.sorted { first, second in
      // The most frequent, then the largest, then the widest: a total order, as dictionaries have none.
      let left = (first.value, first.key.width * first.key.height, first.key.width)
      return left > (second.value, second.key.width * second.key.height, second.key.width)
    }
    if let requested {
      guard counts[requested] != nil else {
        let found = sizes.prefix(4).map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
        throw FramesError(
          .noSuchSize, source: sources.count == 1 ? sources[0] : "",
          message: "no photograph has the size \(requested) that was asked for; there are \(found)"
            + (sizes.count > 4 ? " and others" : ""))
      }
      return requested
    }
    let best = sizes[0]
    let tied = sizes.filter { $0.value == best.value }
    isTied = tied.count > 1
    if isTied {
      let names = tied.map { "\($0.key)" }.joined(separator: " and ")
      notices.append(
        "\(names) are equally frequent (\(best.value) each); the largest, \(best.key), is used: "
          + "--size selects another")
    }
    return best.key
  }

  /// The photographs of `size`; the others are set aside.
  mutating func take(_ size: Resolution, isRequested: Bool) -> [Photograph] {
    let chosen = photographs.filter { $0.header.resolution == size }
    let rivals = isTied ? "others are" : "the most frequent size is"
    let isMajority = 2 * chosen.count > photographs.count
    for photograph in photographs where photograph.header.resolution != size {
      let own = photograph.header.resolution
      let reason =
        isRequested
        ? "is \(own), not \(size) as asked for"
        : "is \(own), \(isMajority ? "most are" : rivals) \(size); use --size \(own) to use these"
      setAside.append(SetAside(source: photograph.path, reason: reason))
    }
    return chosen
  }

  /// The error when no file could be used.
  private func nothingUsable(_ sources: [String]) -> FramesError {
    let source = sources.count == 1 ? sources[0] : ""
    let isDenied = !refusals.isEmpty && refusals.allSatisfy { $0.code == .permissionDenied }
    let isMissing = !refusals.isEmpty && refusals.allSatisfy { $0.code == .missingProgram }
    let code: FramesError.Code =
      isDenied ? .permissionDenied : isMissing ? .missingProgram : .noImages
    if refusals.count == 1, source == refusals[0].path {
      return FramesError(code, source: source, message: refusals[0].message)
    }
    let reasons = refusals.prefix(3).map { "\($0)" }.joined(separator: "; ")
    return FramesError(
      code, source: source,
      message: "none of \(refusals.count) files can be used: \(reasons)"
        + (refusals.count > 3 ? "; …" : "") + SourceExpansion.advice(setAside))
  }
}
