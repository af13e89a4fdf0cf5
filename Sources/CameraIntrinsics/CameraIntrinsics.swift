// The library product for apps: everything that reads stored intrinsics and hands them out, nothing
// that measures them. No OpenCV library is loaded.

@_exported public import CalibrationStore
@_exported public import CameraCapture
@_exported public import CameraModel
@_exported public import Frames
@_exported public import Imaging
