extension Intrinsics {
  /// The intrinsics after the image was resized by a factor along each axis.
  ///
  /// fx' = sx · fx, cx' = sx · (cx + 0.5) − 0.5: a resize keeps the image's outer border in place,
  /// and that border is half a pixel away from the first pixel's centre. (Scaling cx alone is wrong
  /// by (sx − 1) / 2 px.) In Apple's corner convention the same rule reads cx' = sx · cx.
  ///
  /// - Parameters:
  ///   - sx: New columns per old column, above 0.
  ///   - sy: New rows per old row, above 0; need not equal `sx`.
  public func scaled(byX sx: Double, y sy: Double) -> Intrinsics {
    Intrinsics(
      fx: sx * fx, fy: sy * fy,
      cx: sx * (cx + 0.5) - 0.5, cy: sy * (cy + 0.5) - 0.5)
  }

  /// The intrinsics after columns left of `x` and rows above `y` were cut off, in pixels.
  ///
  /// The same in both pixel conventions. Negative numbers add a border instead.
  public func cropped(x: Double, y: Double) -> Intrinsics {
    Intrinsics(fx: fx, fy: fy, cx: cx - x, cy: cy - y)
  }
}
