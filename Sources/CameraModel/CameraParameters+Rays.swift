import Glibc

extension CameraParameters {
  /// The directions that many pixels see, each as `unproject` gives it to within its tolerance, in a
  /// fraction of the time where neighbours in the list lie near one another.
  ///
  /// Each search starts at the ray before. Whether a ray is beyond a fold is asked once for the whole
  /// field instead of for each ray: on a polar grid out to the farthest corner the image must move the
  /// same way round as the ray does. Where it does not, or where a corner sees nothing, each pixel is
  /// looked at alone.
  package func unproject(_ pixels: [SIMD2<Double>]) -> [SIMD3<Double>?] {
    unproject(pixels, hasFold: hasFold(within: pixels))
  }

  /// The same where it is known whether a field with these pixels in it has a fold.
  package func unproject(_ pixels: [SIMD2<Double>], hasFold: Bool) -> [SIMD3<Double>?] {
    withParameterPointer { parameters in
      var visitor = UnprojectingMany(
        camera: self, pixels: pixels, hasFold: hasFold, parameters: parameters)
      return lensModel.withKernel(&visitor)
    }
  }

  /// Whether the image somewhere moves the other way round than the ray does, out to the farthest corner
  /// of the rectangle around some pixels, or such a corner sees nothing.
  package func hasFold(within pixels: [SIMD2<Double>]) -> Bool {
    withParameterPointer { parameters in
      var visitor = FoldSearch(camera: self, pixels: pixels, parameters: parameters)
      return lensModel.withKernel(&visitor)
    }
  }
}

private struct UnprojectingMany: LensKernelVisitor {
  var camera: CameraParameters
  var pixels: [SIMD2<Double>]
  var hasFold: Bool
  var parameters: UnsafePointer<Double>

  mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> [SIMD3<Double>?] {
    let search = RaySearch<Kernel>(parameters: parameters)
    var last: SIMD3<Double>?
    return pixels.map { pixel in
      if !hasFold, let near = last, let ray = search.ray(at: pixel, from: near) {
        last = ray
        return ray
      }
      let ray = camera.unproject(pixel)
      last = ray
      return ray
    }
  }

}

private struct FoldSearch: LensKernelVisitor {
  var camera: CameraParameters
  var pixels: [SIMD2<Double>]
  var parameters: UnsafePointer<Double>

  mutating func visit<Kernel: LensKernel>(_ kernel: Kernel.Type) -> Bool {
    let search = RaySearch<Kernel>(parameters: parameters)
    guard let first = pixels.first else { return false }
    var (low, high) = (first, first)
    for pixel in pixels {
      low = SIMD2(min(low.x, pixel.x), min(low.y, pixel.y))
      high = SIMD2(max(high.x, pixel.x), max(high.y, pixel.y))
    }
    var reach = 0.0
    for corner in [low, SIMD2(high.x, low.y), SIMD2(low.x, high.y), high] {
      guard let ray = camera.unproject(corner) else { return true }
      reach = max(reach, acos(max(-1, min(1, ray.z))))
    }
    let (rings, spokes) = (24, 32)
    for spoke in 0..<spokes {
      let around = 2 * Double.pi * Double(spoke) / Double(spokes)
      for ring in 1...rings {
        let angle = reach * Double(ring) / Double(rings)
        let ray = SIMD3(cos(around) * sin(angle), sin(around) * sin(angle), cos(angle))
        guard let image = search.image(ray), TangentJacobian(ray: ray, image: image) != nil else {
          return true
        }
      }
    }
    return false
  }
}
