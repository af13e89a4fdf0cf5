#define _GNU_SOURCE

#include "CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int result(int value) { return value < 0 ? -errno : value; }

int cv4l2_open(const char *path) { return result(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)); }

int cv4l2_close(int descriptor) { return result(close(descriptor)); }

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
  return result(ioctl(descriptor, request, argument));
}

int cv4l2_map(int descriptor, size_t length, int64_t offset, void **address) {
  void *mapping =
      mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)offset);
  if (mapping == MAP_FAILED) {
    return -errno;
  }
  *address = mapping;
  return 0;
}

int cv4l2_unmap(void *address, size_t length) { return result(munmap(address, length)); }

int cv4l2_make_event(void) { return result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

int cv4l2_signal_event(int descriptor) {
  const uint64_t one = 1;
  ssize_t written;
  do {
    written = write(descriptor, &one, sizeof one);
  } while (written < 0 && errno == EINTR);
  // EAGAIN: the counter is full, so it is readable.
  return written < 0 && errno != EAGAIN ? -errno : 0;
}

int cv4l2_clear_event(int descriptor) {
  uint64_t count;
  ssize_t received;
  do {
    received = read(descriptor, &count, sizeof count);
  } while (received < 0 && errno == EINTR);
  return received < 0 && errno != EAGAIN ? -errno : 0;
}
