// The wire: USB/IP (the kernel's Documentation/usb/usbip_protocol.rst) over a socket pair of which the
// virtual USB host gets one end.
#define _GNU_SOURCE

#include "usb-camera.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { UNLINK = 2, SUBMIT_ANSWER, UNLINK_ANSWER };  // 1 is a submitted transfer
/// The words of a message's head, each in network order; the last two hold a request's setup bytes.
enum { COMMAND, NUMBER, DEVICE, TO_HOST, ENDPOINT, FIRST, LENGTH, SETUP = 10, WORDS = 12 };
enum { STATUS = 5 };

bool usb_plug_in(struct usb_link *link, int port) {
  int ends[2];
  char line[64];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    perror("socketpair");
    return false;
  }
  enum { HIGH_SPEED = 3 };
  int length = snprintf(line, sizeof line, "%d %d %d %d", port, ends[1], 0x10002 + port, HIGH_SPEED);
  int attach = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY | O_CLOEXEC);
  bool attached = attach >= 0 && write(attach, line, (size_t)length) == length;
  if (!attached) {
    perror("vhci_hcd.0/attach");
    close(ends[0]);
  }
  close(attach);
  close(ends[1]);  // the kernel has its own reference
  *link = (struct usb_link){.socket = attached ? ends[0] : -1};
  return attached;
}

void usb_unplug(struct usb_link *link) {
  if (link->socket >= 0) {
    shutdown(link->socket, SHUT_RDWR);
    close(link->socket);
  }
  *link = (struct usb_link){.socket = -1};
}

static bool read_all(int socket, void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = recv(socket, (char *)bytes + done, count - done, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return false;
    }
    done += (size_t)got;
  }
  return true;
}

static bool answer(const struct usb_link *link, uint32_t command, uint32_t number, int status,
                   int count, const uint8_t *data, int length) {
  static uint8_t message[4 * WORDS + PAYLOAD + 4096];
  uint32_t head[WORDS] = {[COMMAND] = htonl(command), [NUMBER] = htonl(number),
                          [STATUS] = htonl((uint32_t)status), [LENGTH] = htonl((uint32_t)count)};
  memcpy(message, head, sizeof head);
  if (length > 0) {
    memcpy(message + sizeof head, data, (size_t)length);
  }
  size_t total = sizeof head + (size_t)length;
  for (size_t done = 0; done < total;) {
    ssize_t sent = send(link->socket, message + done, total - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    done += (size_t)sent;
  }
  return true;
}

static void forget(struct usb_link *link, int index) {
  link->waiting--;
  memmove(link->transfers + index, link->transfers + index + 1,
          (size_t)(link->waiting - index) * sizeof *link->transfers);
}

/// The host takes a transfer back.
static bool unlink_transfer(struct usb_link *link, uint32_t number, uint32_t victim) {
  int status = 0;
  for (int i = link->waiting - 1; i >= 0; i--) {
    if (link->transfers[i].number == victim) {
      forget(link, i);
      status = -ECONNRESET;
    }
  }
  link->interrupted = true;
  return answer(link, UNLINK_ANSWER, number, status, 0, NULL, 0);
}

bool usb_receive(struct usb_link *link, struct usb_camera *camera) {
  static uint8_t data[65536];
  uint32_t head[WORDS];
  if (!read_all(link->socket, head, sizeof head)) {
    return false;
  }
  uint32_t number = ntohl(head[NUMBER]);
  bool to_host = ntohl(head[TO_HOST]) != 0;
  if (ntohl(head[COMMAND]) == UNLINK) {
    return unlink_transfer(link, number, ntohl(head[FIRST]));
  }
  int length = (int)ntohl(head[LENGTH]);
  if (length < 0 || (!to_host && (length > (int)sizeof data ||
                                  !read_all(link->socket, data, (size_t)length)))) {
    return false;
  }
  if (ntohl(head[ENDPOINT]) == 0) {
    int count = usb_request(camera, (const uint8_t *)&head[SETUP], data, length);
    if (count < 0) {
      return answer(link, SUBMIT_ANSWER, number, -EPIPE, 0, NULL, 0);
    }
    return answer(link, SUBMIT_ANSWER, number, 0, count, data, to_host ? count : 0);
  }
  if (link->waiting == sizeof link->transfers / sizeof *link->transfers) {
    return answer(link, SUBMIT_ANSWER, number, -EPIPE, 0, NULL, 0);
  }
  link->transfers[link->waiting++] = (struct transfer){number, length};
  return true;
}

bool usb_send(struct usb_link *link, const uint8_t *bytes, int length) {
  uint32_t number = link->transfers[0].number;
  forget(link, 0);
  return answer(link, SUBMIT_ANSWER, number, 0, length, bytes, length);
}
