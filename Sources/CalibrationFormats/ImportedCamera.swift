package import CalibrationStore
package import CameraModel

/// A camera as a foreign file states it.
package struct ImportedCamera: Sendable, Hashable {
  /// The dialect of the file, for example `ROS camera_info YAML`.
  package var dialect: String
  /// What the file calls this camera among its others, for example `cam0`; empty when it has but one.
  package var id: String
  /// A name or serial number for the camera, where the file gives one.
  package var name: String?
  /// Resolution, lens model, intrinsics and distortion; pixel-centre convention.
  package var camera: CameraParameters
  /// 1σ by parameter name, where the file states them.
  package var standardDeviations: [String: Double]
  /// √(Σ‖residual‖²/points) in pixels, where the file states it.
  package var rms: Double?
  /// The date of the calibration in the file's own words.
  package var date: String?
  /// What a person should know, one sentence each.
  package var notices: [String]
  /// The record, where the file is one of ours: all that it holds.
  package var record: IntrinsicsRecord?
}

/// What the reader of a file is told beside the file.
package struct ImportOptions: Sendable, Hashable {
  /// Which camera of several.
  package var camera: String?
  /// The size of the images, for files that do not state it; must agree with those that do.
  package var resolution: Resolution?
  /// The lens model, for files that do not state it; must agree with those that do.
  package var lensModel: LensModel?

  /// Creates options; what is not given is left to the file.
  package init(
    camera: String? = nil, resolution: Resolution? = nil, lensModel: LensModel? = nil
  ) {
    self.camera = camera
    self.resolution = resolution
    self.lensModel = lensModel
  }
}
