public import CameraModel
public import Imaging

extension ImageHeader {
  /// The picture's size in the sensor's own pixel grid.
  public var resolution: Resolution { Resolution(width: width, height: height) }
}
