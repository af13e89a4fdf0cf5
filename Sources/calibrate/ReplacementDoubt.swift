import CalibrationStore
import CameraModel
import Frames

/// A doubt whether a calibration and the one that it replaces are of the same camera.
///
/// Photographs whose camera was not named are filed under their folder's name or their EXIF model, and
/// two cameras may share either.
struct ReplacementDoubt {
  /// The parameter that differs most, and by how many deviations of both.
  private let parameter: String
  private let deviations: Double
  private let device: DeviceID

  /// Differences of chance are below this, even where deviations are judged from few views.
  static let limit = 5.0

  /// nil where there is nothing to doubt: the camera was named or asked for its identity, or the two
  /// agree as far as their deviations say.
  init?(_ record: IntrinsicsRecord, replacing old: IntrinsicsRecord?) {
    guard let old, SourceIdentity.isDerived(record.device),
      old.camera.lensModel == record.camera.lensModel
    else { return nil }
    let names = record.camera.lensModel.parameterNames.prefix(4)
    let values = zip(record.camera.parameterVector, old.camera.parameterVector)
    let differences = zip(names, values).compactMap { name, pair -> (String, Double)? in
      guard let mine = record.standardDeviations[name], let theirs = old.standardDeviations[name],
        mine > 0 || theirs > 0
      else { return nil }
      return (name, abs(pair.0 - pair.1) / (mine * mine + theirs * theirs).squareRoot())
    }
    guard let most = differences.max(by: { $0.1 < $1.1 }), most.1 > Self.limit else { return nil }
    (parameter, deviations, device) = (most.0, most.1, record.device.id)
  }

  /// What to say and to do.
  var warning: String {
    "\(device): the calibration that was replaced differs by \(fixed(deviations, 0)) deviations in "
      + "\(parameter). If these photographs are of another camera, give each its own --device-name and "
      + "bring the other back with show-intrinsics --restore; if focus or zoom was moved, all is well."
  }
}
