/// What is estimated: the slots of the normal equations, the camera's first, then the bend's.
///
/// Parameters are counted as `LensModel.parameterNames` has them, a and b of the board's bend after them.
package struct FreeParameters: Sendable, Hashable {
  /// The parameters that each slot moves, all by the same amount.
  package var slots: [[Int]]
  /// The number of slots that are the camera's.
  package var cameraCount: Int

  /// The parameter that stands for a slot.
  func first(_ slot: Int) -> Int { slots[slot][0] }
}

extension SolverProblem {
  /// What is estimated, and what is one.
  package var freeParameters: FreeParameters {
    let count = free.count
    var slots: [[Int]] = []
    slots.reserveCapacity(count + 2)
    for index in 0..<count where free[index] && !(hasSquarePixels && index == 1) {
      slots.append(hasSquarePixels && index == 0 ? [0, 1] : [index])
    }
    let cameraCount = slots.count
    if let shape, shape.isFree {
      slots += shape.bend.isRound ? [[count, count + 1]] : [[count], [count + 1]]
    }
    return FreeParameters(slots: slots, cameraCount: cameraCount)
  }

  /// The prior of each slot.
  func priors(of parameters: FreeParameters) -> [ParameterPrior?] {
    parameters.slots.enumerated().map { slot, indices in
      slot < parameters.cameraCount
        ? indices.lazy.compactMap { priors[$0] }.first : shape?.prior
    }
  }

  /// The number of the camera's unknowns that the views alone determine.
  package var unaidedCount: Int {
    let parameters = freeParameters
    return priors(of: parameters).prefix(parameters.cameraCount).count { $0 == nil }
  }
}
