import Glibc

/// A camera that is attached now, as the kernel describes it in sysfs; the camera is not opened.
public struct AttachedCamera: Sendable, Hashable {
  /// The kernel's name of its video device, for example `video0`: different after the next replug.
  public var node: String
  /// What its calibrations are filed under, a name for people, and what the id rests on.
  public var identity: IntrinsicsRecord.DeviceIdentity

  /// Finds out which camera a device file stands for.
  ///
  /// `usb:VENDOR:PRODUCT:SERIAL` where it has a serial number that no other attached camera has; else
  /// `bus:` with its position on the bus, as V4L2's `bus_info` writes it
  /// (`bus:usb-0000:00:14.0-2`): which of two equal cameras it is must not be guessed.
  ///
  /// - Parameters:
  ///   - path: `/dev/videoN`, or a link to it as in `/dev/v4l/by-id`.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown`.
  public init(deviceFile path: String, sysfs: String = "/sys") throws(StoreError) {
    let target = Disk.resolved(path) ?? path
    let node = String(target.split(separator: "/").last ?? "")
    let video = sysfs + "/class/video4linux"
    guard node.hasPrefix("video"), node.dropFirst(5).allSatisfy(\.isNumber),
      Disk.isFolder(video + "/" + node)
    else {
      throw StoreError(
        code: .cameraUnknown, subject: path.printable,
        message: "there is no such video device; `ls /dev/v4l/by-id` lists those that are attached")
    }
    guard let device = USBDevice(folder: video + "/" + node + "/device") else {
      throw StoreError(
        code: .cameraUnknown, subject: path.printable,
        message: "this is no USB camera, and nothing else is known to name it by: give a device id")
    }
    self.node = node
    identity = .init(
      id: device.positionID, name: device.name(node: video + "/" + node),
      identifiedBy: "bus position (it has no serial number)")
    guard let serialID = device.serialID else { return }
    let twins = try Disk.names(in: video).contains { other in
      guard let other = USBDevice(folder: video + "/" + other + "/device") else { return false }
      return other.path != device.path && other.serialID == serialID
    }
    if twins {
      identity.identifiedBy = "bus position (another attached camera has the same serial number)"
    } else {
      identity.id = serialID
      identity.identifiedBy = "serial number"
    }
  }
}

/// A device on a USB bus, as a folder of sysfs.
private struct USBDevice {
  /// The folder without symbolic links: one camera may have several video devices.
  let path: String
  let vendor: String
  let product: String

  /// The device that an interface folder belongs to; nil where it is none of USB.
  init?(folder: String) {
    guard var path = Disk.resolved(folder) else { return nil }
    while path.count > 1 {
      if let vendor = USBDevice.text(path + "/idVendor"),
        let product = USBDevice.text(path + "/idProduct")
      {
        (self.path, self.vendor, self.product) = (path, vendor, product)
        return
      }
      path = Disk.parent(of: path)
    }
    return nil
  }

  var serialID: DeviceID? {
    guard let serial = USBDevice.text(path + "/serial") else { return nil }
    return DeviceID(rawValue: "usb:\(vendor):\(product):\(serial)")
  }

  /// `usb-CONTROLLER-PORTS`, as the kernel's usb_make_path writes it.
  var positionID: DeviceID {
    let ports = USBDevice.text(path + "/devpath") ?? ""
    // …/0000:00:14.0/usb1/1-2: the controller holds the root hub, whose folder begins with "usb".
    let parts = path.split(separator: "/")
    let hub = parts.firstIndex { $0.hasPrefix("usb") && $0.dropFirst(3).allSatisfy(\.isNumber) }
    let controller = hub.flatMap { $0 > 0 ? String(parts[$0 - 1]) : nil } ?? ""
    return DeviceID(rawValue: "bus:usb-\(controller)-\(ports)")
  }

  func name(node: String) -> String {
    USBDevice.text(path + "/product") ?? USBDevice.text(node + "/name") ?? "\(vendor):\(product)"
  }

  /// The contents of a file of sysfs without white space at its ends; nil where there are none.
  private static func text(_ path: String) -> String? {
    // Files of sysfs say that they have 4096 bytes, whatever they have.
    guard let bytes = try? Disk.contents(of: path, limit: 1 << 16) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let trimmed = text.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }
    return end.map { String(trimmed[...$0]) }
  }
}
