import CameraModel
import Testing

@Suite("matrix_float3x3")
struct MatrixTests {
  @Test("has Apple's layout: 48 bytes, column-major, fx fy cx cy 1 at floats 0 5 8 9 10")
  func layout() {
    let matrix = Intrinsics(fx: 1, fy: 2, cx: 3, cy: 4).matrix()
    #expect(MemoryLayout<matrix_float3x3>.size == 48)
    #expect(MemoryLayout<matrix_float3x3>.stride == 48)
    #expect(MemoryLayout<matrix_float3x3>.alignment == 16)
    let floats = withUnsafeBytes(of: matrix) { Array($0.bindMemory(to: Float.self)) }
    #expect([floats[0], floats[5], floats[8], floats[9], floats[10]] == [1, 2, 3, 4, 1])
    #expect([floats[1], floats[2], floats[4], floats[6]] == [0, 0, 0, 0])
    #expect(matrix[2, 1] == 4)
  }
}
