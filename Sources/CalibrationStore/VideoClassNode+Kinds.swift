extension VideoClassNode {
  /// Beginnings of names of video devices that give a sensor's raw data: a media controller puts them
  /// together, and libcamera makes pictures of what they give.
  private static let sensorNames = [
    "unicam", "rp1-cfe", "ipu3-cio2", "Intel IPU", "rkisp1_", "rkcif", "imx7-csi", "mxc-isi",
    "sun6i-csi", "msm_vfe", "stm32_dcmipp",
  ]

  /// Beginnings of names of video devices that only work on pictures of others.
  private static let converterNames = [
    "bcm2835-isp", "bcm2835-codec", "pispbe", "rpi-hevc", "rpivid", "ipu3-imgu", "hantro", "rkvdec",
    "rkvenc", "rockchip-rga", "cedrus", "s5p-mfc", "wave5", "vicodec", "vim2m",
  ]

  private func beginsWith(_ names: [String]) -> Bool {
    // On a Raspberry Pi the driver has the name, too.
    [name, driver].contains { text in names.contains { text?.hasPrefix($0) ?? false } }
  }

  /// Whether it gives a sensor's raw data.
  var needsLibcamera: Bool { beginsWith(Self.sensorNames) }

  /// Why it is no camera, as far as sysfs tells; nil where it may be one.
  var noCameraReason: String? {
    let found = "\"\((name ?? node).printable)\""
    if beginsWith(Self.converterNames) {
      return "\(found) only converts pictures, it is no camera (on a Raspberry Pi it belongs to "
        + "the camera's processor, which libcamera drives)"
    }
    if let name, name.hasPrefix("vivid-"), !name.hasSuffix("-vid-cap") {
      return "\(found) is a part of vivid that captures no pictures; list-cameras shows the cameras"
    }
    return nil
  }
}
