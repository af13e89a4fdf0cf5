#include "BoundedChild.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ocv {
namespace {

/// Readers are inside OpenCV, the writer forks. Writers first: calls into OpenCV may be many.
pthread_rwlock_t forkLock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

/// Held by whoever forks.
class Forking {
public:
  Forking() { pthread_rwlock_wrlock(&forkLock); }
  ~Forking() { pthread_rwlock_unlock(&forkLock); }
  Forking(const Forking &) = delete;
  Forking &operator=(const Forking &) = delete;
};

/// Memory that parent and child share.
class SharedMemory {
public:
  explicit SharedMemory(size_t size) : size(size) {
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedMemory() { munmap(start, size); }
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;
  void *start;

private:
  size_t size;
};

/// Where this process reports to if it is a child.
ChildReport *ownReport = nullptr;

double monotonicSeconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The payload stands behind the report, aligned for any type.
constexpr size_t payloadOffset = (sizeof(ChildReport) + 63) / 64 * 64;

/// Leaves behind what the child inherited and should not keep.
void becomeChild(pid_t parent, ChildLimits limits) {
  // Handlers of this process (crash reporters, Ctrl-C) are not the child's business.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);

  // If this process dies, so does the child.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);

  // No core file, and a bound on CPU time: SIGPROF at the limit, SIGKILL by the kernel if ever that
  // failed.
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  const auto wholeSeconds = static_cast<rlim_t>(std::ceil(limits.cpuSeconds)) + 1;
  const rlimit cpu{wholeSeconds, wholeSeconds};
  setrlimit(RLIMIT_CPU, &cpu);
  const long microseconds = std::max(1000L, static_cast<long>(limits.cpuSeconds * 1e6));
  itimerval timer{};
  timer.it_value.tv_sec = microseconds / 1000000;
  timer.it_value.tv_usec = microseconds % 1000000;
  setitimer(ITIMER_PROF, &timer, nullptr);

  // File locks and pipes belong to this process: held in the child they would outlive a close here.
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0)
#endif
  {
    for (int descriptor = 3; descriptor < 4096; ++descriptor) close(descriptor);
  }

  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

/// Waits until the child has ended, at most until `deadline`; false at the deadline.
bool waitForEnd(pid_t child, double deadline) {
#ifdef SYS_pidfd_open
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (descriptor >= 0) {
    bool ended = false;
    while (!ended) {
      const double left = deadline - monotonicSeconds();
      if (left <= 0) break;
      pollfd entry{descriptor, POLLIN, 0};
      const int count = poll(&entry, 1, static_cast<int>(std::min(left * 1e3 + 1, 1e6)));
      ended = count > 0;
      if (count < 0 && errno != EINTR) break;
    }
    close(descriptor);
    return ended;
  }
#endif
  // Kernels before 5.3: look again and again, at first often. WNOWAIT leaves the child to be reaped.
  for (double pause = 2e-4; monotonicSeconds() < deadline; pause = std::min(pause * 1.5, 5e-3)) {
    siginfo_t information{};
    const int result = waitid(P_PID, static_cast<id_t>(child), &information, WEXITED | WNOHANG | WNOWAIT);
    if (result < 0 && errno != EINTR) return true;
    if (result == 0 && information.si_pid == child) return true;
    timespec duration{0, static_cast<long>(pause * 1e9)};
    nanosleep(&duration, nullptr);
  }
  return false;
}

/// The CPU time of all children that have ended, microseconds.
std::atomic<long long> microsecondsOfChildren{0};

/// Reaps the child and says how it ended. Someone else may have reaped it (SIGCHLD ignored, or a
/// handler that waits for all children): then only the report can tell.
ocvStatus reap(pid_t child, bool killed, const ChildReport &report, double *cpu, Message message) {
  int status = 0;
  rusage usage{};
  pid_t result;
  do result = wait4(child, &status, 0, &usage);
  while (result < 0 && errno == EINTR);
  if (result == child) {
    const auto microseconds = [](timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; };
    const long long used = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    microsecondsOfChildren += used;
    if (cpu != nullptr) *cpu = 1e-6 * static_cast<double>(used);
  }
  if (report.finished) {
    message.set(report.message);
    return report.status;
  }
  if (killed) return ocvStatusTimeLimit;
  if (result == child && WIFSIGNALED(status)) {
    switch (WTERMSIG(status)) {
    case SIGPROF:
    case SIGXCPU: return ocvStatusTimeLimit;
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
    case SIGQUIT: return ocvStatusInterrupted;
    default: break;
    }
    char text[80];
    std::snprintf(text, sizeof text, "OpenCV was ended by signal %d", WTERMSIG(status));
    message.set(text);
  } else {
    message.set("OpenCV ended without a result");
  }
  return ocvStatusCrashed;
}

} // namespace

void endChild(ocvStatus status) {
  ownReport->status = status;
  __atomic_store_n(&ownReport->finished, true, __ATOMIC_RELEASE);
  _exit(0);
}

InsideOpenCV::InsideOpenCV() { pthread_rwlock_rdlock(&forkLock); }
InsideOpenCV::~InsideOpenCV() { pthread_rwlock_unlock(&forkLock); }

void warmUp() {
  static std::once_flag once;
  std::call_once(once, [] {
    InsideOpenCV inside;
    cv::setNumThreads(1);
    // Loads what is loaded lazily (CPU features, allocators, tables) here instead of in each child.
    cv::Mat image(48, 64, CV_8UC1, cv::Scalar(128));
    cv::Mat smooth;
    cv::GaussianBlur(image, smooth, cv::Size(3, 3), 0.8);
    cv::resize(image, smooth, cv::Size(32, 24), 0, 0, cv::INTER_AREA);
    std::vector<cv::Point2f> corners;
    cv::findChessboardCorners(image, cv::Size(3, 3), corners, finder::adaptiveThreshold);
  });
}

ocvStatus runInChild(
    ChildBody body, void *context, void *payload, size_t payloadSize, ChildLimits limits,
    double *cpuSecondsUsed, Message message) {
  require(limits.cpuSeconds > 0 && limits.cpuSeconds <= 3600, "the CPU limit must be in 0...3600 s");
  require(limits.wallSeconds > 0 && limits.wallSeconds <= 36000, "the time limit must be in 0...36000 s");
  warmUp();
  SharedMemory shared(payloadOffset + payloadSize);
  auto *report = static_cast<ChildReport *>(shared.start);
  auto *childPayload = static_cast<char *>(shared.start) + payloadOffset;
  const pid_t parent = getpid();
  const double deadline = monotonicSeconds() + limits.wallSeconds;

  // No handler of this process may run in the child before it has become one.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child;
  int failure;
  {
    Forking forking;
    child = fork();
    failure = errno;
  }
  if (child == 0) {
    becomeChild(parent, limits);
    ownReport = report;
    endChild(guarded({report->message, sizeof report->message}, [&] {
      return body(context, childPayload);
    }));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) {
    message.set(std::strerror(failure));
    return ocvStatusSystem;
  }
  const bool ended = waitForEnd(child, deadline);
  if (!ended) kill(child, SIGKILL);
  const ocvStatus status = reap(child, !ended, *report, cpuSecondsUsed, message);
  if (status == ocvStatusOK || status == ocvStatusNotFound) std::memcpy(payload, childPayload, payloadSize);
  return status;
}

} // namespace ocv

double ocvChildCPUSeconds(void) { return 1e-6 * static_cast<double>(ocv::microsecondsOfChildren.load()); }

ocvStatus ocvMisbehave(
    ocvMisbehaviour kind, double cpuSeconds, double wallSeconds, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    const auto body = [](void *context, void *) {
      switch (*static_cast<ocvMisbehaviour *>(context)) {
      case ocvMisbehaviourSpins:
        for (volatile unsigned counter = 0;;) counter = counter + 1;
      case ocvMisbehaviourWaits:
        for (;;) pause();
      case ocvMisbehaviourSegfaults: raise(SIGSEGV); break;
      case ocvMisbehaviourAborts: abort();
      case ocvMisbehaviourThrows: throwKind(ocvThrownOpenCV); break;
      case ocvMisbehaviourInterrupted: raise(SIGINT); break;
      case ocvMisbehaviourNone: break;
      }
      return ocvStatusOK;
    };
    char unused = 0;
    return runInChild(
        body, &kind, &unused, sizeof unused, {cpuSeconds, wallSeconds}, nullptr, {message, messageCapacity});
  });
}
