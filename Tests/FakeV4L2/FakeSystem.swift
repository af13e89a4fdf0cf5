internal import CV4L2
internal import Glibc
internal import Locking
package import V4L2

/// A system with fake cameras: gives the calls that reach them.
///
/// Descriptors are real ones, so that counting those of the process finds leaks; buffers are mapped
/// memory, so that reading one that was unmapped ends the test as it would end a program.
package final class FakeSystem: Sendable {
  private struct State: Sendable {
    var cameras: [String: FakeCamera] = [:]
    var open: [Int32: FakeCamera] = [:]
    /// The cameras that mapped addresses belong to.
    var mapped: [Int: FakeCamera] = [:]
  }

  private let state: Lock<State>

  /// Creates a system with cameras by their device files.
  package init(_ cameras: [String: FakeCamera] = [:]) {
    state = Lock(State(cameras: cameras))
  }

  /// Gives a camera a device file; nil takes the file away.
  package func attach(_ camera: FakeCamera?, at path: String) {
    state.withLock { $0.cameras[path] = camera }
  }

  /// How many descriptors are open.
  package var openDescriptorCount: Int { state.withLock { $0.open.count } }

  /// How many buffers are mapped.
  package var mappingCount: Int { state.withLock { $0.mapped.count } }

  /// The calls that reach the cameras.
  package var calls: V4L2Calls {
    V4L2Calls(
      open: { self.open($0) }, close: { self.close($0) },
      ioctl: { self.ioctl($0, $1, $2) }, map: { self.map($0, $1, $2, &$3) },
      unmap: { self.unmap($0, $1) }, poll: { self.poll($0, $1) }, now: { FakeCamera.now() })
  }

  private func open(_ path: String) -> Int32 {
    guard let camera = state.withLock({ $0.cameras[path] }) else { return -ENOENT }
    let refusal = camera.state.withLock { state in
      let fault = state.enter(.open)
      return fault != 0 ? fault : state.isPlugged ? 0 : ENODEV
    }
    guard refusal == 0 else { return -refusal }
    let descriptor = cv4l2_make_event()
    guard descriptor >= 0 else { return descriptor }
    camera.state.withLock { state in
      state.descriptors.insert(descriptor)
      state.openCount += 1
    }
    state.withLock { $0.open[descriptor] = camera }
    return descriptor
  }

  private func close(_ descriptor: Int32) -> Int32 {
    guard let camera = state.withLock({ $0.open.removeValue(forKey: descriptor) }) else {
      return -EBADF
    }
    camera.state.withLock { state in
      _ = state.enter(.close)
      state.openCount -= 1
      state.descriptors.remove(descriptor)
      if state.owner == descriptor {
        _ = state.stop()
        state.owner = nil
        state.buffers = []
      }
    }
    return cv4l2_close(descriptor)
  }

  private func camera(_ descriptor: Int32) -> FakeCamera? {
    state.withLock { $0.open[descriptor] }
  }

  private func ioctl(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer
  ) -> Int32 {
    guard let camera = camera(descriptor) else { return -EBADF }
    guard let call = FakeCall(request: request) else { return -ENOTTY }
    // The address as a number: the closure may not keep the pointer.
    let address = Int(bitPattern: argument)
    let number = camera.state.withLock { state in
      let fault = state.enter(call)
      guard fault == 0, let argument = UnsafeMutableRawPointer(bitPattern: address) else {
        return fault
      }
      return state.answer(call, from: descriptor, argument)
    }
    if call == .queue || call == .streamOn { camera.kick() }
    return -number
  }

  private func map(
    _ descriptor: Int32, _ length: Int, _ offset: Int64,
    _ address: inout UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let camera = camera(descriptor) else { return -EBADF }
    let fault = camera.state.withLock { $0.enter(.map) }
    guard fault == 0 else { return -fault }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED
    else { return -errno }
    let number = Int(bitPattern: memory)
    camera.state.withLock { state in
      let index = Int(offset / 4096)
      guard state.buffers.indices.contains(index) else { return }
      state.buffers[index].isMapped = true
      // Frames go to the first mapping; who maps shared buffers once more reads there, too.
      if state.buffers[index].address == 0 { state.buffers[index].address = number }
    }
    state.withLock { $0.mapped[number] = camera }
    address = memory
    return 0
  }

  private func unmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    let number = Int(bitPattern: address)
    guard let camera = state.withLock({ $0.mapped.removeValue(forKey: number) }) else {
      return -EINVAL
    }
    camera.state.withLock { state in
      _ = state.enter(.unmap)
      for index in state.buffers.indices where state.buffers[index].address == number {
        state.buffers[index].address = 0
      }
    }
    return munmap(address, length) == 0 ? 0 : -errno
  }

  private func poll(_ wanted: UnsafeMutableBufferPointer<pollfd>, _ milliseconds: Int32) -> Int32 {
    let deadline = FakeCamera.now() + UInt64(max(0, milliseconds)) * 1_000_000
    while true {
      var real = Array(wanted)
      var ready: Int32 = 0
      let now = FakeCamera.now()
      var rest = now < deadline ? deadline - now : 0
      for index in wanted.indices {
        wanted[index].revents = 0
        guard let camera = camera(wanted[index].fd) else { continue }
        let (fault, events, delay) = camera.state.withLock { state in
          (state.enter(.poll), state.readiness(at: now), state.delay(at: now))
        }
        if fault != 0 { return -fault }
        // POLLERR and POLLHUP are told unasked.
        wanted[index].revents = events & (wanted[index].events | Int16(POLLERR | POLLHUP))
        if wanted[index].revents != 0 { ready += 1 }
        if let delay { rest = min(rest, delay) }
        real[index].events = Int16(POLLIN)
      }
      let wait = ready > 0 ? 0 : Int32(clamping: (rest + 999_999) / 1_000_000)
      if Glibc.poll(&real, nfds_t(real.count), wait) < 0 { return -errno }
      for index in wanted.indices where real[index].revents != 0 {
        if camera(wanted[index].fd) != nil {
          _ = cv4l2_clear_event(wanted[index].fd)
        } else {
          wanted[index].revents = real[index].revents
          ready += 1
        }
      }
      if ready > 0 || FakeCamera.now() >= deadline { return ready }
    }
  }
}
