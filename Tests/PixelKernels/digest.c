// Prints the instruction set that the pixel kernels were compiled for, and a digest of what they give
// for all widths of up to four blocks. The same digest must come out whatever the instruction set.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "CPixelKernels.h"

enum { ROWS = 3, WIDEST = 70, STRIDE = 4 * WIDEST + 7, SIZE = 3 * ROWS * STRIDE };

static uint8_t from[SIZE], to[SIZE];
static uint64_t digest = 0xCBF29CE484222325; // FNV-1a

static void add(void) {
  for (size_t i = 0; i < SIZE; i++) {
    digest = (digest ^ to[i]) * 0x100000001B3;
  }
  memset(to, 0, SIZE);
}

typedef void convert(const uint8_t *, size_t, uint8_t *, size_t, uint32_t, uint32_t);
typedef void convert_color(const uint8_t *, size_t, uint8_t *, size_t, uint32_t, uint32_t,
                           cpk_range);

int main(void) {
  convert *plain[] = {cpk_copy,        cpk_yuyv_to_gray,   cpk_odd_bytes_to_gray,
                      cpk_rgb_to_gray, cpk_bgr_to_gray,    cpk_gray_to_bgra,
                      cpk_rgb_to_bgra, cpk_gray16_to_bgra, cpk_bgr_to_bgra};
  convert_color *color[] = {cpk_yuyv_to_bgra, cpk_uyvy_to_bgra};
  uint32_t state = 1;
  for (size_t i = 0; i < SIZE; i++) {
    state = state * 1664525 + 1013904223;
    from[i] = (uint8_t)(state >> 24);
  }
  for (uint32_t width = 1; width <= WIDEST; width++) {
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
      plain[i](from, STRIDE, to, STRIDE, width, ROWS);
      add();
    }
    for (int full = 0; full < 2; full++) {
      cpk_range range = full ? CPK_FULL : CPK_LIMITED;
      for (size_t i = 0; i < sizeof color / sizeof *color; i++) {
        color[i](from, STRIDE, to, STRIDE, width, ROWS, range);
        add();
      }
      const uint8_t *chroma = from + ROWS * STRIDE;
      cpk_nv12_to_bgra(from, STRIDE, chroma, STRIDE, to, STRIDE, width, ROWS, range);
      add();
      cpk_yu12_to_bgra(from, STRIDE, chroma, chroma + 2 * STRIDE, STRIDE, to, STRIDE, width, ROWS,
                       range);
      add();
    }
  }
  printf("%016llx %s\n", (unsigned long long)digest, cpk_instruction_set());
  return 0;
}
