// Plays folders of pictures (one for each size) as a USB camera, until it is told to stop.
//
//   usb-camera [-p PORT] [-i VENDOR:MODEL] [-m MAKER] [-n PRODUCT] [-s SERIAL] [-f FOURCC,…] [-r RATE]
//     [-H HOLD] [-o] [-P] [-t] [-c PIPE] FOLDER…
//
// Formats: MJPG YUYV NV12 GREY. -o: play once and stay on the last picture; -P: stay on the first until
// told; -t: JPEGs without Huffman tables.
#define _GNU_SOURCE

#include "usb-camera.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The frame on its way to the host.
struct sending {
  int64_t frame;
  bool active, cut, faulty;
  size_t sent;  // bytes
  int toggle;   // the header's bit that changes with each frame
};

static bool add_format(struct usb_camera *camera, const char *fourcc, char **folders, bool without_tables) {
  if (camera->count == MOST_FORMATS || !strstr("MJPG YUYV NV12 GREY", fourcc)) {
    fprintf(stderr, "usb-camera: too many formats, or '%s' is none of USB cameras\n", fourcc);
    return false;
  }
  struct format *format = &camera->formats[camera->count++];
  snprintf(format->fourcc, sizeof format->fourcc, "%s", fourcc);
  for (; *folders; folders++) {
    if (format->count == MOST_SIZES ||
        !pictures_open(&format->sizes[format->count], *folders, fourcc)) {
      return false;
    }
    format->sizes[format->count++].without_tables = without_tables;
  }
  return format->count > 0;
}

/// Begins the frame that is due, if it is due and was not yet sent.
static void begin(struct sending *sending, const struct usb_camera *camera, struct playing *playing) {
  int64_t due = playing_frame(playing);
  int every = camera->committed.interval > usb_interval(camera) ? 2 : 1;
  if (due == sending->frame || due % every != 0) {
    return;
  }
  sending->frame = due;
  sending->active = playing_sends(playing);
  if (!sending->active) {
    return;
  }
  sending->sent = 0;
  sending->cut = playing->cut > 0;
  playing->cut -= sending->cut;
  sending->faulty = playing->faulty > 0;
  playing->faulty -= sending->faulty;
}

/// Sends as much of the frame as transfers wait for; false when the link is gone.
static bool go_on(struct sending *sending, struct usb_link *link, struct usb_camera *camera,
                  const struct playing *playing) {
  enum { END_OF_FRAME = 0x02, ERROR = 0x40, END_OF_HEADER = 0x80 };
  static uint8_t packet[PAYLOAD];
  struct format *format = &camera->formats[camera->committed.format - 1];
  struct pictures *pictures = &format->sizes[camera->committed.size - 1];
  while (sending->active && link->waiting > 0) {
    struct frame frame =
        pictures_frame(pictures, playing_picture(playing, sending->frame, pictures->count));
    size_t total = sending->cut ? frame.length / 2 : frame.length;
    size_t room = (size_t)link->transfers[0].length;
    room = room < PAYLOAD ? room : PAYLOAD;
    if (room <= PAYLOAD_HEADER || sending->sent > total) {
      sending->active = false;
      break;
    }
    room -= PAYLOAD_HEADER;
    size_t count = total - sending->sent < room ? total - sending->sent : room;
    bool is_last = sending->sent + count == total;
    packet[0] = PAYLOAD_HEADER;
    packet[1] = (uint8_t)(END_OF_HEADER | sending->toggle | (is_last ? END_OF_FRAME : 0) |
                          (sending->faulty ? ERROR : 0));
    memcpy(packet + PAYLOAD_HEADER, frame.bytes + sending->sent, count);
    sending->sent += count;
    if (!usb_send(link, packet, (int)(count + PAYLOAD_HEADER))) {
      return false;
    }
    if (is_last) {
      sending->active = false;
      sending->toggle ^= 1;
    }
  }
  return true;
}

/// Milliseconds until something may have to be done.
static int patience(const struct sending *sending, const struct usb_link *link,
                    const struct playing *playing) {
  if (sending->active && link->waiting > 0) {
    return 0;
  }
  int64_t left = (playing_due(playing, playing_frame(playing) + 1) - playing_now()) / 1000000 + 1;
  return left < 0 ? 0 : left > 100 ? 100 : (int)left;
}

static void run(struct usb_camera *camera, struct playing *playing, struct usb_link *link) {
  struct sending sending = {.frame = -1};
  while (!playing->stop) {
    struct pollfd sources[] = {{link->socket, POLLIN, 0}, {playing->pipe, POLLIN, 0}};
    poll(sources, 2, patience(&sending, link, playing));
    playing_read_pipe(playing);
    if (playing->unplug) {
      usb_unplug(link);
    }
    if (playing->plug && link->socket < 0) {
      usb_plug_in(link, camera->port);
    }
    playing->unplug = playing->plug = false;
    if (sources[0].fd >= 0 && sources[0].fd == link->socket && sources[0].revents &&
        !usb_receive(link, camera)) {
      usb_unplug(link);
    }
    if (link->interrupted || link->socket < 0) {
      sending.active = link->interrupted = false;
    }
    if (!sending.active && link->waiting > 0) {
      begin(&sending, camera, playing);
    }
    if (link->socket >= 0 && !go_on(&sending, link, camera, playing)) {
      usb_unplug(link);
    }
  }
  usb_unplug(link);
}

int main(int argc, char **argv) {
  struct playing playing = playing_start();
  struct usb_camera camera = {.vendor = 0x1d6b, .model = 0x0102, .maker = "V4L2 Guest",
                              .product = "Test Camera", .serial = ""};
  char *pipe = NULL, *fourccs = "MJPG,YUYV";
  bool without_tables = false;
  for (int option; (option = getopt(argc, argv, "p:i:m:n:s:f:r:H:oPtc:")) != -1;) {
    switch (option) {
    case 'p': camera.port = atoi(optarg); break;
    case 'i':
      if (sscanf(optarg, "%x:%x", &camera.vendor, &camera.model) != 2) {
        return 64;
      }
      break;
    case 'm': camera.maker = optarg; break;
    case 'n': camera.product = optarg; break;
    case 's': camera.serial = optarg; break;
    case 'f': fourccs = optarg; break;
    case 'r': playing.rate = atof(optarg); break;
    case 'H': playing.hold = atoi(optarg); break;
    case 'o': playing.once = true; break;
    case 'P': playing.still = 0; break;
    case 't': without_tables = true; break;
    case 'c': pipe = optarg; break;
    default: return 64;
    }
  }
  if (optind == argc || playing.rate <= 0 || playing.hold < 1) {
    return 64;
  }
  char *list = strdup(fourccs), *fourcc;
  while ((fourcc = strsep(&list, ","))) {
    if (!add_format(&camera, fourcc, argv + optind, without_tables)) {
      return 64;
    }
  }
  if (pipe && !playing_open_pipe(&playing, pipe)) {
    return 1;
  }
  camera.rate = playing.rate;
  usb_describe(&camera);
  usb_settle_choice(&camera);
  camera.committed = camera.probed;
  struct usb_link link;
  if (!usb_plug_in(&link, camera.port)) {
    return 1;
  }
  run(&camera, &playing, &link);
  return 0;
}
