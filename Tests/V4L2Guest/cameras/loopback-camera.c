// Plays a folder of pictures into an output node of v4l2loopback, until it is told to stop.
//
//   loopback-camera -d /dev/videoN [-f FOURCC] [-r RATE] [-H HOLD] [-o] [-P] [-t] [-c PIPE] FOLDER
//
// It says "playing" when the node is a camera with the pictures' format.
//
// -o: play once and stay on the last picture; -P: stay on the first until told; -t: JPEGs without
// Huffman tables.
#define _GNU_SOURCE

#include "pictures.h"
#include "playing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static void wait_until(int64_t due) {
  struct timespec time = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static bool set_format(int device, const struct pictures *pictures) {
  const char *f = pictures->fourcc;
  bool is_jpeg = !strcmp(f, "MJPG");
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  format.fmt.pix.width = (unsigned)pictures->width;
  format.fmt.pix.height = (unsigned)pictures->height;
  format.fmt.pix.pixelformat = v4l2_fourcc(f[0], f[1], f[2], f[3]);
  format.fmt.pix.field = V4L2_FIELD_NONE;
  format.fmt.pix.sizeimage = (unsigned)pictures_frame_size(pictures);
  format.fmt.pix.colorspace = is_jpeg ? V4L2_COLORSPACE_JPEG : V4L2_COLORSPACE_SRGB;
  const struct v4l2_pix_format wanted = format.fmt.pix, *found = &format.fmt.pix;
  if (ioctl(device, VIDIOC_S_FMT, &format) < 0) {
    return false;
  }
  if (found->pixelformat != wanted.pixelformat || found->width != wanted.width ||
      found->height != wanted.height) {
    errno = EBUSY;
    return false;
  }
  return true;
}

// Opens the node with the pictures' format. As long as anybody else has it open, be it to look at it only,
// the driver keeps the format of who played before, and says so in its answer alone.
static int open_node(const char *node, const struct pictures *pictures) {
  const int64_t step = 50000000, end = playing_now() + 300 * step;
  while (true) {
    int device = open(node, O_RDWR | O_CLOEXEC);
    if (device < 0) {
      perror(node);
      return -1;
    }
    if (set_format(device, pictures)) {
      return device;
    }
    int number = errno;
    close(device);
    if (playing_now() >= end) {
      fprintf(stderr, "VIDIOC_S_FMT: %s\n", strerror(number));
      return -1;
    }
    wait_until(playing_now() + step);
  }
}

static bool start(int device, double rate) {
  struct v4l2_streamparm timing = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  timing.parm.output.timeperframe.numerator = 1000;
  timing.parm.output.timeperframe.denominator = (unsigned)(rate * 1000);
  ioctl(device, VIDIOC_S_PARM, &timing);
  // Frames are written; but only of who has started a stream the driver notes that he has gone. Else
  // nobody could play into the device after the next VIDIOC_QUERYCAP.
  int type = V4L2_BUF_TYPE_VIDEO_OUTPUT;
  if (ioctl(device, VIDIOC_STREAMON, &type) < 0) {
    perror("VIDIOC_STREAMON");
    return false;
  }
  // For who waits to read: that the node can be read from may still be of who played before.
  return puts("playing") >= 0 && fflush(stdout) == 0;
}

static int play(int device, struct pictures *pictures, struct playing *playing) {
  for (int64_t frame = playing_frame(playing);; frame++) {
    int64_t due = playing_frame(playing);
    frame = due > frame ? due : frame;
    wait_until(playing_due(playing, frame));
    playing_read_pipe(playing);
    if (playing->stop) {
      return 0;
    }
    if (!playing_sends(playing)) {
      continue;
    }
    struct frame shown =
        pictures_frame(pictures, playing_picture(playing, frame, pictures->count));
    if (playing->cut > 0) {
      playing->cut--;
      shown.length /= 2;
    }
    if (write(device, shown.bytes, shown.length) < 0 && errno != EAGAIN) {
      perror("write");
      return 1;
    }
  }
}

int main(int argc, char **argv) {
  const char *node = NULL, *fourcc = "YUYV", *pipe = NULL;
  struct playing playing = playing_start();
  bool without_tables = false;
  for (int option; (option = getopt(argc, argv, "d:f:r:H:oPtc:")) != -1;) {
    switch (option) {
    case 'd': node = optarg; break;
    case 'f': fourcc = optarg; break;
    case 'r': playing.rate = atof(optarg); break;
    case 'H': playing.hold = atoi(optarg); break;
    case 'o': playing.once = true; break;
    case 'P': playing.still = 0; break;
    case 't': without_tables = true; break;
    case 'c': pipe = optarg; break;
    default: return 64;
    }
  }
  struct pictures pictures;
  if (!node || optind != argc - 1 || playing.rate <= 0 || playing.hold < 1 ||
      !pictures_open(&pictures, argv[optind], fourcc) || (pipe && !playing_open_pipe(&playing, pipe))) {
    return 64;
  }
  pictures.without_tables = without_tables;
  int device = open_node(node, &pictures);
  return device >= 0 && start(device, playing.rate) ? play(device, &pictures, &playing) : 1;
}
