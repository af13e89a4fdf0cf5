#include "BoundedChild.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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
  char *bytes() const { return static_cast<char *>(start); }
  void *start;
  const size_t size;
};

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double monotonicSeconds() { return seconds(CLOCK_MONOTONIC); }

constexpr size_t aligned(size_t size) { return (size + 63) / 64 * 64; }

/// What lies at the start of the memory that parent and child share; behind it the request, then the
/// payload.
struct Exchange {
  // What the child is asked for.
  ChildBody body;
  size_t requestSize;
  double cpuSeconds;
  // What it hands back; `finished` is set last: the child got to its end.
  bool finished;
  ocvStatus status;
  double cpuSecondsUsed;
  char message[512];
};

constexpr size_t requestOffset = aligned(sizeof(Exchange));

/// The descriptor by which a child hears from its parent.
constexpr int childSocket = 3;

/// Leaves behind what the child inherited and should not keep.
void becomeChild(pid_t parent, int socket) {
  // Handlers of this process (crash reporters, Ctrl-C) are not the child's business.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);

  // If the thread that forked ends, or the process with it, so does the child.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);

  // No core file.
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);

  // File locks and pipes belong to this process: held in the child they would outlive a close here.
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  if (socket != childSocket) dup2(socket, childSocket);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, static_cast<unsigned>(childSocket) + 1U, ~0U, 0U) != 0)
#endif
  {
    for (int descriptor = childSocket + 1; descriptor < 4096; ++descriptor) close(descriptor);
  }

  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

/// Bounds the CPU time of a child from now on: SIGPROF at the limit, SIGXCPU by the kernel if ever that
/// failed. 0 for no bound.
void limitCPUTime(double limit) {
  itimerval timer{};
  if (limit > 0) {
    const long microseconds = std::max(1000L, static_cast<long>(limit * 1e6));
    timer.it_value.tv_sec = microseconds / 1000000;
    timer.it_value.tv_usec = microseconds % 1000000;
    rlimit cpu{};
    if (getrlimit(RLIMIT_CPU, &cpu) == 0) {
      const double end = seconds(CLOCK_PROCESS_CPUTIME_ID) + limit;
      cpu.rlim_cur = std::min(cpu.rlim_max, static_cast<rlim_t>(std::ceil(end)) + 1);
      setrlimit(RLIMIT_CPU, &cpu);
    }
  }
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// One byte each way: a request is there, an answer is there.
bool tell(int socket) {
  const char byte = 0;
  ssize_t count;
  do count = send(socket, &byte, 1, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count == 1;
}

bool hear(int socket) {
  char byte;
  ssize_t count;
  do count = recv(socket, &byte, 1, 0);
  while (count < 0 && errno == EINTR);
  return count == 1;
}

/// The life of a child: piece of work after piece of work, until the parent closes its end.
[[noreturn]] void serve(char *memory) {
  auto *exchange = reinterpret_cast<Exchange *>(memory);
  while (hear(childSocket)) {
    const double before = seconds(CLOCK_PROCESS_CPUTIME_ID);
    // What OpenCV draws at random is the same in every piece of work.
    cv::theRNG() = cv::RNG();
    srand(1);
    limitCPUTime(exchange->cpuSeconds);
    const Message message{exchange->message, sizeof exchange->message};
    exchange->status = guarded(message, [&] {
      try {
        return exchange->body(
            memory + requestOffset, memory + requestOffset + aligned(exchange->requestSize));
      } catch (const EndOfWork &end) {
        return end.status;
      }
    });
    limitCPUTime(0);
    exchange->cpuSecondsUsed = seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    __atomic_store_n(&exchange->finished, true, __ATOMIC_RELEASE);
    if (!tell(childSocket)) break;
  }
  _exit(0);
}

/// The CPU time of all children, microseconds.
std::atomic<long long> microsecondsOfChildren{0};

void count(double cpuSeconds) {
  microsecondsOfChildren += static_cast<long long>(std::max(0.0, cpuSeconds) * 1e6);
}

/// A child process with the memory that it shares with this one; used by one thread at a time.
class Child {
public:
  ~Child() { end(); }

  ocvStatus run(const ChildRequest &request, void *payload, double *cpu, Message message) {
    const double deadline = monotonicSeconds() + request.limits.wallSeconds;
    const size_t size = requestOffset + aligned(request.requestSize) + aligned(request.payloadSize);
    if (pid > 0 && (memory->size < size || isGone())) end();
    for (bool isFresh = pid < 0;; isFresh = true) {
      if (pid < 0 && !start(size, message)) return ocvStatusSystem;
      auto *exchange = reinterpret_cast<Exchange *>(memory->start);
      exchange->body = request.body;
      exchange->requestSize = request.requestSize;
      exchange->cpuSeconds = request.limits.cpuSeconds;
      exchange->finished = false;
      exchange->message[0] = 0;
      request.write(memory->bytes() + requestOffset);
      if (tell(socket)) break;
      // Ended while it was idle; a new one only once.
      end();
      if (isFresh) {
        message.set("OpenCV's process ended at once");
        return ocvStatusCrashed;
      }
    }
    const auto *exchange = reinterpret_cast<const Exchange *>(memory->start);
    if (isAnswered(deadline)) {
      count(exchange->cpuSecondsUsed);
      counted += exchange->cpuSecondsUsed;
      if (cpu != nullptr) *cpu = exchange->cpuSecondsUsed;
      message.set(exchange->message);
      const ocvStatus status = exchange->status;
      if (status == ocvStatusOK || status == ocvStatusNotFound)
        std::memcpy(payload, memory->bytes() + requestOffset + aligned(request.requestSize), request.payloadSize);
      return status;
    }
    const bool isLate = monotonicSeconds() >= deadline;
    const ocvStatus status = reap(cpu, message);
    return isLate ? ocvStatusTimeLimit : status;
  }

  /// Ends the child, if there is one.
  void end() {
    if (pid > 0) reap(nullptr, {nullptr, 0});
  }

private:
  pid_t pid = -1;
  int socket = -1;
  std::unique_ptr<SharedMemory> memory;
  /// Its CPU time that `count` knows of, seconds.
  double counted = 0;

  bool start(size_t size, Message message) {
    warmUp();
    // Room for a somewhat larger picture, so that not every size needs another child.
    memory = std::make_unique<SharedMemory>(size + size / 4);
    counted = 0;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      message.set(std::strerror(errno));
      return false;
    }
    const pid_t parent = getpid();
    char *bytes = memory->bytes();
    // No handler of this process may run in the child before it has become one.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure;
    {
      Forking forking;
      pid = fork();
      failure = errno;
    }
    if (pid == 0) {
      becomeChild(parent, ends[1]);
      serve(bytes);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[1]);
    if (pid < 0) {
      close(ends[0]);
      message.set(std::strerror(failure));
      return false;
    }
    socket = ends[0];
    return true;
  }

  /// Whether it ended while nothing was asked of it: by Ctrl-C, or for want of memory.
  bool isGone() const {
    pollfd entry{socket, POLLIN, 0};
    return poll(&entry, 1, 0) != 0;
  }

  /// Waits for the answer, at most until `deadline`; false then, and where the child has ended without.
  bool isAnswered(double deadline) const {
    for (;;) {
      const double left = deadline - monotonicSeconds();
      if (left <= 0) return false;
      pollfd entry{socket, POLLIN, 0};
      const int count = poll(&entry, 1, static_cast<int>(std::min(left * 1e3 + 1, 1e6)));
      if (count > 0) return hear(socket);
      if (count < 0 && errno != EINTR) return false;
    }
  }

  /// Kills the child if it still lives, reaps it and says how it ended. Someone else may have reaped it (SIGCHLD ignored,
  /// or a handler that waits for all children): then nothing can tell.
  ocvStatus reap(double *cpu, Message message) {
    kill(pid, SIGKILL);
    int status = 0;
    rusage usage{};
    pid_t result;
    do result = wait4(pid, &status, 0, &usage);
    while (result < 0 && errno == EINTR);
    if (result == pid) {
      const auto value = [](timeval t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
      };
      const double used = value(usage.ru_utime) + value(usage.ru_stime) - counted;
      count(used);
      if (cpu != nullptr) *cpu = std::max(0.0, used);
    }
    const bool isKnown = result == pid;
    close(socket);
    pid = -1;
    socket = -1;
    memory.reset();
    if (isKnown && WIFSIGNALED(status)) {
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
};

/// A child, locked by whoever uses or ends it.
struct SharedChild {
  std::mutex mutex;
  Child child;
};

/// The children of all threads.
struct Children {
  std::mutex mutex;
  std::vector<std::weak_ptr<SharedChild>> all;
};

Children &children() {
  // Never destroyed: threads may end after the main one has begun to.
  static Children *const children = new Children;
  return *children;
}

/// The child of the calling thread, ended with it: the kernel would kill it then anyway
/// (PR_SET_PDEATHSIG), in the midst of another thread's work.
std::shared_ptr<SharedChild> ownChild() {
  thread_local const std::shared_ptr<SharedChild> own = [] {
    auto made = std::make_shared<SharedChild>();
    Children &list = children();
    const std::lock_guard<std::mutex> lock(list.mutex);
    list.all.erase(
        std::remove_if(list.all.begin(), list.all.end(), [](const auto &old) { return old.expired(); }),
        list.all.end());
    list.all.push_back(made);
    return made;
  }();
  return own;
}

} // namespace

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
    const ChildRequest &request, void *payload, double *cpuSecondsUsed, Message message) {
  require(
      request.limits.cpuSeconds > 0 && request.limits.cpuSeconds <= 3600,
      "the CPU limit must be in 0...3600 s");
  require(
      request.limits.wallSeconds > 0 && request.limits.wallSeconds <= 36000,
      "the time limit must be in 0...36000 s");
  const auto own = ownChild();
  const std::lock_guard<std::mutex> lock(own->mutex);
  return own->child.run(request, payload, cpuSecondsUsed, message);
}

} // namespace ocv

double ocvChildCPUSeconds(void) { return 1e-6 * static_cast<double>(ocv::microsecondsOfChildren.load()); }

void ocvEndChildren(void) {
  using namespace ocv;
  std::vector<std::shared_ptr<SharedChild>> found;
  {
    Children &list = children();
    const std::lock_guard<std::mutex> lock(list.mutex);
    for (const auto &entry : list.all)
      if (auto child = entry.lock()) found.push_back(child);
  }
  for (const auto &child : found) {
    const std::unique_lock<std::mutex> lock(child->mutex, std::try_to_lock);
    if (lock.owns_lock()) child->child.end();
  }
}

ocvStatus ocvMisbehave(
    ocvMisbehaviour kind, double cpuSeconds, double wallSeconds, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    const auto body = [](const void *request, void *) {
      switch (*static_cast<const ocvMisbehaviour *>(request)) {
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
    const ChildRequest request{
        body, sizeof kind, [&](void *memory) { std::memcpy(memory, &kind, sizeof kind); }, 0,
        {cpuSeconds, wallSeconds}};
    return runInChild(request, &unused, nullptr, {message, messageCapacity});
  });
}
