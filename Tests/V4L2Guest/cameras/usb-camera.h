// A USB camera in user space: USB Video Class 1.0 over the kernel's virtual USB host (vhci-hcd), so that
// the real uvcvideo drives it. It streams over a bulk endpoint.
#ifndef USB_CAMERA_H
#define USB_CAMERA_H

#include "pictures.h"
#include "playing.h"

#include <stdint.h>

enum { MOST_FORMATS = 4, MOST_SIZES = 4, PAYLOAD = 16384, PAYLOAD_HEADER = 2 };
/// Interfaces and entities of the camera, as the descriptors name them.
enum { STREAMING_INTERFACE = 1, LENS_ENTITY = 1, PROCESSING_ENTITY = 2, OUTPUT_ENTITY = 3 };
/// Standard requests and those of the video class that are answered.
enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_LEN = 0x85, GET_INFO = 0x86, GET_DEF = 0x87 };

struct format {
  char fourcc[5];
  int count;
  struct pictures sizes[MOST_SIZES];
};

/// What the host and the camera have agreed on; formats and sizes count from 1.
struct choice {
  int format, size;
  uint32_t interval;  // 100 ns
};

struct usb_camera {
  int port;  // of the virtual host, from 0
  unsigned vendor, model;
  const char *maker, *product, *serial;  // an empty serial: the camera has none
  double rate;
  int count;
  struct format formats[MOST_FORMATS];
  struct choice probed, committed;
  uint8_t configuration[2048];
  int configuration_length;
};

/// Writes the low bytes of a number, lowest first.
void put(uint8_t *bytes, int count, uint32_t number);
uint32_t get(const uint8_t *bytes, int count);

// usb-descriptors.c
void usb_describe(struct usb_camera *camera);
/// The descriptor that GET_DESCRIPTOR asks for; its length, or -1.
int usb_descriptor(const struct usb_camera *camera, int value, uint8_t *bytes);
/// The interval between frames at full rate, 100 ns.
uint32_t usb_interval(const struct usb_camera *camera);

// usb-requests.c
/// Answers a request on endpoint 0. `data` holds what the host sent or takes the answer. The number of
/// bytes, or -1 for a request that isn't served.
int usb_request(struct usb_camera *camera, const uint8_t *setup, uint8_t *data, int length);
/// Makes what was probed something that the camera has.
void usb_settle_choice(struct usb_camera *camera);

// usb-link.c
struct transfer {
  uint32_t number;
  int length;
};
struct usb_link {
  int socket;  // -1: unplugged
  int waiting;
  struct transfer transfers[64];  // of the streaming endpoint, which wait for bytes
  bool interrupted;               // the host has taken a transfer back since this was last cleared
};

bool usb_plug_in(struct usb_link *link, int port);
void usb_unplug(struct usb_link *link);
/// Takes one message of the host and answers it; false when the link is gone.
bool usb_receive(struct usb_link *link, struct usb_camera *camera);
/// Answers the first transfer that waits.
bool usb_send(struct usb_link *link, const uint8_t *bytes, int length);

#endif
