package import CalibrationStore

/// The identity under which photographs and videos are stored when no camera is named.
package enum SourceIdentity {
  private static let exifReason = "EXIF make and model"
  private static let folderReason = "folder name"
  private static let defaultReason = "default"

  /// Whether an identity was made up from what the photographs say, so that two cameras may share it.
  package static func isDerived(_ identity: IntrinsicsRecord.DeviceIdentity) -> Bool {
    [exifReason, folderReason, defaultReason].contains(identity.identifiedBy)
  }

  /// The part of `name:SLUG` that stands for `name`; nil when it has no letter or digit.
  ///
  /// Letters and digits of any script stay, in lower case; so do `.` and `_` between them; every run
  /// of anything else becomes one `-`; none stand at the ends. `Logitech C270 (left)` gives
  /// `logitech-c270-left`.
  package static func slug(_ name: String) -> String? {
    DeviceID(name: name).map { String($0.rawValue.dropFirst("name:".count)) }
  }

  /// The identity that a name on the command line gives.
  package static func named(
    _ name: String
  ) throws(FramesError) -> IntrinsicsRecord.DeviceIdentity {
    do throws(StoreError) {
      return try GivenName.identity(name, option: "--device-name")
    } catch {
      throw FramesError(.badRequest, source: name.clipped, message: error.message)
    }
  }

  /// The identity by EXIF, where every picture names the same maker and model; else nil.
  static func exif(
    _ cameras: [(make: String?, model: String?)]
  ) -> IntrinsicsRecord.DeviceIdentity? {
    guard let first = cameras.first, let model = first.model,
      cameras.allSatisfy({ $0 == first })
    else { return nil }
    // Many makers write their name into the model, too.
    let make = first.make ?? ""
    let isRepeated = model.lowercased().hasPrefix(make.lowercased())
    return identity(isRepeated ? model : "\(make) \(model)", by: exifReason)
  }

  /// The identity by the folder in which all of `paths` lie, its real name.
  package static func folder(of paths: [String]) -> IntrinsicsRecord.DeviceIdentity {
    var common: [Substring]?
    for path in paths {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let named = folder.isEmpty ? "." : folder.joined(separator: "/")
      let path = named.isEmpty ? "/" : named
      let parts = (RealPath.of(path) ?? path).split(separator: "/")
        .map { Substring($0) }
      guard let known = common else {
        common = parts
        continue
      }
      common = zip(known, parts).prefix { $0 == $1 }.map(\.0)
    }
    let name = common?.last.map(String.init) ?? ""
    return identity(name, by: folderReason)
      ?? .init(
        id: DeviceID(rawValue: "name:photographs"), name: "photographs", identifiedBy: defaultReason
      )
  }

  private static func identity(
    _ name: String, by reason: String
  ) -> IntrinsicsRecord.DeviceIdentity? {
    slug(name).map {
      .init(id: DeviceID(rawValue: "name:\($0)"), name: name, identifiedBy: reason)
    }
  }
}
