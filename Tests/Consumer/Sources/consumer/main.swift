import CameraIntrinsics

// What an app does with the library, in the smallest form; grows with the library.
let intrinsics = Intrinsics(fx: 533, fy: 534, cx: 342.5, cy: 234)
let matrix = matrix_float3x3(intrinsics)
print(matrix.columns.0.x, matrix.columns.1.y, matrix.columns.2.x, matrix.columns.2.y)
