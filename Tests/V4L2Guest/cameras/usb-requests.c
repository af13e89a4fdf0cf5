// Requests on the camera's endpoint 0: the standard ones, the choice of format and size, the controls.
#define _GNU_SOURCE

#include "usb-camera.h"

#include <string.h>

/// Fields in the order of the requests that ask for them, from GET_CUR on.
struct control {
  uint8_t entity, selector, size;
  int32_t current, least, most, step, initial;
};

/// They keep what is set, and change nothing in the pictures.
static struct control controls[] = {
    {LENS_ENTITY, 0x02, 1, 8, 0, 8, 9, 8},  // auto exposure; `step` has the modes: 1 (manual) and 8
    {LENS_ENTITY, 0x04, 4, 156, 1, 5000, 1, 156},  // exposure time, 0.1 ms
    {LENS_ENTITY, 0x06, 2, 0, 0, 255, 5, 0},       // focus
    {LENS_ENTITY, 0x08, 1, 1, 0, 1, 1, 1},         // autofocus
    {LENS_ENTITY, 0x0b, 2, 100, 100, 400, 1, 100},  // zoom
    {PROCESSING_ENTITY, 0x02, 2, 0, -64, 64, 1, 0},  // brightness
    {PROCESSING_ENTITY, 0x03, 2, 32, 0, 64, 1, 32},  // contrast
    {PROCESSING_ENTITY, 0x04, 2, 0, 0, 100, 1, 0},   // gain
    {PROCESSING_ENTITY, 0x05, 1, 1, 0, 2, 1, 1},     // mains frequency
    {PROCESSING_ENTITY, 0x07, 2, 64, 0, 128, 1, 64},  // saturation
    {PROCESSING_ENTITY, 0x08, 2, 3, 0, 6, 1, 3},      // sharpness
    {PROCESSING_ENTITY, 0x0a, 2, 4600, 2800, 6500, 1, 4600},  // white balance, kelvin
    {PROCESSING_ENTITY, 0x0b, 1, 1, 0, 1, 1, 1},  // auto white balance
};

void usb_settle_choice(struct usb_camera *camera) {
  struct choice *probed = &camera->probed;
  uint32_t full = usb_interval(camera);
  if (probed->format < 1 || probed->format > camera->count) {
    probed->format = 1;
  }
  if (probed->size < 1 || probed->size > camera->formats[probed->format - 1].count) {
    probed->size = 1;
  }
  probed->interval = probed->interval > full + full / 2 ? full * 2 : full;
}

static int streaming_request(struct usb_camera *camera, int request, int selector, uint8_t *data,
                             int length) {
  enum { PROBE = 1, COMMIT, SIZE = 26 };
  if (selector != PROBE && selector != COMMIT) {
    return -1;
  }
  struct choice *probed = &camera->probed;
  switch (request) {
  case SET_CUR:
    if (length < 8) {
      return -1;
    }
    *probed = (struct choice){data[2], data[3], get(data + 4, 4)};
    usb_settle_choice(camera);
    if (selector == COMMIT) {
      camera->committed = *probed;
    }
    return length;
  case GET_INFO:
    data[0] = 3;
    return 1;
  case GET_LEN:
    put(data, 2, SIZE);
    return 2;
  default:
    if (request < GET_CUR || request > GET_DEF) {
      return -1;
    }
    usb_settle_choice(camera);
    memset(data, 0, SIZE);
    data[2] = (uint8_t)probed->format;
    data[3] = (uint8_t)probed->size;
    put(data + 4, 4, probed->interval);
    const struct format *format = &camera->formats[probed->format - 1];
    put(data + 18, 4, (uint32_t)pictures_frame_size(&format->sizes[probed->size - 1]));
    put(data + 22, 4, PAYLOAD);
    return SIZE;
  }
}

static int control_request(int request, int entity, int selector, uint8_t *data, int length) {
  struct control *control = NULL;
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
    if (controls[i].entity == entity && controls[i].selector == selector) {
      control = &controls[i];
    }
  }
  if (!control) {
    return -1;
  }
  if (request == SET_CUR) {
    uint32_t value = get(data, control->size < length ? control->size : length);
    control->current = control->size == 2 ? (int16_t)value : (int32_t)value;
    return length;
  }
  if (request == GET_INFO) {
    data[0] = 3;  // can be read and set
    return 1;
  }
  if (request == GET_LEN) {
    put(data, 2, control->size);
    return 2;
  }
  if (request < GET_CUR || request > GET_DEF) {
    return -1;
  }
  const int32_t values[] = {control->current, control->least, control->most,   control->step,
                            0,                0,              control->initial};
  put(data, control->size, (uint32_t)values[request - GET_CUR]);
  return control->size;
}

static int standard_request(const struct usb_camera *camera, int request, int value, uint8_t *data) {
  enum { GET_STATUS = 0, CLEAR_FEATURE, SET_FEATURE = 3, GET_DESCRIPTOR = 6, GET_CONFIGURATION = 8 };
  enum { SET_CONFIGURATION = 9, GET_INTERFACE, SET_INTERFACE };
  switch (request) {
  case GET_STATUS:
    put(data, 2, 0);
    return 2;
  case GET_DESCRIPTOR:
    return usb_descriptor(camera, value, data);
  case GET_CONFIGURATION:
  case GET_INTERFACE:
    data[0] = request == GET_CONFIGURATION;
    return 1;
  case CLEAR_FEATURE:
  case SET_FEATURE:
  case SET_CONFIGURATION:
  case SET_INTERFACE:
    return 0;
  default:
    return -1;
  }
}

int usb_request(struct usb_camera *camera, const uint8_t *setup, uint8_t *data, int length) {
  enum { KIND = 0x60, STANDARD = 0x00, OF_CLASS = 0x20 };
  int request = setup[1], value = (int)get(setup + 2, 2), index = (int)get(setup + 4, 2);
  int wanted = (int)get(setup + 6, 2), count = -1;
  if ((setup[0] & KIND) == STANDARD) {
    count = standard_request(camera, request, value, data);
  } else if ((setup[0] & KIND) == OF_CLASS && (index & 0xff) == STREAMING_INTERFACE) {
    count = streaming_request(camera, request, value >> 8, data, length);
  } else if ((setup[0] & KIND) == OF_CLASS) {
    count = control_request(request, index >> 8, value >> 8, data, length);
  }
  return count < wanted ? count : wanted;
}
