import Calibration
import CameraModel
import CommandLineTool

extension ParameterConstraints {
  /// What the options say of a lens of this model; nil: yet to be chosen.
  init(_ arguments: ParsedArguments, _ lensModel: LensModel?) throws(UsageError) {
    let fixes = arguments[CalibrateCommand.fix].flatMap(\.self)
    let priors = arguments[CalibrateCommand.prior].flatMap(\.self)
    do throws(ConstraintError) {
      try self.init(
        squarePixels: arguments[CalibrateCommand.squarePixels],
        zeroTangential: arguments[CalibrateCommand.zeroTangential],
        fixes: fixes.map { ($0.name, $0.value) },
        priors: priors.map { ($0.name, Prior(mean: $0.value, deviation: $0.deviation)) },
        lensModel: lensModel, coefficientCount: arguments[CalibrateCommand.coefficients])
    } catch {
      throw UsageError(
        .invalidValue, subject: error.option, message: "\(error.option): \(error)")
    }
  }
}
