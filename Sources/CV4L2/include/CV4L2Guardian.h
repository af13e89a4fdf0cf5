#ifndef CV4L2_GUARDIAN_H
#define CV4L2_GUARDIAN_H

#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/types.h>

/// Sets one control; returns 0 or an errno value. Must be async-signal-safe.
typedef int (*cv4l2_restorer)(int descriptor, uint32_t id, int32_t value);

/// A child process that sets controls back when its parent ends, however that ends.
typedef struct {
  pid_t process;
  /// Our end of the pipe whose closing makes the child restore.
  int hold;
  /// Where the child reports, one int32_t a setting.
  int results;
} cv4l2_guardian;

/// Starts the child.
///
/// The child has a session of its own, so that Ctrl-C on the terminal does not reach it, ignores what
/// ends other processes (SIGKILL apart), keeps `descriptor` and two pipes and closes all else, and calls
/// nothing but async-signal-safe functions: the parent may have other threads, which are gone in it.
///
/// @param descriptor what `restore` is called with; stays open in the parent
/// @param settings   set in this order
/// @param restore    NULL for VIDIOC_S_CTRL
/// @return 0, or an errno value negated
int cv4l2_guardian_start(int descriptor, const struct v4l2_control *settings, unsigned count,
                         cv4l2_restorer restore, cv4l2_guardian *guardian);

/// Lets the child restore and waits for its end.
///
/// @param results  an errno value for each setting, 0 for success
/// @return 0, or an errno value negated; ETIMEDOUT where it was not done in time (it goes on)
int cv4l2_guardian_restore(cv4l2_guardian *guardian, int32_t *results, unsigned count,
                           int milliseconds);

/// Lets the child end without restoring, and waits for its end.
int cv4l2_guardian_dismiss(cv4l2_guardian *guardian, int milliseconds);

/// A second descriptor of the device that `descriptor` is open on, with a file description of its own
/// where that can be had: what keeps it open then keeps no stream of the first alive.
int cv4l2_reopen(int descriptor, const char *path);

#endif
