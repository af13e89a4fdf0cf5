import Glibc

/// The programs' libraries that conversions are measured beside (frame-peers.cpp).
struct Peers {
  typealias Convert =
    @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer, Int32, Int32) -> Void
  typealias Decode =
    @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer, Int32, Int32) -> Int32
  typealias Encode =
    @convention(c) (
      UnsafeRawPointer, Int32, Int32, Int32, UnsafeMutableRawPointer, Int
    ) -> Int

  let yuyvToGray: Convert
  let yuyvToBGRA: Convert
  let nv12ToBGRA: Convert
  let jpegToGray: Decode
  let jpegToBGRA: Decode
  let makeJPEG: Encode

  /// Loads the library; nil where it or one of its functions is missing.
  init?(path: String) {
    guard let library = dlopen(path, RTLD_NOW) else { return nil }
    func function<F>(_ name: String, _: F.Type) -> F? {
      dlsym(library, name).map { unsafeBitCast($0, to: F.self) }
    }
    guard
      let prepare = function("peer_prepare", (@convention(c) () -> Void).self),
      let yuyvToGray = function("peer_yuyv_to_gray", Convert.self),
      let yuyvToBGRA = function("peer_yuyv_to_bgra", Convert.self),
      let nv12ToBGRA = function("peer_nv12_to_bgra", Convert.self),
      let jpegToGray = function("peer_jpeg_to_gray", Decode.self),
      let jpegToBGRA = function("peer_jpeg_to_bgra", Decode.self),
      let makeJPEG = function("peer_make_jpeg", Encode.self)
    else { return nil }
    prepare()
    self.yuyvToGray = yuyvToGray
    self.yuyvToBGRA = yuyvToBGRA
    self.nv12ToBGRA = nv12ToBGRA
    self.jpegToGray = jpegToGray
    self.jpegToBGRA = jpegToBGRA
    self.makeJPEG = makeJPEG
  }
}
