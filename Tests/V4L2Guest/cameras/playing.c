#define _GNU_SOURCE

#include "playing.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

int64_t playing_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

struct playing playing_start(void) {
  return (struct playing){.start = playing_now(), .rate = 5, .hold = 1, .still = -1, .pipe = -1};
}

bool playing_open_pipe(struct playing *playing, const char *path) {
  // Open for writing, too: so it never ends when who wrote to it closes it.
  playing->pipe =
      mkfifo(path, 0600) < 0 ? -1 : open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (playing->pipe < 0) {
    perror(path);
  }
  return playing->pipe >= 0;
}

static void obey(struct playing *playing, const char *line) {
  char word[16] = "";
  double value = 1;
  if (sscanf(line, "%15s %lf", word, &value) < 1) {
    return;
  }
  if (!strcmp(word, "stall")) {
    playing->stalled = playing_now() + (int64_t)(value * SECOND);
  } else if (!strcmp(word, "drop")) {
    playing->dropped = (int)value;
  } else if (!strcmp(word, "cut")) {
    playing->cut = (int)value;
  } else if (!strcmp(word, "fault")) {
    playing->faulty = (int)value;
  } else if (!strcmp(word, "show")) {
    playing->still = (int)value;
  } else if (!strcmp(word, "play")) {
    playing->still = -1;
  } else if (!strcmp(word, "restart")) {
    playing->first = playing_frame(playing) + 1;
    playing->still = -1;
  } else if (!strcmp(word, "unplug")) {
    playing->unplug = true;
  } else if (!strcmp(word, "plug")) {
    playing->plug = true;
  } else if (!strcmp(word, "stop")) {
    playing->stop = true;
  } else {
    fprintf(stderr, "control pipe: '%s' is not known\n", line);
  }
}

void playing_read_pipe(struct playing *playing) {
  char text[512], *rest = text, *line;
  ssize_t length = playing->pipe < 0 ? -1 : read(playing->pipe, text, sizeof text - 1);
  if (length <= 0) {
    return;
  }
  text[length] = 0;
  while ((line = strsep(&rest, "\n"))) {
    obey(playing, line);
  }
}

int64_t playing_frame(const struct playing *playing) {
  return (int64_t)((double)(playing_now() - playing->start) * playing->rate / SECOND);
}

int64_t playing_due(const struct playing *playing, int64_t frame) {
  return playing->start + (int64_t)((double)frame * SECOND / playing->rate);
}

int playing_picture(const struct playing *playing, int64_t frame, int count) {
  if (playing->still >= 0) {
    return playing->still % count;
  }
  int64_t picture = frame < playing->first ? 0 : (frame - playing->first) / playing->hold;
  return playing->once && picture >= count ? count - 1 : (int)(picture % count);
}

bool playing_sends(struct playing *playing) {
  if (playing_now() < playing->stalled) {
    return false;
  }
  if (playing->dropped > 0) {
    playing->dropped--;
    return false;
  }
  return true;
}
