internal import CV4L2
package import CameraModel

extension V4L2Calls {
  /// The size of the frames that the camera behind an open descriptor is set to.
  ///
  /// One `VIDIOC_G_FMT`, which changes nothing, also while frames are taken.
  ///
  /// - Throws: `V4L2Error`: `unsupportedDevice`, `unplugged`, `hardware`, `systemCall`.
  package func currentSize(
    ofDescriptor descriptor: Int32, subject: String
  ) throws(V4L2Error) -> Resolution {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    let status = ioctl(descriptor, CV4L2_G_FMT, &format)
    guard status >= 0 else { throw V4L2Error(-status, during: .enumerate, of: subject) }
    return Resolution(width: Int(format.fmt.pix.width), height: Int(format.fmt.pix.height))
  }
}
