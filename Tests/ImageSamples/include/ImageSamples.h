#ifndef IMAGE_SAMPLES_H
#define IMAGE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/// Encoders of the variants that the package reads and never writes; test support.
///
/// Each returns the number of bytes written to `output`, or 0 where they don't fit.

typedef struct {
  /// 1: grey; 3: RGB stored as YCbCr; 4: CMYK stored inverted, with Adobe's marker.
  int channels;
  int progressive;
  /// Rows of blocks between restart markers; 0 for none.
  int restart_rows;
  /// Luma samples for each one of chroma, across and down; 0 for libjpeg's 2 and 2.
  int across, down;
  /// Huffman tables made for this picture instead of the standard ones.
  int own_tables;
} samples_jpeg_options;

size_t samples_jpeg(const uint8_t *pixels, uint32_t width, uint32_t height,
                    samples_jpeg_options options, uint8_t *output, size_t capacity);

typedef struct {
  /// PNG_COLOR_TYPE_…: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  int color_type;
  int bit_depth;
  int interlaced;
  /// `palette_count` colours of red, green, blue and opacity.
  const uint8_t *palette;
  int palette_count;
} samples_png_options;

/// `rows` holds rows as the file stores them (16-bit samples big-endian), `row_bytes` each.
size_t samples_png(const uint8_t *rows, size_t row_bytes, uint32_t width, uint32_t height,
                   samples_png_options options, uint8_t *output, size_t capacity);

#endif
