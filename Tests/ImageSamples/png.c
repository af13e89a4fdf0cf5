#include "ImageSamples.h"

#include <setjmp.h>
#include <string.h>

#include <png.h>

typedef struct {
  uint8_t *output;
  size_t capacity;
  size_t count;
} target;

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  target *self = png_get_io_ptr(png);
  if (count > self->capacity - self->count) {
    png_error(png, "no room");
  }
  memcpy(self->output + self->count, bytes, count);
  self->count += count;
}

static void flush(png_structp png) { (void)png; }

size_t samples_png(const uint8_t *rows, size_t row_bytes, uint32_t width, uint32_t height,
                   samples_png_options options, uint8_t *output, size_t capacity) {
  target self = {.output = output, .capacity = capacity};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, &self, write_bytes, flush);
  png_set_IHDR(png, info, width, height, options.bit_depth, options.color_type,
               options.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (options.palette_count > 0) {
    png_color colors[256];
    png_byte opacities[256];
    for (int i = 0; i < options.palette_count && i < 256; i++) {
      const uint8_t *entry = options.palette + 4 * i;
      colors[i] = (png_color){.red = entry[0], .green = entry[1], .blue = entry[2]};
      opacities[i] = entry[3];
    }
    png_set_PLTE(png, info, colors, options.palette_count);
    png_set_tRNS(png, info, opacities, options.palette_count, NULL);
  }
  png_write_info(png, info);
  int passes = png_set_interlace_handling(png);
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t y = 0; y < height; y++) {
      png_write_row(png, rows + y * row_bytes);
    }
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return self.count;
}
