#include "ImageSamples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

size_t samples_jpeg(const uint8_t *pixels, uint32_t width, uint32_t height,
                    samples_jpeg_options options, uint8_t *output, size_t capacity) {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr manager;
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  codec.err = jpeg_std_error(&manager);
  jpeg_create_compress(&codec);
  jpeg_mem_dest(&codec, &bytes, &count);
  codec.image_width = width;
  codec.image_height = height;
  codec.input_components = options.channels;
  codec.in_color_space = options.channels == 1   ? JCS_GRAYSCALE
                         : options.channels == 3 ? JCS_RGB
                                                 : JCS_CMYK;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, 95, TRUE);
  codec.restart_in_rows = options.restart_rows;
  if (options.across > 0 && options.channels == 3) {
    codec.comp_info[0].h_samp_factor = options.across;
    codec.comp_info[0].v_samp_factor = options.down;
  }
  codec.optimize_coding = options.own_tables ? TRUE : FALSE;
  if (options.progressive) {
    jpeg_simple_progression(&codec);
  }
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < height) {
    size_t offset = (size_t)codec.next_scanline * width * options.channels;
    JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + offset);
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  size_t written = count <= capacity ? count : 0;
  memcpy(output, bytes, written);
  free(bytes);
  return written;
}
