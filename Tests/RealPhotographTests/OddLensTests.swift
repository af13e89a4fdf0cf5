import CalibrationStore
import CameraModel
import CommandRunning
import Testing

/// Lenses and models with which OpenCV's calibration stops, or ends in a wrong minimum.
@Suite("Odd lenses", .withRealPhotographs)
struct OddLensTests {
  /// `fisheye::calibrate` stops with an assertion on the first, and ends at 563 px on the second.
  @Test(arguments: PhotographSet.chosen([.fisheyeBoofCV, .fisheye2304]))
  func illConditionedViewsEndNothingAndAreNamed(set: PhotographSet) throws {
    let run = try Calibrations.shared.run(set)
    #expect([0, 2].contains(run.status), "\(run.messages)")
    let record = try #require(run.record)
    // OpenCV helped by hand: 0.20 px and 1.6 px (with three views only).
    let rms = try #require(record.reprojectionError?.rms)
    #expect(rms < (set.name == "fisheye-boofcv" ? 0.25 : 3))
    #expect(record.views.count { $0.used } >= (set.name == "fisheye-boofcv" ? 14 : 3))
    for view in record.views where !view.used { #expect(view.reason?.isEmpty == false) }
    // Corners that lie 2 px an axis off are no usable result, and the verdict says that it is this.
    if set.name == "fisheye-2304" {
      #expect(record.verdict.level == .poor)
      #expect(
        record.verdict.reasons.contains { $0.contains("px an axis off") },
        "\(record.verdict.reasons)")
    }
  }

  /// A wrong minimum at fx 5731 is near on this set.
  @Test func fisheyeDoesNotEndInTheWrongMinimum() throws {
    let record = try #require(try Calibrations.shared.run(.fisheyeVGA).record)
    #expect((record.reprojectionError?.rms ?? 9) < 0.4)
    #expect(abs(record.camera.intrinsics.fx - 333) < 7)
  }

  /// With CALIB_RATIONAL_MODEL OpenCV ends at 1.52 px instead of 0.56, and at 9.2 instead of 0.75.
  @Test(
    arguments: runsLongTests
      ? [PhotographSet.webcam1080, .rosPillarbox] : [.rosPillarbox])
  func rationalModelIsNoWorseThanPinhole(set: PhotographSet) throws {
    var other = set
    other.name += " rational"
    other.lens = .rational
    let run = try Calibrations.shared.run(other)
    let rational = try #require(run.record?.reprojectionError)
    let pinhole = try #require(try Calibrations.shared.run(set).record?.reprojectionError)
    #expect(rational.rms <= 1.01 * pinhole.rms)
    let heldOut = try #require(rational.heldOutSigma)
    #expect(heldOut <= 1.01 * (try #require(pinhole.heldOutSigma)))
  }

  /// With a focal length that is far too small the distortion folds over, which must not hide the cause.
  @Test func aFixedValueIsTheFirstReasonWhereTheDistortionFolds() throws {
    let run = try CalibrateRun(PhotographSet.openCVLeft.arguments + ["--fix", "fx=500"])
    let reason = try #require(run.record?.verdict.reasons.first)
    #expect(
      reason.hasPrefix("Check --fix, or leave it out: fx is held at 500.00, but the views say 53"),
      "\(reason)")
  }

  /// The lens bends more than a pinhole's coefficients can say.
  @Test func anotherModelIsHintedAtForAWideLens() throws {
    let run = try Calibrations.shared.run(.gopro)
    let reason = try #require(run.record?.verdict.reasons.first)
    #expect(reason.hasPrefix("Use --lens fisheye: held-out sigma "), "\(reason)")
    // The report has it: once is enough.
    #expect(!run.messages.contains("--lens fisheye"), "\(run.messages)")
  }

  /// With a pinhole the corners lie pixels off, and nothing near that fit is any better.
  @Test(arguments: [PhotographSet.fisheyeBoofCV, .fisheye2304])
  func aFisheyeThatWasTakenForAPinholeIsTold(set: PhotographSet) throws {
    var other = set
    other.name += " pinhole"
    other.lens = .pinhole
    let reason = try Calibrations.shared.run(other).record?.verdict.reasons.first ?? "no record"
    #expect(reason.hasPrefix("Use --lens fisheye: "), "\(reason)")
  }

  /// Its pixels are not square (a resized video): the two focal lengths are not made one.
  @Test func focalLengthsThatDifferStayDifferent() throws {
    let camera = try #require(try Calibrations.shared.run(.iphone6).record?.camera)
    // OpenCV: 1005.6 and 947.5.
    #expect(abs(camera.intrinsics.fx / camera.intrinsics.fy - 1.0613) < 0.004)
  }
}
