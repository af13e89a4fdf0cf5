import CPixelKernels

// From an uncompressed frame, whose bytes have been counted, to pixels whose room has been checked.

func grayFromRaw(
  _ from: UnsafePointer<UInt8>, _ layout: FrameLayout, _ to: UnsafeMutablePointer<UInt8>,
  _ bytesPerRow: Int
) {
  let (width, height) = (UInt32(layout.width), UInt32(layout.height))
  let stride = layout.bytesPerRow
  switch layout.format {
  case .yuyv: cpk_yuyv_to_gray(from, stride, to, bytesPerRow, width, height)
  case .uyvy, .y16: cpk_odd_bytes_to_gray(from, stride, to, bytesPerRow, width, height)
  case .rgb24: cpk_rgb_to_gray(from, stride, to, bytesPerRow, width, height)
  case .bgr24: cpk_bgr_to_gray(from, stride, to, bytesPerRow, width, height)
  case .nv12, .yu12, .grey: cpk_copy(from, stride, to, bytesPerRow, width, height)
  default: preconditionFailure("a layout is of a supported format")
  }
}

func bgraFromRaw(
  _ from: UnsafePointer<UInt8>, _ layout: FrameLayout, _ to: UnsafeMutablePointer<UInt8>,
  _ bytesPerRow: Int
) {
  let (width, height) = (UInt32(layout.width), UInt32(layout.height))
  let stride = layout.bytesPerRow
  let range =
    switch (layout.range, layout.matrix) {
    case (.limited, .bt601): CPK_LIMITED
    case (.full, .bt601): CPK_FULL
    case (.limited, .bt709): CPK_LIMITED_709
    case (.full, .bt709): CPK_FULL_709
    }
  switch layout.format {
  case .yuyv: cpk_yuyv_to_bgra(from, stride, to, bytesPerRow, width, height, range)
  case .uyvy: cpk_uyvy_to_bgra(from, stride, to, bytesPerRow, width, height, range)
  case .nv12:
    let chroma = from + layout.planeBytes
    cpk_nv12_to_bgra(from, stride, chroma, stride, to, bytesPerRow, width, height, range)
  case .yu12:
    let chromaStride = layout.chromaBytesPerRow
    let cb = from + layout.planeBytes
    let cr = cb + layout.chromaHeight * chromaStride
    cpk_yu12_to_bgra(from, stride, cb, cr, chromaStride, to, bytesPerRow, width, height, range)
  case .grey: cpk_gray_to_bgra(from, stride, to, bytesPerRow, width, height)
  case .y16: cpk_gray16_to_bgra(from, stride, to, bytesPerRow, width, height)
  case .rgb24: cpk_rgb_to_bgra(from, stride, to, bytesPerRow, width, height)
  case .bgr24: cpk_bgr_to_bgra(from, stride, to, bytesPerRow, width, height)
  default: preconditionFailure("a layout is of a supported format")
  }
}
