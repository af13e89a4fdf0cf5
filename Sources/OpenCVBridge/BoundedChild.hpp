// Child processes with a bound on CPU time and on the clock, for work that can't be interrupted.
#pragma once

#include "Guard.hpp"

#include <functional>

namespace ocv {

/// The bounds of a piece of work, seconds.
struct ChildLimits {
  double cpuSeconds;
  double wallSeconds;
};

/// The work of a child process: reads `request`, fills `payload`, returns OK or NotFound, may throw.
///
/// The child is a copy of this process as it was at some earlier call: what the work needs has to be in
/// the request. Answers may not depend on what the child did before.
using ChildBody = ocvStatus (*)(const void *request, void *payload);

/// Thrown by the work of a child process to end with this status.
struct EndOfWork {
  ocvStatus status;
};

/// What a child process is asked for.
struct ChildRequest {
  ChildBody body;
  size_t requestSize;
  /// Writes the request, aligned for any type, into memory of that size.
  std::function<void(void *)> write;
  size_t payloadSize;
  ChildLimits limits;
};

/// Runs a piece of work in a child process and waits for it.
///
/// `payload` gets what the child wrote, if it got to its end. At the limits the child is killed and
/// reaped. Each thread has one child for all its calls, forked when there is none: forking and its page
/// faults cost as much as a quick search. Signal handlers and masks of this process stay as they are.
ocvStatus runInChild(
    const ChildRequest &request, void *payload, double *cpuSecondsUsed, Message message);

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
