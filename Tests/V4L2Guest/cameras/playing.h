// Which picture a camera shows when, and what it is told through its control pipe while it runs.
#ifndef PLAYING_H
#define PLAYING_H

#include <stdbool.h>
#include <stdint.h>

/// Pictures are shown by the clock alone: frame n is due n/rate seconds after the start, and who is late
/// leaves frames out and never catches up.
struct playing {
  int64_t start;    // nanoseconds of CLOCK_MONOTONIC
  double rate;      // frames per second
  int hold;         // frames for which each picture is shown
  bool once;        // stay on the last picture
  int64_t first;    // the frame that shows the first picture
  int still;        // show this picture only, -1: play
  int pipe;         // descriptor of the control pipe, or -1
  // Told through the pipe; counts are frames.
  int dropped;      // that are not sent
  int cut;          // that are sent with half their bytes
  int faulty;       // that are sent marked as faulty (USB)
  int64_t stalled;  // no frame before this time
  bool stop, unplug, plug;
};

/// Starts now, playing at 5 frames per second.
struct playing playing_start(void);

/// Makes the control pipe and opens it.
bool playing_open_pipe(struct playing *playing, const char *path);

/// Reads what was written to the pipe, if anything: lines "stall SECONDS", "drop N", "cut N", "fault N",
/// "show PICTURE", "play", "restart", "unplug", "plug", "stop".
void playing_read_pipe(struct playing *playing);

int64_t playing_now(void);

/// The number of the frame that is due now.
int64_t playing_frame(const struct playing *playing);

/// When a frame is due, nanoseconds of CLOCK_MONOTONIC.
int64_t playing_due(const struct playing *playing, int64_t frame);

/// The picture that a frame shows.
int playing_picture(const struct playing *playing, int64_t frame, int count);

/// Whether a frame is to be sent; takes it off `dropped`.
bool playing_sends(struct playing *playing);

#endif
