import BoardRendering
import CalibrationStore
import CameraModel
import Testing

@testable import CalibrationComparison

@Suite("Comparison of calibrations")
struct ComparisonTests {
  @Test("A calibration is the same as itself, to the arithmetic's last digits")
  func itself() throws {
    let record = try SolvedRecord.make(poseSeed: 1, noiseSeed: 1)
    let comparison = try Comparison(record, record)
    #expect(comparison.outcome == .noDifference)
    #expect((comparison.field.worst?.pixels ?? 1) < 1e-9)
    #expect((comparison.turn * comparison.turn).sum() < 1e-20)
    #expect(comparison.field.knownCount == DifferenceField.count)
  }

  @Test("Spline lenses are compared where both have data")
  func splines() throws {
    let truth = CameraParameters.example(.spline)
    let a = try SolvedRecord.make(truth, freeCount: 8, poseSeed: 1, noiseSeed: 1)
    let b = try SolvedRecord.make(truth, freeCount: 8, poseSeed: 2, noiseSeed: 2)
    let same = try Comparison(a, b)
    #expect(!same.differs)
    var short = b
    short.camera = CameraParameters(
      resolution: truth.resolution, lensModel: .spline, intrinsics: b.camera.intrinsics,
      distortion: b.camera.distortion.dropLast() + [1])
    let partly = try Comparison(a, short)
    #expect(partly.field.knownCount < DifferenceField.count && partly.field.knownCount > 100)
    #expect(!partly.differs)
    let moved = try SolvedRecord.make(truth.focused(1.02), freeCount: 8, poseSeed: 3, noiseSeed: 3)
    let other = try Comparison(a, moved)
    #expect(other.differs)
  }

  @Test("Very different lenses are compared in either order, though one sees less of the scene")
  func partlyInvisible() throws {
    // A pinhole lens whose distortion folds over towards the corners, and the fisheye lens of the same
    // photographs: cells at the edge of what one of them sees came and went without an end.
    var pinhole = try SolvedRecord.make(poseSeed: 1, noiseSeed: 1)
    pinhole.covariance = nil
    pinhole.projectionUncertainty = nil
    let size = Resolution(width: 1280, height: 960)
    pinhole.camera = CameraParameters(
      resolution: size, lensModel: .pinhole,
      intrinsics: Intrinsics(fx: 559.076, fy: 560.446, cx: 651.106, cy: 497.897),
      distortion: [-0.229531, 0.04951112, -9.99e-05, 9.017e-05, 0])
    var fisheye = pinhole
    fisheye.camera = CameraParameters(
      resolution: size, lensModel: .fisheye,
      intrinsics: Intrinsics(fx: 561.684, fy: 563.299, cx: 651.56, cy: 497.065),
      distortion: [0.06490157, -0.00301091, 0, 0])
    let (there, back) = (try Comparison(fisheye, pinhole), try Comparison(pinhole, fisheye))
    #expect(there.field.knownCount > 500 && back.field.knownCount > 500)
    // The middle agrees, the edges are far apart.
    #expect((there.field.median ?? 99) < 5 && (back.field.median ?? 99) < 5)
    #expect(there.differs && back.differs)
  }

  @Test("Calibrations of one camera differ as much as predicted, and count as the same")
  func sameCamera() throws {
    var (squares, differing) = (0.0, 0)
    let pairs = 20
    for seed in 0..<UInt64(pairs) {
      let a = try SolvedRecord.make(poseSeed: 100 + seed, noiseSeed: 300 + seed)
      let b = try SolvedRecord.make(poseSeed: 500 + seed, noiseSeed: 700 + seed)
      let comparison = try Comparison(a, b)
      let ratio = try #require(comparison.ratio)
      squares += ratio * ratio / Double(pairs)
      if comparison.differs { differing += 1 }
    }
    // The larger of two estimates of the covariance is on average too large. 20 pairs of some four
    // independent numbers each: the standard error of the root mean square is 9 %.
    #expect((0.65...1.25).contains(squares.squareRoot()), "\(squares.squareRoot())")
    #expect(differing == 0)
  }

  @Test("Focus that moved by 2 % is told, whatever the poses", arguments: 1...10)
  func movedFocus(seed: UInt64) throws {
    let a = try SolvedRecord.make(views: 25, poseSeed: seed, noiseSeed: seed)
    let camera = CameraParameters.example(.pinhole).focused(1.02)
    let b = try SolvedRecord.make(
      camera, views: 25, poseSeed: 50 + seed, noiseSeed: 50 + seed)
    let comparison = try Comparison(a, b)
    let isTold = comparison.differs
    #expect(isTold, "\(comparison.ratio ?? 0) \(comparison.probability ?? 1)")
    // 2 % of the distance from the centre: 6 px at the sides, of which no turn takes anything up.
    #expect((comparison.field.worst?.pixels ?? 0) > 4)
    // Which of both is A does not matter.
    let reverse = try Comparison(b, a)
    #expect(reverse.differs)
    #expect(abs((reverse.ratio ?? 0) / (comparison.ratio ?? 1) - 1) < 0.05)
  }

  @Test("That nothing is seen counts only where something could have been seen")
  func telling() throws {
    let a = try SolvedRecord.make(views: 30, poseSeed: 11, noiseSeed: 11)
    let b = try SolvedRecord.make(views: 30, poseSeed: 12, noiseSeed: 12)
    let good = try Comparison(a, b)
    #expect(good.outcome == .noDifference, "\(good.probability ?? 0)")
    // Thirty times the deviation: even half a per cent of focal length would pass.
    let poor = try Comparison(a, b.lessCertain(30))
    #expect(poor.outcome == .notToldApart, "\(poor.probability ?? 0)")
    var moved = b.lessCertain(30)
    moved.camera = moved.camera.focused(1.005)
    #expect(try Comparison(a, moved).outcome == .notToldApart)
    // The same deviations with more and more of a difference: each answer in its turn.
    var outcomes: [Comparison.Outcome] = []
    for percent in stride(from: 0, through: 1, by: 0.02) {
      var other = b
      other.camera = other.camera.focused(1 + percent / 100)
      let outcome = try Comparison(a, other).outcome
      if outcomes.last != outcome { outcomes.append(outcome) }
    }
    #expect(outcomes == [.noDifference, .doubtful, .differ])
  }

  @Test("A turn of the camera is no difference")
  func turned() throws {
    // A principal point 5 px off is a turn, up to what perspective adds in the corners.
    let a = try SolvedRecord.make(poseSeed: 3, noiseSeed: 3)
    var b = a
    b.camera.intrinsics.cx += 5
    let comparison = try Comparison(a, b)
    #expect(abs(abs(comparison.turn.y) - 5 / a.camera.intrinsics.fx) < 0.1 * 5 / 486)
    #expect((comparison.field.median ?? 5) < 1.5)
  }

  @Test("Lens models may differ: what counts is where things appear")
  func otherModel() throws {
    let pinhole = try SolvedRecord.make(poseSeed: 4, noiseSeed: 4)
    let rational = try SolvedRecord.make(as: .rational, poseSeed: 4, noiseSeed: 5)
    #expect(rational.camera.lensModel == .rational)
    let comparison = try Comparison(pinhole, rational)
    let isTold = comparison.differs
    #expect(!isTold, "\(comparison.ratio ?? 0) \(comparison.probability ?? 1)")
    let moved = try SolvedRecord.make(
      CameraParameters.example(.pinhole).focused(0.98), as: .rational, views: 25, poseSeed: 6,
      noiseSeed: 6)
    #expect(try Comparison(pinhole, moved).differs)
  }

  @Test("The predicted deviations are those of the differences, cell by cell")
  func prediction() throws {
    var squares = [Double](repeating: 0, count: DifferenceField.count)
    var predicted = squares
    let pairs = 16
    let truth = CameraParameters.example(.pinhole)
    for seed in 0..<UInt64(pairs) {
      // The same poses each time: only noise differs, which the covariance of noise is exact for.
      var a = try SolvedRecord.make(truth, poseSeed: 9, noiseSeed: 2 * seed)
      var b = try SolvedRecord.make(truth, poseSeed: 9, noiseSeed: 2 * seed + 1)
      a.covariance?.viewToView = nil
      b.covariance?.viewToView = nil
      let comparison = try Comparison(a, b)
      for cell in 0..<DifferenceField.count {
        let d = try #require(comparison.field.differences[cell])
        let sigma = try #require(comparison.predicted[cell])
        squares[cell] += (d * d).sum() / Double(pairs)
        predicted[cell] += sigma * sigma / Double(pairs)
      }
    }
    // The larger eigenvalue is between half and all of the trace.
    let ratios = zip(squares, predicted).map { ($0 / $1).squareRoot() }
    let middle = ratios.sorted()[ratios.count / 2]
    #expect((0.9...1.5).contains(middle), "\(middle)")
    #expect(ratios.allSatisfy { (0.6...1.9).contains($0) }, "\(ratios.min() ?? 0)")
  }

  @Test("Sizes must be the same; scaled to the same size it is the same camera")
  func sizes() throws {
    let a = try SolvedRecord.make(poseSeed: 5, noiseSeed: 5)
    let half = a.scaled(to: Resolution(width: 320, height: 240))
    let error = #expect(throws: ComparisonError.self) { try Comparison(a, half) }
    #expect(error?.code == .otherSize)
    #expect(error?.description.contains("--scale") == true)
    let back = half.scaled(to: a.camera.resolution)
    #expect(try !Comparison(a, back).differs)
  }

  @Test("Without uncertainties the limit is 0.1 % of the diagonal, and this is said")
  func blind() throws {
    var a = try SolvedRecord.make(poseSeed: 6, noiseSeed: 6)
    a.covariance = nil
    a.projectionUncertainty = nil
    var b = a
    b.camera = b.camera.focused(1.0005)
    let near = try Comparison(a, b)
    #expect(!near.differs && near.predicted.isEmpty && near.ratio == nil)
    #expect(near.notices.contains { $0.contains("neither says") })
    b.camera = a.camera.focused(1.01)
    #expect(try Comparison(a, b).differs)
    // One that is known is compared with one that is taken as exact.
    let known = try SolvedRecord.make(poseSeed: 7, noiseSeed: 7)
    var exact = known
    exact.covariance = nil
    exact.camera = CameraParameters.example(.pinhole)
    let half = try Comparison(known, exact)
    #expect(!half.differs && half.notices.contains { $0.hasPrefix("B does not say") })
  }

  @Test("Cameras that have nothing in common are an error, not an endless search")
  func nothingInCommon() throws {
    let a = try SolvedRecord.make(poseSeed: 8, noiseSeed: 8)
    var b = a
    // Distortion that folds over near the centre: most of the image sees nothing.
    b.camera = CameraParameters(
      resolution: a.camera.resolution, lensModel: .pinhole, intrinsics: a.camera.intrinsics,
      distortion: [-5000, 0, 0, 0, 0])
    for (a, b) in [(a, b), (b, a)] {
      do throws(ComparisonError) {
        let comparison = try Comparison(a, b)
        Issue.record("\(comparison.outcome)")
      } catch {
        #expect(error.code == .nothingInCommon)
      }
    }
  }

  @Test("Which of two is called A changes nothing of what can be said")
  func order() throws {
    let records = try Self.manyRecords()
    var outcomes: Set<String> = []
    // Beside one of a usual lens, and beside one that folds over near the centre.
    for a in records where ["first", "k1 -50.0"].contains(a.name) {
      for b in records {
        let (there, back) = (Self.said(a.record, b.record), Self.said(b.record, a.record))
        #expect(there == back, "\(a.name) and \(b.name)")
        outcomes.insert(there.outcome)
      }
    }
    // Otherwise little would be proved.
    #expect(outcomes.count >= 4, "\(outcomes)")
    for wrong in records where wrong.isWrong {
      let outcome = Self.said(records[0].record, wrong.record).outcome
      #expect(["differ", "nothingInCommon"].contains(outcome), "\(wrong.name): \(outcome)")
    }
  }

  @Test("What only one of two sees is told at the pixels of the one that is seen")
  func oneWay() throws {
    let a = try SolvedRecord.make(poseSeed: 1, noiseSeed: 1)
    var b = a
    b.camera = a.camera.focused(2)
    let (there, back) = (try Comparison(a, b), try Comparison(b, a))
    let reversed = [there, back].filter { $0.notices.contains { $0.contains("B's pixels are") } }
    try #require(reversed.count == 1)
    #expect(there.turn == -back.turn && there.predicted == back.predicted)
    #expect(there.field.lengths == back.field.lengths)
    #expect(there.field.differences.map { $0.map { -$0 } } == back.field.differences)
  }

  private struct Said: Hashable {
    var outcome: String
    var ratio: Double?
    var probability: Double?
  }

  private static func said(_ a: IntrinsicsRecord, _ b: IntrinsicsRecord) -> Said {
    do throws(ComparisonError) {
      let comparison = try Comparison(a, b)
      return Said(
        outcome: comparison.outcome.rawValue, ratio: comparison.ratio,
        probability: comparison.probability)
    } catch {
      return Said(outcome: "\(error.code)")
    }
  }

  /// Calibrations near one another and far from it, some with no word of how well they are known.
  private static func manyRecords() throws -> [(
    name: String, record: IntrinsicsRecord, isWrong: Bool
  )] {
    let first = try SolvedRecord.make(views: 30, poseSeed: 1, noiseSeed: 1)
    var all: [(name: String, record: IntrinsicsRecord, isWrong: Bool)] = [
      ("first", first, false),
      ("again", try SolvedRecord.make(views: 30, poseSeed: 2, noiseSeed: 2), false),
      ("vague", try SolvedRecord.make(poseSeed: 3, noiseSeed: 3).lessCertain(40), false),
      ("rational", try SolvedRecord.make(as: .rational, poseSeed: 4, noiseSeed: 4), false),
    ]
    for factor in [1.001, 1.002, 1.03, 2, 0.1, 10] {
      var moved = first
      moved.camera = first.camera.focused(factor)
      all.append(("focus \(factor)", moved, !(0.99...1.01).contains(factor)))
    }
    for k1 in [-50.0, -5, 5, -5000] {
      var bent = first
      bent.camera = CameraParameters(
        resolution: first.camera.resolution, lensModel: .pinhole,
        intrinsics: first.camera.intrinsics, distortion: [k1, 0, 0, 0, 0])
      all.append(("k1 \(k1)", bent, true))
    }
    return all
      + all.filter { ["focus 1.001", "focus 2.0", "k1 -50.0"].contains($0.name) }.map {
        var blind = $0
        blind.name += ", no word"
        blind.record.covariance = nil
        blind.record.projectionUncertainty = nil
        return blind
      }
  }
}
