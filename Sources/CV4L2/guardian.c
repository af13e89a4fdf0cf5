#define _GNU_SOURCE

#include "CV4L2Guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The child's descriptors; 2 is /dev/null, so that a stray message goes nowhere.
enum { HOLD = 0, RESULTS = 1, DEVICE = 3, FIRST_COPY = 10 };

/// The byte that makes the child end without restoring.
static const char dismissal = 'd';

static int set_control(int descriptor, uint32_t id, int32_t value) {
  struct v4l2_control control = {.id = id, .value = value};
  while (ioctl(descriptor, VIDIOC_S_CTRL, &control) < 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Nothing but SIGKILL ends the child before its time; signals that mean a fault end it as usual.
static void set_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    sigaction(number, &action, NULL);
  }
  const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                         SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN};
  action.sa_handler = SIG_IGN;
  for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++) {
    sigaction(ignored[i], &action, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
    return;
  }
#endif
  struct rlimit limit = {.rlim_cur = 1024};
  getrlimit(RLIMIT_NOFILE, &limit);
  for (rlim_t number = (rlim_t)first; number < limit.rlim_cur && number < 1 << 20; number++) {
    close((int)number);
  }
}

/// Moves the descriptors to their places. Copied to high numbers first: none may overwrite another.
static int arrange(int hold, int results, int device) {
  int copies[3];
  const int sources[3] = {hold, results, device}, places[3] = {HOLD, RESULTS, DEVICE};
  for (int i = 0; i < 3; i++) {
    copies[i] = fcntl(sources[i], F_DUPFD, FIRST_COPY);
    if (copies[i] < 0) {
      return -1;
    }
  }
  for (int i = 0; i < 3; i++) {
    if (dup2(copies[i], places[i]) < 0) {
      return -1;
    }
  }
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(null, 2) < 0) {
    close(2);
  }
  close_from(DEVICE + 1);
  return 0;
}

_Noreturn static void guard(int hold, int results, int device, const struct v4l2_control *settings,
                            unsigned count, cv4l2_restorer restore) {
  set_signals();
  setsid();
  prctl(PR_SET_NAME, "camera-guardian");
  if (arrange(hold, results, device) != 0 || chdir("/") != 0) {
    _exit(1);
  }
  char byte;
  ssize_t received;
  do {
    received = read(HOLD, &byte, 1);
  } while (received < 0 && errno == EINTR);
  if (received > 0) {
    _exit(0);
  }
  for (unsigned i = 0; i < count; i++) {
    int32_t number = restore(DEVICE, settings[i].id, settings[i].value);
    // Where the parent is gone nobody reads this.
    (void)!write(RESULTS, &number, sizeof number);
  }
  _exit(0);
}

int cv4l2_guardian_start(int descriptor, const struct v4l2_control *settings, unsigned count,
                         cv4l2_restorer restore, cv4l2_guardian *guardian) {
  int hold[2], results[2];
  if (pipe2(hold, O_CLOEXEC) != 0) {
    return -errno;
  }
  if (pipe2(results, O_CLOEXEC) != 0) {
    int number = errno;
    close(hold[0]);
    close(hold[1]);
    return -number;
  }
  // Until the child has its own dispositions the parent's handlers must not run in it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t process = fork();
  int number = errno;
  if (process == 0) {
    guard(hold[0], results[1], descriptor, settings, count, restore ? restore : set_control);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(hold[0]);
  close(results[1]);
  if (process < 0) {
    close(hold[1]);
    close(results[0]);
    return -number;
  }
  guardian->process = process;
  guardian->hold = hold[1];
  guardian->results = results[0];
  return 0;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Reads what the child reports, up to its end.
static int await(cv4l2_guardian *guardian, char *bytes, size_t size, int milliseconds) {
  const int64_t deadline = milliseconds_now() + milliseconds;
  size_t count = 0;
  int status = 0;
  while (1) {
    int64_t rest = deadline - milliseconds_now();
    struct pollfd waited = {.fd = guardian->results, .events = POLLIN};
    int ready = poll(&waited, 1, rest > 0 ? (int)rest : 0);
    if (ready < 0 && errno == EINTR) {
      continue;
    }
    if (ready <= 0) {
      status = ready < 0 ? -errno : -ETIMEDOUT;
      break;
    }
    char spare;
    ssize_t received =
        read(guardian->results, count < size ? bytes + count : &spare, count < size ? size - count : 1);
    if (received < 0 && errno == EINTR) {
      continue;
    }
    if (received <= 0) {
      break;
    }
    count += count < size ? (size_t)received : 0;
  }
  close(guardian->results);
  if (status == 0) {
    // The pipe's end closed with the child: this does not wait long. ECHILD: the program lets the
    // system reap its children.
    while (waitpid(guardian->process, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  return status;
}

int cv4l2_guardian_restore(cv4l2_guardian *guardian, int32_t *results, unsigned count,
                           int milliseconds) {
  for (unsigned i = 0; i < count; i++) {
    results[i] = ECANCELED;
  }
  close(guardian->hold);
  return await(guardian, (char *)results, count * sizeof *results, milliseconds);
}

int cv4l2_guardian_dismiss(cv4l2_guardian *guardian, int milliseconds) {
  ssize_t written;
  // The child may be dead: no signal for that.
  sigset_t broken, before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  do {
    written = write(guardian->hold, &dismissal, 1);
  } while (written < 0 && errno == EINTR);
  if (written < 0 && errno == EPIPE && !sigismember(&before, SIGPIPE)) {
    const struct timespec now = {0};
    sigtimedwait(&broken, NULL, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(guardian->hold);
  return await(guardian, NULL, 0, milliseconds);
}

int cv4l2_reopen(int descriptor, const char *path) {
  struct stat first, second;
  int again = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (again >= 0) {
    // The path may meanwhile lead to another camera.
    if (fstat(descriptor, &first) == 0 && fstat(again, &second) == 0 &&
        first.st_rdev == second.st_rdev && first.st_ino == second.st_ino) {
      return again;
    }
    close(again);
  }
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : copy;
}
