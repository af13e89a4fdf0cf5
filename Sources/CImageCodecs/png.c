#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "luma.h"
#include "stop.h"

/// Where libpng reads from or writes to, and what went wrong.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
  uint8_t *output;
  size_t capacity;
  cic_status status;
  char *message;
} stream;

static void fail(png_structp png, png_const_charp text) {
  stream *self = png_get_error_ptr(png);
  snprintf(self->message, CIC_MESSAGE_SIZE, "%s", text);
  png_longjmp(png, 1);
}

/// Warnings are about chunks that change no pixel (a profile, a text).
static void warn(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep target, size_t wanted) {
  stream *self = png_get_io_ptr(png);
  if (wanted > self->count - self->position) {
    self->status = CIC_TRUNCATED;
    png_error(png, "the file ends within the picture");
  }
  memcpy(target, self->bytes + self->position, wanted);
  self->position += wanted;
}

/// Converts one row of `channels` 8-bit samples a pixel; transparency shows white.
///
/// White, not what the file hides behind it: transparent pixels hold no measured colour, and are
/// black in most files, where a board drawn on a transparent page would vanish.
static void gray_row8(const uint8_t *row, uint8_t *gray, uint32_t width, int channels) {
  int color = channels >= 3;
  int alpha = channels == 2 || channels == 4;
  for (uint32_t x = 0; x < width; x++, row += channels) {
    uint32_t value = color ? cic_luma(row[0], row[1], row[2]) : row[0];
    if (alpha) {
      uint32_t opacity = row[channels - 1];
      value = (value * opacity + 255 * (255 - opacity) + 127) / 255;
    }
    gray[x] = (uint8_t)value;
  }
}

/// The same for 16-bit samples.
static void gray_row16(const uint16_t *row, uint16_t *gray, uint32_t width, int channels) {
  int color = channels >= 3;
  int alpha = channels == 2 || channels == 4;
  for (uint32_t x = 0; x < width; x++, row += channels) {
    uint32_t value = color ? cic_luma(row[0], row[1], row[2]) : row[0];
    if (alpha) {
      uint64_t opacity = row[channels - 1];
      value = (uint32_t)((value * opacity + 65535 * (65535 - opacity) + 32767) / 65535);
    }
    gray[x] = (uint16_t)value;
  }
}

/// Reads a row; every 64th asks first whether to stop.
static void read_row(png_structp png, stream *self, uint8_t *row, uint32_t y) {
  if (y % 64 == 0 && cic_should_stop()) {
    self->status = CIC_STOPPED;
    png_error(png, "stopped");
  }
  png_read_row(png, row, NULL);
}

static cic_status read_gray(const uint8_t *bytes, size_t count, void *gray, int wide,
                            uint32_t width, uint32_t height, char *message) {
  stream self = {
      .bytes = bytes, .count = count, .status = CIC_CORRUPT, .message = message};
  uint8_t *volatile buffer = NULL;
  message[0] = 0;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &self, fail, warn);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_read_struct(&png, NULL, NULL);
    return CIC_NO_MEMORY;
  }
  if (setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_read_struct(&png, &info, NULL);
    free(buffer);
    return self.status;
  }
  png_set_read_fn(png, &self, read_bytes);
  png_set_user_limits(png, 65535, 65535);
  // A wrong checksum means a damaged file, whichever chunk it is in.
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Profiles and texts are compressed, may be large, and change nothing here.
  static const png_byte unread[] = "iCCP\0iTXt\0tEXt\0zTXt\0eXIf\0sPLT\0hIST";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread, sizeof unread / 5);
  png_read_info(png, info);
  int is_wide = png_get_bit_depth(png, info) == 16;
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height ||
      is_wide != wide) {
    png_error(png, "the picture is not what the header says");
  }
  png_set_expand(png); // palette to RGB, grey to at least 8 bits, a transparent colour to alpha
  uint16_t one = 1;
  if (wide && *(uint8_t *)&one == 1) {
    png_set_swap(png);
  }
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  int channels = png_get_channels(png, info);
  size_t row_bytes = png_get_rowbytes(png, info);
  if (channels < 1 || channels > 4 || row_bytes != (size_t)width * channels * (wide ? 2 : 1)) {
    png_error(png, "an unexpected layout of rows");
  }
  // An interlaced picture arrives in 7 passes and has to be held whole, any other row by row.
  size_t held_rows = passes > 1 ? height : 1;
  buffer = calloc(held_rows, row_bytes);
  if (buffer == NULL) {
    self.status = CIC_NO_MEMORY;
    png_error(png, "no memory for the picture");
  }
  for (int pass = 0; pass + 1 < passes; pass++) {
    for (uint32_t y = 0; y < height; y++) {
      read_row(png, &self, buffer + y * row_bytes, y);
    }
  }
  for (uint32_t y = 0; y < height; y++) {
    uint8_t *row = buffer + (held_rows == 1 ? 0 : y * row_bytes);
    read_row(png, &self, row, y);
    if (wide) {
      gray_row16((const uint16_t *)(void *)row, (uint16_t *)gray + (size_t)y * width, width,
                 channels);
    } else {
      gray_row8(row, (uint8_t *)gray + (size_t)y * width, width, channels);
    }
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(buffer);
  return CIC_OK;
}

cic_status cic_png_read_gray8(const uint8_t *bytes, size_t count, uint8_t *gray, uint32_t width,
                              uint32_t height, char *message) {
  return read_gray(bytes, count, gray, 0, width, height, message);
}

cic_status cic_png_read_gray16(const uint8_t *bytes, size_t count, uint16_t *gray, uint32_t width,
                               uint32_t height, char *message) {
  return read_gray(bytes, count, gray, 1, width, height, message);
}

static void write_bytes(png_structp png, png_bytep source, size_t added) {
  stream *self = png_get_io_ptr(png);
  if (added > self->capacity - self->position) {
    size_t capacity = (self->capacity + added) * 2;
    uint8_t *larger = realloc(self->output, capacity);
    if (larger == NULL) {
      self->status = CIC_NO_MEMORY;
      png_error(png, "no memory for the encoded picture");
    }
    self->output = larger;
    self->capacity = capacity;
  }
  memcpy(self->output + self->position, source, added);
  self->position += added;
}

static void flush(png_structp png) { (void)png; }

cic_status cic_png_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                         cic_encoded *result, char *message) {
  stream self = {.status = CIC_CORRUPT, .message = message};
  message[0] = 0;
  result->bytes = NULL;
  result->count = 0;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &self, fail, warn);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_write_struct(&png, NULL);
    return CIC_NO_MEMORY;
  }
  if (setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    free(self.output);
    return self.status;
  }
  png_set_write_fn(png, &self, write_bytes, flush);
  png_set_user_limits(png, 65535, 65535);
  png_set_IHDR(png, info, width, height, 8, channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Level 3 with one filter: photographs come out a few percent larger than at level 6 with all
  // filters tried, in a fraction of the time.
  png_set_compression_level(png, 3);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_write_info(png, info);
  if (channels == 4) { // alpha is dropped
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    png_set_bgr(png);
  }
  for (uint32_t y = 0; y < height; y++) {
    png_write_row(png, pixels + (size_t)y * width * channels);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  result->bytes = self.output;
  result->count = self.position;
  return CIC_OK;
}
