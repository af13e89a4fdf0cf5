extension AttachedCamera {
  /// Names a camera, given all video devices that are attached: equal ones are told apart by their
  /// place.
  init(_ node: VideoClassNode, among nodes: [VideoClassNode]) {
    self.node = node.node
    needsLibcamera = node.needsLibcamera
    identity =
      if let device = node.usb {
        Self.identity(of: device, node, among: nodes)
      } else if node.isVirtual {
        Self.identity(ofLoopback: node, among: nodes)
      } else {
        .init(
          id: DeviceID(rawValue: "bus:" + node.position), name: node.title,
          identifiedBy: "bus position")
      }
  }

  private static func identity(
    of device: USBDevice, _ node: VideoClassNode, among nodes: [VideoClassNode]
  ) -> IntrinsicsRecord.DeviceIdentity {
    // A laptop's infrared camera shares the USB device of the one for colour, serial number and all.
    let units = Set(nodes.filter { $0.usb?.path == device.path }.map(\.unit)).sorted()
    let isFirst = units.first == node.unit
    let suffix = isFirst ? "" : "#" + node.unit.suffix
    let name = (isFirst ? device.product : nil) ?? node.name ?? device.product ?? device.model
    func identity(_ id: String, _ basis: String) -> IntrinsicsRecord.DeviceIdentity {
      .init(id: DeviceID(rawValue: id + suffix), name: name, identifiedBy: basis)
    }
    guard let serial = device.serial else {
      return identity("bus:" + device.position, "bus position (it has no serial number)")
    }
    let hasTwin = nodes.contains { other in
      guard let other = other.usb else { return false }
      return other.path != device.path && other.model == device.model && other.serial == serial
    }
    return hasTwin
      ? identity(
        "bus:" + device.position,
        "bus position (another attached camera has the same serial number)")
      : identity("usb:\(device.model):\(serial)", "serial number")
  }

  private static func identity(
    ofLoopback node: VideoClassNode, among nodes: [VideoClassNode]
  ) -> IntrinsicsRecord.DeviceIdentity {
    let loopbacks = nodes.filter(\.isVirtual)
    func id(of node: VideoClassNode) -> DeviceID? { node.name.flatMap { DeviceID(name: $0) } }
    if let label = id(of: node), loopbacks.count(where: { id(of: $0) == label }) == 1 {
      return .init(id: label, name: node.name ?? node.node, identifiedBy: "label")
    }
    // V4L2's bus_info counts the module's devices in the order in which they were made.
    let index = loopbacks.firstIndex { $0.node == node.node } ?? 0
    let digits = String(index)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return .init(
      id: DeviceID(rawValue: "bus:platform:v4l2loopback-" + number), name: node.name ?? node.node,
      identifiedBy: node.name.flatMap { DeviceID(name: $0) } == nil
        ? "bus position (it has no label)"
        : "bus position (another loopback device has the same label)")
  }
}
