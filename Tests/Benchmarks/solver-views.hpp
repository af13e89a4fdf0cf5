// The sets that bench-solver writes, for its peers in C++, and how all of them print a result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

struct Views {
  int count = 0, points = 0, width = 0, height = 0;
  bool fisheye = false;
  std::vector<double> board;   // x, y
  std::vector<double> pixels;  // u, v

  explicit Views(const char *path) {
    std::ifstream file(path, std::ios::binary);
    std::int32_t header[6];
    file.read(reinterpret_cast<char *>(header), sizeof header);
    if (!file) fail(path);
    count = header[0], points = header[1], width = header[2], height = header[3];
    fisheye = header[4] != 0;
    board.resize(2 * size_t(points));
    pixels.resize(2 * size_t(points) * size_t(count));
    file.read(reinterpret_cast<char *>(board.data()), std::streamsize(board.size() * 8));
    file.read(reinterpret_cast<char *>(pixels.data()), std::streamsize(pixels.size() * 8));
    if (!file) fail(path);
  }

 private:
  [[noreturn]] static void fail(const char *path) {
    std::fprintf(stderr, "%s: not a set of views\n", path);
    std::exit(66);
  }
};

inline double processor_ms() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * double(time.tv_sec) + 1e-6 * double(time.tv_nsec);
}

// Runs `body` until it has taken a second, three times at least unless it is slow, and prints the
// median: solver, model, views, milliseconds, fx, RMS.
template <typename Body>
void report(const std::string &name, const Views &views, Body body) {
  std::vector<double> times;
  double fx = 0, rms = 0, all = 0;
  while (times.size() < 25 && (all < 1000 || (times.size() < 3 && all < 5000))) {
    const double start = processor_ms();
    rms = body(fx);
    times.push_back(processor_ms() - start);
    all += times.back();
  }
  std::sort(times.begin(), times.end());
  std::printf("%s\t%s\t%d\t%.2f\t%.9f\t%.9f\n", name.c_str(), views.fisheye ? "fisheye" : "pinhole",
              views.count, times[times.size() / 2], fx, rms);
  std::fflush(stdout);
}
