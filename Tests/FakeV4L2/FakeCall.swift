internal import CV4L2

/// A system call that a fake driver can make fail, and counts.
package enum FakeCall: String, Sendable, Hashable, CaseIterable {
  case open, close, map, unmap, poll
  case queryCapabilities, enumerateFormats, enumerateSizes, enumerateIntervals
  case getFormat, setFormat, getParameters, setParameters
  case requestBuffers, queryBuffer, queue, dequeue, streamOn, streamOff
  case queryControl, queryMenu, getControl, setControl
  case subscribe, unsubscribe, dequeueEvent

  /// The call for an ioctl's number.
  init?(request: UInt) {
    switch request {
    case CV4L2_QUERYCAP: self = .queryCapabilities
    case CV4L2_ENUM_FMT: self = .enumerateFormats
    case CV4L2_ENUM_FRAMESIZES: self = .enumerateSizes
    case CV4L2_ENUM_FRAMEINTERVALS: self = .enumerateIntervals
    case CV4L2_G_FMT: self = .getFormat
    case CV4L2_S_FMT: self = .setFormat
    case CV4L2_G_PARM: self = .getParameters
    case CV4L2_S_PARM: self = .setParameters
    case CV4L2_REQBUFS: self = .requestBuffers
    case CV4L2_QUERYBUF: self = .queryBuffer
    case CV4L2_QBUF: self = .queue
    case CV4L2_DQBUF: self = .dequeue
    case CV4L2_STREAMON: self = .streamOn
    case CV4L2_STREAMOFF: self = .streamOff
    case CV4L2_QUERYCTRL: self = .queryControl
    case CV4L2_QUERYMENU: self = .queryMenu
    case CV4L2_G_CTRL: self = .getControl
    case CV4L2_S_CTRL: self = .setControl
    case CV4L2_SUBSCRIBE_EVENT: self = .subscribe
    case CV4L2_UNSUBSCRIBE_EVENT: self = .unsubscribe
    case CV4L2_DQEVENT: self = .dequeueEvent
    default: return nil
    }
  }
}
