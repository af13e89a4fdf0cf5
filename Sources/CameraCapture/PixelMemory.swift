internal import Locking

/// Memory for one picture, which goes back to its pool when the last reference is gone.
final class PixelMemory: @unchecked Sendable {
  // Sendable: the address never changes; who fills the memory has the only reference while doing so
  // (`PixelBuffer` hands it out when it is full), and from then on it is only read.
  let bytes: UnsafeMutableRawBufferPointer
  private let pool: PixelMemoryPool

  fileprivate init(bytes: UnsafeMutableRawBufferPointer, pool: PixelMemoryPool) {
    self.bytes = bytes
    self.pool = pool
  }

  deinit { pool.takeBack(bytes) }
}

/// Memory of one size that is used again and again, so that no frame costs an allocation of its size.
final class PixelMemoryPool: Sendable {
  /// What a pool keeps: an address, no more.
  private struct Block: @unchecked Sendable {
    // Sendable: nobody else knows the address while the block is in the pool.
    var bytes: UnsafeMutableRawBufferPointer
  }

  private let byteCount: Int
  private let mostIdle: Int
  private let idle = Lock<[Block]>([])

  /// - Parameter mostIdle: How many unused blocks are kept.
  init(byteCount: Int, mostIdle: Int) {
    self.byteCount = byteCount
    self.mostIdle = mostIdle
  }

  deinit {
    for block in idle.withLock({ $0 }) { block.bytes.deallocate() }
  }

  /// Memory that nobody uses; what is in it is left over from before.
  func memory() -> PixelMemory {
    let block = idle.withLock { $0.popLast() }
    // 64: a line of the cache, and enough for every vector instruction.
    return PixelMemory(
      bytes: block?.bytes ?? .allocate(byteCount: byteCount, alignment: 64), pool: self)
  }

  fileprivate func takeBack(_ bytes: UnsafeMutableRawBufferPointer) {
    let block = Block(bytes: bytes)
    let isKept = idle.withLock { idle in
      guard idle.count < mostIdle else { return false }
      idle.append(block)
      return true
    }
    if !isKept { bytes.deallocate() }
  }
}
