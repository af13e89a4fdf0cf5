// What the camera says of itself: the descriptors of USB 2.0 chapter 9 and of the USB Video Class 1.0.
#define _GNU_SOURCE

#include "usb-camera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE = 1, CONFIGURATION, STRING, INTERFACE, ENDPOINT, ASSOCIATION = 11, CLASS = 0x24 };
enum { VIDEO_CLASS = 14, CONTROL_SUBCLASS = 1, STREAMING_SUBCLASS, COLLECTION_SUBCLASS };
/// Subtypes of the class's descriptors.
enum { HEADER = 1, INPUT_TERMINAL = 2, OUTPUT_TERMINAL = 3, PROCESSING_UNIT = 5 };
enum { INPUT_HEADER = 1, RAW_FORMAT = 4, RAW_FRAME, JPEG_FORMAT, JPEG_FRAME, COLOR = 13 };

void put(uint8_t *bytes, int count, uint32_t number) {
  for (; count > 0; count--, number >>= 8) {
    *bytes++ = (uint8_t)number;
  }
}

uint32_t get(const uint8_t *bytes, int count) {
  uint32_t number = 0;
  while (count-- > 0) {
    number = number << 8 | bytes[count];
  }
  return number;
}

uint32_t usb_interval(const struct usb_camera *camera) {
  return (uint32_t)(1e7 / camera->rate + 0.5);
}

/// Adds a descriptor of `length` bytes that begins with its length and the given bytes.
static uint8_t *add(struct usb_camera *camera, int length, const uint8_t *bytes, int count) {
  uint8_t *place = camera->configuration + camera->configuration_length;
  if (camera->configuration_length + length > (int)sizeof camera->configuration) {
    fprintf(stderr, "usb-camera: too many formats and sizes\n");
    exit(1);
  }
  memset(place, 0, (size_t)length);
  place[0] = (uint8_t)length;
  memcpy(place + 1, bytes, (size_t)count);
  camera->configuration_length += length;
  return place;
}
#define ADD(length, ...) \
  add(camera, length, (uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))

/// The length of what was added since `place`.
static uint32_t length_from(const struct usb_camera *camera, const uint8_t *place) {
  return (uint32_t)(camera->configuration + camera->configuration_length - place);
}

static void describe_controls(struct usb_camera *camera) {
  ADD(9, INTERFACE, 0, 0, 0, VIDEO_CLASS, CONTROL_SUBCLASS);
  uint8_t *header = ADD(13, CLASS, HEADER, 0x00, 0x01);
  put(header + 7, 4, 6000000);  // the clock, Hz
  header[11] = 1;               // one streaming interface
  header[12] = STREAMING_INTERFACE;
  // Of the lens: auto exposure, exposure time, focus, zoom; autofocus.
  ADD(18, CLASS, INPUT_TERMINAL, LENS_ENTITY, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0x2a, 0x02, 0x02);
  // Of the processing: brightness, contrast, saturation, sharpness, white balance; gain, mains
  // frequency, auto white balance.
  ADD(11, CLASS, PROCESSING_UNIT, PROCESSING_ENTITY, LENS_ENTITY, 0, 0, 2, 0x5b, 0x16);
  ADD(9, CLASS, OUTPUT_TERMINAL, OUTPUT_ENTITY, 0x01, 0x01, 0, PROCESSING_ENTITY);
  put(header + 5, 2, length_from(camera, header));
}

/// The four characters by which the class's identifiers of raw formats begin.
static const char *class_name(const char *fourcc) {
  return !strcmp(fourcc, "YUYV") ? "YUY2" : !strcmp(fourcc, "GREY") ? "Y800" : fourcc;
}

static void describe_format(struct usb_camera *camera, int number) {
  // What follows the four characters in every such identifier.
  static const uint8_t rest[12] = {0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
  const struct format *format = &camera->formats[number - 1];
  bool is_jpeg = !strcmp(format->fourcc, "MJPG");
  if (is_jpeg) {
    ADD(11, CLASS, JPEG_FORMAT, (uint8_t)number, (uint8_t)format->count, 0, 1);
  } else {
    uint8_t *raw = ADD(27, CLASS, RAW_FORMAT, (uint8_t)number, (uint8_t)format->count);
    memcpy(raw + 5, class_name(format->fourcc), 4);
    memcpy(raw + 9, rest, sizeof rest);
    raw[21] = !strcmp(format->fourcc, "YUYV") ? 16 : !strcmp(format->fourcc, "NV12") ? 12 : 8;
    raw[22] = 1;
  }
  for (int i = 0; i < format->count; i++) {
    const struct pictures *pictures = &format->sizes[i];
    uint32_t size = (uint32_t)pictures_frame_size(pictures), interval = usb_interval(camera);
    uint8_t *frame = ADD(34, CLASS, is_jpeg ? JPEG_FRAME : RAW_FRAME, (uint8_t)(i + 1));
    put(frame + 5, 2, (uint32_t)pictures->width);
    put(frame + 7, 2, (uint32_t)pictures->height);
    put(frame + 9, 4, (uint32_t)(size * 4 * camera->rate));
    put(frame + 13, 4, (uint32_t)(size * 8 * camera->rate));
    put(frame + 17, 4, size);
    put(frame + 21, 4, interval);
    frame[25] = 2;  // two rates: full and half
    put(frame + 26, 4, interval);
    put(frame + 30, 4, interval * 2);
  }
  ADD(6, CLASS, COLOR, 1, 1, 4);  // sRGB, with the matrix of BT.601
}

void usb_describe(struct usb_camera *camera) {
  camera->configuration_length = 0;
  ADD(9, CONFIGURATION, 0, 0, 2, 1, 0, 0x80, 250);
  ADD(8, ASSOCIATION, 0, 2, VIDEO_CLASS, COLLECTION_SUBCLASS);
  describe_controls(camera);
  ADD(9, INTERFACE, STREAMING_INTERFACE, 0, 1, VIDEO_CLASS, STREAMING_SUBCLASS);
  uint8_t *header = ADD(13 + camera->count, CLASS, INPUT_HEADER, (uint8_t)camera->count, 0, 0, 0x81, 0,
                        OUTPUT_ENTITY, 0, 0, 0, 1);
  for (int number = 1; number <= camera->count; number++) {
    describe_format(camera, number);
  }
  put(header + 4, 2, length_from(camera, header));
  ADD(7, ENDPOINT, 0x81, 2, 0x00, 0x02, 0);  // bulk, to the host, 512 bytes
  put(camera->configuration + 2, 2, (uint32_t)camera->configuration_length);
}

static int describe_string(const struct usb_camera *camera, int index, uint8_t *bytes) {
  const char *texts[] = {"", camera->maker, camera->product, camera->serial};
  if (index == 0) {
    memcpy(bytes, (uint8_t[]){4, STRING, 0x09, 0x04}, 4);  // the texts are in US English
    return 4;
  }
  if (index > 3 || !*texts[index]) {
    return -1;
  }
  int length = 2;
  for (const char *c = texts[index]; *c && length < 250; c++, length += 2) {
    put(bytes + length, 2, (uint8_t)*c);
  }
  bytes[0] = (uint8_t)length;
  bytes[1] = STRING;
  return length;
}

int usb_descriptor(const struct usb_camera *camera, int value, uint8_t *bytes) {
  switch (value >> 8) {
  case DEVICE: {
    uint8_t device[18] = {18, DEVICE, 0x00, 0x02, 0xef, 2, 1, 64, 0, 0, 0, 0, 0x00, 0x01, 1, 2, 3, 1};
    put(device + 8, 2, camera->vendor);
    put(device + 10, 2, camera->model);
    device[16] = *camera->serial ? 3 : 0;
    memcpy(bytes, device, sizeof device);
    return sizeof device;
  }
  case CONFIGURATION:
    memcpy(bytes, camera->configuration, (size_t)camera->configuration_length);
    return camera->configuration_length;
  case STRING:
    return describe_string(camera, value & 0xff, bytes);
  default:
    return -1;
  }
}
