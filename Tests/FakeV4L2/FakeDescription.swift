internal import CV4L2

/// What a fake camera says of itself and offers.
package struct FakeDescription: Sendable {
  /// A size with its frame intervals; a range of sizes where `maximum` is set.
  package struct Size: Sendable {
    package var width: UInt32
    package var height: UInt32
    package var maximum: (width: UInt32, height: UInt32)?
    /// Frames a second.
    package var rates: [UInt32]

    package init(
      _ width: UInt32, _ height: UInt32, upTo maximum: (width: UInt32, height: UInt32)? = nil,
      rates: [UInt32] = [30, 15]
    ) {
      self.width = width
      self.height = height
      self.maximum = maximum
      self.rates = rates
    }
  }

  /// A pixel format with its sizes; the code as text of four characters.
  package struct Format: Sendable {
    package var code: UInt32
    package var name: String
    package var sizes: [Size]

    package init(_ code: String, name: String? = nil, sizes: [Size]) {
      self.code = zip(code.utf8, 0...3).reduce(0) { $0 | UInt32($1.0) << UInt32(8 * $1.1) }
      self.name = name ?? code
      self.sizes = sizes
    }
  }

  /// A control; the automatic that rules it makes it inactive while that is not 0.
  package struct Control: Sendable {
    package var id: UInt32
    package var title: String
    package var type: UInt32
    package var range: ClosedRange<Int32>
    package var step: Int32
    package var value: Int32
    package var defaultValue: Int32
    package var flags: UInt32
    /// The control that rules this one, and its values at which this one is active.
    package var ruler: (id: UInt32, activeValues: Set<Int32>)?

    package init(
      _ id: UInt32, _ title: String, type: UInt32 = 1, _ range: ClosedRange<Int32> = 0...255,
      step: Int32 = 1, value: Int32, defaultValue: Int32 = 0, flags: UInt32 = 0,
      ruler: (id: UInt32, activeValues: Set<Int32>)? = nil
    ) {
      self.id = id
      self.title = title
      self.type = type
      self.range = range
      self.step = step
      self.value = value
      self.defaultValue = defaultValue
      self.flags = flags
      self.ruler = ruler
    }
  }

  package var driver: String
  package var card: String
  package var busInfo: String
  /// What all nodes of the device together can do.
  package var capabilities: UInt32
  /// What this node can do.
  package var deviceCapabilities: UInt32
  package var formats: [Format]
  package var controls: [Control]
  /// The most buffers that it gives.
  package var mostBuffers: UInt32 = 32
  /// Whether S_FMT leaves in its structure what was asked for, whatever was set.
  package var echoesRequests = false
  /// Whether it has a source whose changes it tells, as grabbers do.
  package var tellsOfSource = false
  /// Whether it writes into buffers that the reader still has, in turn, as v4l2loopback does.
  package var overwritesLeased = false
  /// Whether all readers have the same buffers, and any of them who asks for buffers makes the driver
  /// forget that they are mapped, as with v4l2loopback before 0.14.
  package var sharesBuffers = false
  /// The flags of a buffer beside the state: by default monotonic clock, start of exposure.
  package var timestampFlags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) | 0x10000

  package init(
    driver: String = "uvcvideo", card: String = "Fake Camera",
    busInfo: String = "usb-0000:00:14.0-2",
    capabilities: UInt32 = 0x84A0_0001, deviceCapabilities: UInt32 = 0x0420_0001,
    formats: [Format] = [Format("YUYV", sizes: [Size(640, 480), Size(320, 240)])],
    controls: [Control] = []
  ) {
    self.driver = driver
    self.card = card
    self.busInfo = busInfo
    self.capabilities = capabilities
    self.deviceCapabilities = deviceCapabilities
    self.formats = formats
    self.controls = controls
  }
}

extension [FakeDescription.Control] {
  /// The controls of a webcam with autofocus, zoom, stabilisation and automatic exposure.
  package static var webcam: [FakeDescription.Control] {
    let (boolean, menu) = (UInt32(2), UInt32(3))
    return [
      .init(0x0098_0900, "Brightness", -64...64, value: 0),
      .init(
        0x009A_0901, "Auto Exposure", type: menu, 0...3, value: 3, defaultValue: 3),
      .init(
        0x009A_0902, "Exposure Time, Absolute", 1...5000, value: 157, defaultValue: 157,
        ruler: (0x009A_0901, [1])),
      .init(0x009A_0903, "Exposure, Dynamic Framerate", type: boolean, 0...1, value: 1),
      .init(
        0x009A_090A, "Focus, Absolute", 0...250, step: 5, value: 35, ruler: (0x009A_090C, [0])),
      .init(
        0x009A_090C, "Focus, Automatic Continuous", type: boolean, 0...1, value: 1,
        defaultValue: 1),
      .init(0x009A_090D, "Zoom, Absolute", 100...500, value: 120, defaultValue: 100),
      .init(0x009A_0916, "Image Stabilization", type: boolean, 0...1, value: 1),
    ]
  }
}
