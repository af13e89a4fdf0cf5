#define _GNU_SOURCE

#include "CSubprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

/// Whatever is handed to the child is first copied to numbers above those that it will have there, so
/// that no dup2 overwrites what a later one needs.
enum { FIRST_COPY = 10, MOST_COPIES = 3 };

/// The size asked for the output pipe, bytes: at the default 64 KB a 1080p frame takes 32 switches
/// between the two processes. The system may refuse; then it stays as it is.
enum { PIPE_SIZE = 1 << 20 };

static int add_streams(posix_spawn_file_actions_t *actions, const int sources[], int copies[]) {
  int code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  int number = 1;
  for (int i = 0; code == 0 && i < MOST_COPIES && sources[i] >= 0; i++, number++) {
    copies[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, FIRST_COPY);
    if (copies[i] < 0) {
      return errno;
    }
    code = posix_spawn_file_actions_adddup2(actions, copies[i], number);
  }
  if (code != 0) {
    return code;
  }
  // Other parts of the program, and its libraries, may hold descriptors that are not close-on-exec.
  return posix_spawn_file_actions_addclosefrom_np(actions, number);
}

/// A process group of its own: Ctrl-C on the terminal is for the parent, which then ends the child. No
/// signal is blocked or ignored that is so in the parent.
static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  const int signals[] = {SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGCHLD};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
    sigaddset(&defaults, signals[i]);
  }
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &defaults);
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int spawn(const char *program, char *const arguments[], char *const environment[],
                 const int sources[], pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) {
    return code;
  }
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  int copies[MOST_COPIES] = {-1, -1, -1};
  code = add_streams(&actions, sources, copies);
  if (code == 0) {
    code = set_attributes(&attributes);
  }
  if (code == 0) {
    code = posix_spawnp(process, program, &actions, &attributes, arguments, environment);
  }
  for (int i = 0; i < MOST_COPIES; i++) {
    if (copies[i] >= 0) {
      close(copies[i]);
    }
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int csp_start(const char *program, char *const arguments[], char *const environment[],
              int descriptor, csp_child *child) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0) {
    return errno;
  }
  if (pipe2(errors, O_CLOEXEC) != 0) {
    int code = errno;
    close(output[0]);
    close(output[1]);
    return code;
  }
  (void)fcntl(output[0], F_SETPIPE_SZ, PIPE_SIZE);
  const int sources[MOST_COPIES] = {output[1], errors[1], descriptor};
  int code = spawn(program, arguments, environment, sources, &child->process);
  close(output[1]);
  close(errors[1]);
  if (code != 0) {
    close(output[0]);
    close(errors[0]);
    return code;
  }
  child->output = output[0];
  child->errors = errors[0];
  return 0;
}
