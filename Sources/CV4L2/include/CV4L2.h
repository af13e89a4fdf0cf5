#ifndef CV4L2_H
#define CV4L2_H

#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/types.h>

#include "CV4L2Guardian.h"

// What Swift cannot call or read by itself: variadic calls, and macros that build their value from the
// size of a type. Every function returns a number of at least 0, or the errno value negated, so that
// nothing can come between a call and the look at errno.

/// Opens a file for reading and writing, non-blocking and close-on-exec.
int cv4l2_open(const char *path);

/// Closes a descriptor. Never repeated: on Linux it is closed even where EINTR is returned.
int cv4l2_close(int descriptor);

/// One ioctl; not repeated on EINTR.
int cv4l2_ioctl(int descriptor, unsigned long request, void *argument);

/// Maps a driver's buffer, shared, readable and writable.
///
/// @param address where the mapping is written to
int cv4l2_map(int descriptor, size_t length, int64_t offset, void **address);

/// Unmaps `length` bytes from `address` on.
int cv4l2_unmap(void *address, size_t length);

/// Makes a counter that poll can wait for, non-blocking and close-on-exec.
int cv4l2_make_event(void);

/// Makes the counter readable; async-signal-safe.
int cv4l2_signal_event(int descriptor);

/// Makes the counter unreadable again.
int cv4l2_clear_event(int descriptor);

// The requests, by the kernel's names without VIDIOC.
static const unsigned long CV4L2_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long CV4L2_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long CV4L2_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long CV4L2_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long CV4L2_G_FMT = VIDIOC_G_FMT;
static const unsigned long CV4L2_S_FMT = VIDIOC_S_FMT;
static const unsigned long CV4L2_G_PARM = VIDIOC_G_PARM;
static const unsigned long CV4L2_S_PARM = VIDIOC_S_PARM;
static const unsigned long CV4L2_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long CV4L2_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long CV4L2_QBUF = VIDIOC_QBUF;
static const unsigned long CV4L2_DQBUF = VIDIOC_DQBUF;
static const unsigned long CV4L2_STREAMON = VIDIOC_STREAMON;
static const unsigned long CV4L2_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long CV4L2_QUERYCTRL = VIDIOC_QUERYCTRL;
static const unsigned long CV4L2_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long CV4L2_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long CV4L2_S_CTRL = VIDIOC_S_CTRL;
static const unsigned long CV4L2_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long CV4L2_UNSUBSCRIBE_EVENT = VIDIOC_UNSUBSCRIBE_EVENT;
static const unsigned long CV4L2_DQEVENT = VIDIOC_DQEVENT;

// The controls that bear on a calibration.
enum {
  CV4L2_CID_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO,
  CV4L2_CID_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE,
  CV4L2_CID_EXPOSURE_AUTO_PRIORITY = V4L2_CID_EXPOSURE_AUTO_PRIORITY,
  CV4L2_CID_PAN_ABSOLUTE = V4L2_CID_PAN_ABSOLUTE,
  CV4L2_CID_TILT_ABSOLUTE = V4L2_CID_TILT_ABSOLUTE,
  CV4L2_CID_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE,
  CV4L2_CID_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO,
  CV4L2_CID_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE,
  CV4L2_CID_ZOOM_CONTINUOUS = V4L2_CID_ZOOM_CONTINUOUS,
  CV4L2_CID_IMAGE_STABILIZATION = V4L2_CID_IMAGE_STABILIZATION,
  CV4L2_CID_AUTO_WHITE_BALANCE = V4L2_CID_AUTO_WHITE_BALANCE,
  CV4L2_CID_GAIN = V4L2_CID_GAIN
};

#endif
