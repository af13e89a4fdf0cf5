// A child process with a bound on CPU time and on the clock, for work that can't be interrupted.
#pragma once

#include "Guard.hpp"

namespace ocv {

/// The bounds of a child process, seconds.
struct ChildLimits {
  double cpuSeconds;
  double wallSeconds;
};

/// What a child process hands back; it lies in memory that parent and child share.
struct ChildReport {
  /// Set last: the child got to its end.
  bool finished;
  ocvStatus status;
  char message[512];
};

/// The work of a child process: fills `payload`, returns OK or NotFound, may throw.
using ChildBody = ocvStatus (*)(void *context, void *payload);

/// Runs `body` in a forked child that sees this process's memory as it is now, and waits for it.
///
/// `payload` gets what the child wrote, if it got to its end. At the limits the child is killed; it is
/// reaped in every case. Signal handlers and masks of this process stay as they are.
ocvStatus runInChild(
    ChildBody body, void *context, void *payload, size_t payloadSize, ChildLimits limits,
    double *cpuSecondsUsed, Message message);

/// Ends a child process from anywhere inside its work, with this status; to be called in it only.
[[noreturn]] void endChild(ocvStatus status);

/// Keeps forks away while this process is inside OpenCV.
///
/// A child inherits locks in the state of the moment of the fork; a lock that another thread holds
/// then would never be released in the child.
class InsideOpenCV {
public:
  InsideOpenCV();
  ~InsideOpenCV();
  InsideOpenCV(const InsideOpenCV &) = delete;
  InsideOpenCV &operator=(const InsideOpenCV &) = delete;
};

/// Makes OpenCV ready once: one thread (the caller's threads do the work), tables built.
void warmUp();

} // namespace ocv
