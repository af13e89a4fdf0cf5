#include "CPixelKernels.h"

/// Rec. 601 luma, 0.299 R + 0.587 G + 0.114 B, in 16.16 fixed point, as pictures are decoded.
static uint8_t luma(uint32_t red, uint32_t green, uint32_t blue) {
  return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

void cpk_rgb_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    for (size_t x = 0; x < width; x++) {
      to[x] = luma(from[3 * x], from[3 * x + 1], from[3 * x + 2]);
    }
  }
}

void cpk_bgr_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    for (size_t x = 0; x < width; x++) {
      to[x] = luma(from[3 * x + 2], from[3 * x + 1], from[3 * x]);
    }
  }
}

void cpk_rgb_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    for (size_t x = 0; x < width; x++) {
      to[4 * x] = from[3 * x + 2];
      to[4 * x + 1] = from[3 * x + 1];
      to[4 * x + 2] = from[3 * x];
      to[4 * x + 3] = 255;
    }
  }
}

void cpk_bgr_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    for (size_t x = 0; x < width; x++) {
      to[4 * x] = from[3 * x];
      to[4 * x + 1] = from[3 * x + 1];
      to[4 * x + 2] = from[3 * x + 2];
      to[4 * x + 3] = 255;
    }
  }
}
