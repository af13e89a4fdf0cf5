import Dispatch
import Glibc
import OpenCVBridge
import Testing

/// The child processes that hold OpenCV's searches.
@Suite(.serialized) struct BoundedChildTests {
  private func elapsed(_ body: () -> Void) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9
  }

  @Test(arguments: [
    (ocvMisbehaviourSegfaults, ocvStatusCrashed), (ocvMisbehaviourAborts, ocvStatusCrashed),
    (ocvMisbehaviourThrows, ocvStatusOpenCVException),
    (ocvMisbehaviourInterrupted, ocvStatusInterrupted), (ocvMisbehaviourNone, ocvStatusOK),
  ]) func aChildThatFailsHarmsNobody(kind: ocvMisbehaviour, status: ocvStatus) {
    #expect(ocvMisbehave(kind, 5, 60, nil, 0) == status)
  }

  @Test func aChildThatComputesWithoutEndIsEnded() {
    // 0.1 s of CPU; the clock may run much longer on a loaded machine, but never to the wall limit.
    let time = elapsed {
      #expect(ocvMisbehave(ocvMisbehaviourSpins, 0.1, 60, nil, 0) == ocvStatusTimeLimit)
    }
    #expect(time >= 0.05 && time < 30)
  }

  @Test func aChildThatWaitsWithoutEndIsEnded() {
    let time = elapsed {
      #expect(ocvMisbehave(ocvMisbehaviourWaits, 5, 0.1, nil, 0) == ocvStatusTimeLimit)
    }
    #expect(time >= 0.1 && time < 30)
  }

  @Test func noZombieAndNoDescriptorIsLeft() {
    func descriptors() -> Int {
      (3..<256).count { fcntl(Int32($0), F_GETFD) != -1 }
    }
    _ = ocvMisbehave(ocvMisbehaviourNone, 1, 10, nil, 0)
    let before = descriptors()
    for _ in 0..<15 {
      _ = ocvMisbehave(ocvMisbehaviourNone, 1, 10, nil, 0)
      _ = ocvMisbehave(ocvMisbehaviourAborts, 1, 10, nil, 0)
      _ = ocvMisbehave(ocvMisbehaviourSpins, 0.01, 10, nil, 0)
    }
    // 45 children; other suites run beside this one and open a few descriptors for a moment.
    #expect(descriptors() < before + 30)
    // No child of this process is left: neither running nor waiting to be reaped. Other suites may
    // have searches of their own under way, so give those a moment.
    var left = true
    for _ in 0..<1000 where left {
      var information = siginfo_t()
      left =
        waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
        && information._sifields._sigchld.si_pid != 0
      if left { usleep(1000) }
    }
    #expect(!left)
  }

  @Test func otherThreadsChildrenDoNotDelayAnAnswer() async {
    // A long-lived sibling holds copies of everything open at its fork.
    await withTaskGroup(of: ocvStatus.self) { group in
      group.addTask { ocvMisbehave(ocvMisbehaviourWaits, 5, 25, nil, 0) }
      for _ in 0..<20 { group.addTask { ocvMisbehave(ocvMisbehaviourNone, 5, 60, nil, 0) } }
      var results: [ocvStatus] = []
      for await result in group { results.append(result) }
      #expect(results.count { $0 == ocvStatusOK } == 20)
      // The first to answer did not wait for the long one (the last may, on a loaded machine).
      #expect(results.first == ocvStatusOK)
      #expect(results.count { $0 == ocvStatusTimeLimit } == 1)
    }
  }

  @Test func signalHandlersAndMaskStayAsTheyAre() {
    var (maskBefore, maskAfter) = (sigset_t(), sigset_t())
    var (actionBefore, actionAfter) = (sigaction(), sigaction())
    pthread_sigmask(SIG_SETMASK, nil, &maskBefore)
    sigaction(SIGCHLD, nil, &actionBefore)
    _ = ocvMisbehave(ocvMisbehaviourAborts, 1, 10, nil, 0)
    pthread_sigmask(SIG_SETMASK, nil, &maskAfter)
    sigaction(SIGCHLD, nil, &actionAfter)
    #expect(actionBefore.sa_flags == actionAfter.sa_flags)
    for signal in 1..<Int32(64) {
      #expect(sigismember(&maskBefore, signal) == sigismember(&maskAfter, signal))
    }
  }

  @Test func childrenThatSomebodyElseReapsStillAnswer() {
    // With SIGCHLD ignored the kernel reaps children by itself, and waiting for them fails.
    let before = signal(SIGCHLD, SIG_IGN)
    defer { signal(SIGCHLD, before) }
    #expect(ocvMisbehave(ocvMisbehaviourNone, 1, 10, nil, 0) == ocvStatusOK)
    #expect(ocvMisbehave(ocvMisbehaviourAborts, 1, 10, nil, 0) == ocvStatusCrashed)
    #expect(ocvMisbehave(ocvMisbehaviourWaits, 1, 0.05, nil, 0) == ocvStatusTimeLimit)
  }
}
