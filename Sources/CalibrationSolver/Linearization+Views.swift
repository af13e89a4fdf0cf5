extension Linearization {
  /// Σ g_v of the active views.
  var gradient: [Double] {
    var sum = [Double](repeating: 0, count: freeCount)
    for place in activeViews.indices {
      for slot in 0..<freeCount { sum[slot] += viewGradients[place * freeCount + slot] }
    }
    return sum
  }

  /// Adds what one more view says: `seen` is the picture of that view alone, without priors.
  mutating func add(_ seen: Linearization, as view: Int) {
    activeViews.append(view)
    viewHessians += seen.viewHessians
    viewGradients += seen.viewGradients
    for index in hessian.indices { hessian[index] += seen.hessian[index] }
    motion = motion.adding(seen.motion, weight: 1)
    alignment = motion.alignment
  }

  /// Takes out what a view says; its place among the active views until then, nil where it had none.
  ///
  /// - Parameter seen: The picture of that view alone, without priors.
  mutating func remove(_ seen: Linearization, of view: Int) -> Int? {
    guard let place = activeViews.firstIndex(of: view) else { return nil }
    let (p, size) = (freeCount, freeCount * freeCount)
    for index in 0..<size { hessian[index] -= viewHessians[place * size + index] }
    motion = motion.adding(seen.motion, weight: -1)
    alignment = motion.alignment
    activeViews.remove(at: place)
    viewHessians.removeSubrange((place * size)..<((place + 1) * size))
    viewGradients.removeSubrange((place * p)..<((place + 1) * p))
    return place
  }

  /// Moves the gradient of an active view with the shared parameters; by how much its cost changes, px².
  mutating func move(_ place: Int, by shift: [Double]) -> Double {
    let p = freeCount
    var change = 0.0
    viewHessians.withUnsafeBufferPointer { h in
      for i in 0..<p {
        let row = (place * p + i) * p
        var sum = 0.0
        for j in 0..<p { sum += h[row + j] * shift[j] }
        change += shift[i] * (2 * viewGradients[place * p + i] + sum)
        viewGradients[place * p + i] += sum
      }
    }
    return change
  }
}
