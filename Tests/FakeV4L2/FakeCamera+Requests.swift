internal import CV4L2
internal import Glibc

extension FakeCamera.State {
  /// Answers an ioctl; returns an `errno`, 0 for success.
  mutating func answer(
    _ call: FakeCall, from descriptor: Int32, _ argument: UnsafeMutableRawPointer
  ) -> Int32 {
    func with<Argument>(_ type: Argument.Type) -> UnsafeMutablePointer<Argument> {
      argument.assumingMemoryBound(to: type)
    }
    guard isPlugged else { return ENODEV }
    switch call {
    case .queryCapabilities: return query(&with(v4l2_capability.self).pointee)
    case .enumerateFormats: return enumerate(&with(v4l2_fmtdesc.self).pointee)
    case .enumerateSizes: return enumerate(&with(v4l2_frmsizeenum.self).pointee)
    case .enumerateIntervals: return enumerate(&with(v4l2_frmivalenum.self).pointee)
    case .getFormat: return get(&with(v4l2_format.self).pointee)
    case .setFormat: return set(&with(v4l2_format.self).pointee)
    case .getParameters, .setParameters:
      return parameters(&with(v4l2_streamparm.self).pointee, setting: call == .setParameters)
    case .requestBuffers:
      return requestBuffers(&with(v4l2_requestbuffers.self).pointee, from: descriptor)
    case .queryBuffer: return query(&with(v4l2_buffer.self).pointee)
    case .queue: return queue(with(v4l2_buffer.self).pointee)
    case .dequeue: return dequeue(&with(v4l2_buffer.self).pointee)
    case .streamOn: return start()
    case .streamOff: return stop()
    case .queryControl: return query(&with(v4l2_queryctrl.self).pointee)
    case .getControl: return get(&with(v4l2_control.self).pointee)
    case .setControl: return set(&with(v4l2_control.self).pointee)
    case .subscribe: return subscribe(with(v4l2_event_subscription.self).pointee)
    case .unsubscribe:
      watched.remove(with(v4l2_event_subscription.self).pointee.id)
      return 0
    case .dequeueEvent:
      guard !events.isEmpty else { return ENOENT }
      with(v4l2_event.self).pointee = events.removeFirst()
      return 0
    case .open, .close, .map, .unmap, .poll, .queryMenu: return ENOTTY
    }
  }

  private func query(_ answer: inout v4l2_capability) -> Int32 {
    write(description.driver, to: &answer.driver)
    write(description.card, to: &answer.card)
    write(description.busInfo, to: &answer.bus_info)
    answer.capabilities = description.capabilities
    answer.device_caps = description.deviceCapabilities
    return 0
  }

  private func enumerate(_ answer: inout v4l2_fmtdesc) -> Int32 {
    guard answer.type == 1, description.formats.indices.contains(Int(answer.index)) else {
      return EINVAL
    }
    let entry = description.formats[Int(answer.index)]
    answer.pixelformat = entry.code
    write(entry.name, to: &answer.description)
    return 0
  }

  private func sizes(_ code: UInt32) -> [FakeDescription.Size] {
    description.formats.first { $0.code == code }?.sizes ?? []
  }

  private func enumerate(_ answer: inout v4l2_frmsizeenum) -> Int32 {
    let sizes = sizes(answer.pixel_format)
    guard sizes.indices.contains(Int(answer.index)) else { return EINVAL }
    let size = sizes[Int(answer.index)]
    if let maximum = size.maximum {
      answer.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
      answer.stepwise = v4l2_frmsize_stepwise(
        min_width: size.width, max_width: maximum.width, step_width: 2,
        min_height: size.height, max_height: maximum.height, step_height: 2)
    } else {
      answer.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      answer.discrete = v4l2_frmsize_discrete(width: size.width, height: size.height)
    }
    return 0
  }

  private func enumerate(_ answer: inout v4l2_frmivalenum) -> Int32 {
    let size = sizes(answer.pixel_format).first { $0.holds(answer.width, answer.height) }
    guard let size, size.rates.indices.contains(Int(answer.index)) else { return EINVAL }
    answer.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
    answer.discrete = v4l2_fract(numerator: 1, denominator: size.rates[Int(answer.index)])
    return 0
  }

  private func get(_ answer: inout v4l2_format) -> Int32 {
    answer.fmt.pix = v4l2_pix_format()
    answer.fmt.pix.width = size.width
    answer.fmt.pix.height = size.height
    answer.fmt.pix.pixelformat = format.code
    answer.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    answer.fmt.pix.bytesperline = bytesPerRow
    answer.fmt.pix.sizeimage = sizeImage
    return 0
  }

  /// Sets the nearest to what is asked for, as drivers do.
  private mutating func set(_ wish: inout v4l2_format) -> Int32 {
    guard buffers.isEmpty else { return EBUSY }
    let pixels = wish.fmt.pix
    guard
      let best = description.formats.first(where: { $0.code == pixels.pixelformat })
        ?? description.formats.first
    else { return EINVAL }
    let area = Int64(pixels.width) * Int64(pixels.height)
    let nearest = best.sizes.min { a, b in
      abs(Int64(a.width) * Int64(a.height) - area) < abs(Int64(b.width) * Int64(b.height) - area)
    }
    guard var chosen = best.sizes.first(where: { $0.holds(pixels.width, pixels.height) }) ?? nearest
    else { return EINVAL }
    if chosen.maximum != nil {
      chosen = FakeDescription.Size(pixels.width, pixels.height, rates: chosen.rates)
    }
    format = best
    size = chosen
    return description.echoesRequests ? 0 : get(&wish)
  }

  private mutating func parameters(_ answer: inout v4l2_streamparm, setting: Bool) -> Int32 {
    if setting {
      let wish = answer.parm.capture.timeperframe
      let seconds = Double(wish.numerator) / Double(max(1, wish.denominator))
      let nearest = size.rates.min { abs(1 / Double($0) - seconds) < abs(1 / Double($1) - seconds) }
      interval = (1, nearest ?? 30)
    }
    answer.parm.capture = v4l2_captureparm()
    answer.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
    answer.parm.capture.timeperframe = v4l2_fract(
      numerator: interval.numerator, denominator: interval.denominator)
    return 0
  }
}

extension FakeDescription.Size {
  func holds(_ width: UInt32, _ height: UInt32) -> Bool {
    guard let maximum else { return width == self.width && height == self.height }
    return (self.width...maximum.width).contains(width)
      && (self.height...maximum.height).contains(height)
  }
}

/// Writes a text into an array of bytes, which ends with a zero.
func write<Bytes>(_ text: String, to bytes: inout Bytes) {
  withUnsafeMutableBytes(of: &bytes) { buffer in
    for index in buffer.indices { buffer[index] = 0 }
    for (index, byte) in text.utf8.prefix(buffer.count - 1).enumerated() { buffer[index] = byte }
  }
}
