import Calibration
import Foundation
import Testing

@Suite("Where the time goes")
struct StageClockTests {
  /// Computes on this thread until so much CPU time is gone.
  private func work(cpuSeconds: Double) {
    // Not clock(), in which the threads of other tests count, too.
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    var sum = 0.0
    while now() - start < cpuSeconds {
      for value in 0..<1000 { sum += Double(value).squareRoot() }
    }
    #expect(sum > 0)
  }

  @Test("A stage within another takes its time from that one")
  func nested() {
    let stages = StageClock()
    stages.measure(.solve) {
      work(cpuSeconds: 0.01)
      stages.measure(.evaluate) { work(cpuSeconds: 0.08) }
      work(cpuSeconds: 0.01)
    }
    #expect(stages[.evaluate].cpuSeconds >= 0.075)
    #expect(stages[.solve].cpuSeconds >= 0.015)
    // Other tests run at the same time, so that CPU time of theirs may be in it; the clock is alone.
    #expect(stages[.solve].wallSeconds + stages[.evaluate].wallSeconds <= stages.total.wallSeconds)
    #expect(stages[.read].cpuSeconds == 0)
  }

  @Test("A stage that fails is measured, and the one around it goes on")
  func failing() {
    struct Failure: Error {}
    let stages = StageClock()
    stages.measure(.solve) {
      #expect(throws: Failure.self) {
        try stages.measure(.evaluate) { () throws in
          work(cpuSeconds: 0.01)
          throw Failure()
        }
      }
      work(cpuSeconds: 0.01)
    }
    #expect(stages[.evaluate].wallSeconds >= 0.009)
    #expect(stages[.solve].wallSeconds >= 0.009)
  }
}
