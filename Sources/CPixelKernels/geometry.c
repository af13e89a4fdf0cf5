#include "CPixelKernels.h"

#include <string.h>

/// Tiles of this many pixels a side: otherwise each pixel of a quarter turn would touch another cache
/// line.
enum { TILE = 64 };

static inline void move_tile(const uint8_t *from, ptrdiff_t along_row, ptrdiff_t along_column,
                             uint8_t *to, size_t to_stride, uint32_t width, uint32_t height,
                             size_t bytes) {
  for (uint32_t y = 0; y < height; y++, from += along_column, to += to_stride) {
    const uint8_t *source = from;
    uint8_t *target = to;
    for (uint32_t x = 0; x < width; x++, source += along_row, target += bytes) {
      memcpy(target, source, bytes);
    }
  }
}

void cpk_move(const uint8_t *from, ptrdiff_t along_row, ptrdiff_t along_column, uint8_t *to,
              size_t to_stride, uint32_t width, uint32_t height, uint32_t bytes_per_pixel) {
  for (uint32_t top = 0; top < height; top += TILE) {
    uint32_t rows = height - top < TILE ? height - top : TILE;
    for (uint32_t left = 0; left < width; left += TILE) {
      uint32_t columns = width - left < TILE ? width - left : TILE;
      const uint8_t *source = from + (ptrdiff_t)left * along_row + (ptrdiff_t)top * along_column;
      uint8_t *target = to + top * to_stride + (size_t)left * bytes_per_pixel;
      // A constant size becomes one load and one store.
      switch (bytes_per_pixel) {
      case 1:
        move_tile(source, along_row, along_column, target, to_stride, columns, rows, 1);
        break;
      case 4:
        move_tile(source, along_row, along_column, target, to_stride, columns, rows, 4);
        break;
      default:
        move_tile(source, along_row, along_column, target, to_stride, columns, rows,
                  bytes_per_pixel);
      }
    }
  }
}

/// Adds one input row, squeezed to `to_width` pixels and weighted, to `sums`.
///
/// Lengths are in units in which an input pixel is `to_width` long and an output pixel `from_width`,
/// so that overlaps are whole numbers.
static inline void add_row(const uint8_t *from, uint32_t from_width, uint64_t *sums,
                           uint32_t to_width, size_t channels, uint64_t weight) {
  uint32_t left = to_width; // what remains of the input pixel
  for (uint32_t x = 0; x < to_width; x++, sums += channels) {
    uint32_t wanted = from_width;
    uint32_t row[4] = {0, 0, 0, 0};
    while (wanted > 0) {
      uint32_t length = left < wanted ? left : wanted;
      for (size_t c = 0; c < channels; c++) {
        row[c] += length * from[c]; // at most 255 * 65535
      }
      wanted -= length;
      left -= length;
      if (left == 0) {
        left = to_width;
        from += channels;
      }
    }
    for (size_t c = 0; c < channels; c++) {
      sums[c] += weight * row[c];
    }
  }
}

void cpk_resize(const uint8_t *from, size_t from_stride, uint32_t from_width, uint32_t from_height,
                uint8_t *to, size_t to_stride, uint32_t to_width, uint32_t to_height,
                uint32_t channels, uint64_t *sums) {
  size_t count = (size_t)to_width * channels;
  double scale = 1 / ((double)from_width * from_height);
  uint32_t left = to_height;
  for (uint32_t y = 0; y < to_height; y++, to += to_stride) {
    uint32_t wanted = from_height;
    memset(sums, 0, count * sizeof *sums);
    while (wanted > 0) {
      uint32_t length = left < wanted ? left : wanted;
      switch (channels) {
      case 1:
        add_row(from, from_width, sums, to_width, 1, length);
        break;
      case 3:
        add_row(from, from_width, sums, to_width, 3, length);
        break;
      default:
        add_row(from, from_width, sums, to_width, 4, length);
      }
      wanted -= length;
      left -= length;
      if (left == 0) {
        left = to_height;
        from += from_stride;
      }
    }
    for (size_t i = 0; i < count; i++) {
      to[i] = (uint8_t)((double)sums[i] * scale + 0.5);
    }
  }
}
