import Glibc

/// Seconds since an arbitrary moment, by a clock that nobody sets.
var monotonicSeconds: Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}
