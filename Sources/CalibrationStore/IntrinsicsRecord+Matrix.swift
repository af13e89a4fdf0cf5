public import CameraModel
public import FoundationEssentials

extension IntrinsicsRecord {
  /// The intrinsic matrix, column-major, with the principal point in the pixel-centre convention: the
  /// stored numbers as floats.
  public var matrix: matrix_float3x3 { matrix(origin: .center) }

  /// The intrinsic matrix, column-major, with the principal point measured from `origin`
  /// (`.corner` is Apple's convention).
  public func matrix(origin: PixelOrigin) -> matrix_float3x3 {
    camera.intrinsics.matrix(origin: origin)
  }

  /// The 48 bytes of `matrix`, as Apple attaches them to a sample buffer.
  ///
  /// ```swift
  /// let matrix = record.matrixData.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
  /// ```
  /// works because the data is never a slice (`startIndex` is 0) and its storage is aligned to 16
  /// bytes. Data that has been copied, cut or received from elsewhere promises neither: use
  /// `$0.loadUnaligned(as: matrix_float3x3.self)` there.
  public var matrixData: Data { matrixData(origin: .center) }

  /// The 48 bytes of `matrix(origin:)`; see `matrixData`.
  public func matrixData(origin: PixelOrigin) -> Data {
    Data(matrix: matrix(origin: origin))
  }

  /// The 48 bytes of `matrix(origin:)` without Foundation's type: column-major floats in the
  /// machine's byte order, those at 3, 7 and 11 zero.
  public func matrixBytes(origin: PixelOrigin = .center) -> [UInt8] {
    matrix(origin: origin).paddedFloats.flatMap { float in
      withUnsafeBytes(of: float) { Array($0) }
    }
  }
}

extension matrix_float3x3 {
  /// The matrix as it lies in memory: three columns of four floats, the fourth zero.
  ///
  /// Written out, because the fourth float of a `SIMD3` in memory is whatever it happens to be.
  fileprivate var paddedFloats: [Float] {
    [columns.0, columns.1, columns.2].flatMap { [$0.x, $0.y, $0.z, 0] }
  }
}

extension Data {
  fileprivate init(matrix: matrix_float3x3) {
    let size = MemoryLayout<matrix_float3x3>.size
    let alignment = MemoryLayout<matrix_float3x3>.alignment
    // Data's own storage is aligned as malloc's, which is 16 bytes on 64-bit machines only.
    let storage = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    for (index, float) in matrix.paddedFloats.enumerated() {
      storage.storeBytes(of: float, toByteOffset: 4 * index, as: Float.self)
    }
    self.init(
      bytesNoCopy: storage, count: size, deallocator: .custom { pointer, _ in pointer.deallocate() }
    )
  }
}
