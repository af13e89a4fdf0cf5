/// A device on a USB bus, as a folder of sysfs.
struct USBDevice: Sendable, Hashable {
  /// The folder without symbolic links: one camera may have several video devices.
  let path: String
  /// `VENDOR:PRODUCT`, hexadecimal.
  let model: String
  /// The serial number; nil where there is none.
  let serial: String?
  /// The product's name.
  let product: String?
  /// The interface that the folder asked for belongs to.
  let interface: Int

  /// The device that an interface folder belongs to; nil where it is none of USB.
  init?(folder: String) {
    var path = folder
    while path.count > 1 {
      if let vendor = VideoClassNode.text(path + "/idVendor"),
        let product = VideoClassNode.text(path + "/idProduct")
      {
        self.path = path
        model = "\(vendor):\(product)"
        serial = VideoClassNode.text(path + "/serial")
        self.product = VideoClassNode.text(path + "/product")
        interface =
          VideoClassNode.text(folder + "/bInterfaceNumber").flatMap { Int($0, radix: 16) } ?? 0
        return
      }
      path = Disk.parent(of: path)
    }
    return nil
  }

  /// `usb-CONTROLLER-PORTS`, as the kernel's usb_make_path writes it.
  var position: String {
    let ports = VideoClassNode.text(path + "/devpath") ?? ""
    // …/0000:00:14.0/usb1/1-2: the controller holds the root hub, whose folder begins with "usb".
    let parts = path.split(separator: "/")
    let hub = parts.firstIndex { $0.hasPrefix("usb") && $0.dropFirst(3).allSatisfy(\.isNumber) }
    let controller = hub.flatMap { $0 > 0 ? String(parts[$0 - 1]) : nil } ?? ""
    return "usb-\(controller)-\(ports)"
  }
}
