#include "CImageCodecs.h"

#include <stdlib.h>
#include <string.h>

#include "jpeg_errors.h"
#include "luma.h"
#include "stop.h"

/// Scans in one picture: a progressive picture of 3 components needs about 10; a small file of
/// thousands of scans over a large picture would take minutes.
enum { MOST_SCANS = 500 };

/// Working memory for one picture, bytes: coefficients of a progressive picture take 2 bytes each.
static const long most_memory = 4L << 30;

/// Called once a row of blocks.
static void limit(j_common_ptr codec) {
  if (cic_should_stop()) {
    cic_jpeg_fail((cic_jpeg_errors *)codec->err, CIC_STOPPED, "stopped");
  }
  if (codec->is_decompressor && ((j_decompress_ptr)codec)->input_scan_number > MOST_SCANS) {
    cic_jpeg_fail((cic_jpeg_errors *)codec->err, CIC_CORRUPT, "more than 500 scans");
  }
}

/// The grey values of one row of CMYK pixels. Adobe's files store the inverse of ink (255: none).
static void gray_from_cmyk(const uint8_t *cmyk, uint8_t *gray, uint32_t width, int inverted) {
  uint8_t flip = inverted ? 0 : 255;
  for (uint32_t x = 0; x < width; x++, cmyk += 4) {
    uint32_t black = cmyk[3] ^ flip;
    uint32_t sum = cic_luma(cmyk[0] ^ flip, cmyk[1] ^ flip, cmyk[2] ^ flip);
    gray[x] = (uint8_t)((sum * black + 127) / 255);
  }
}

cic_status cic_jpeg_read_gray(const uint8_t *bytes, size_t count, uint8_t *gray, uint32_t width,
                              uint32_t height, char *message) {
  struct jpeg_decompress_struct codec;
  struct jpeg_progress_mgr progress = {.progress_monitor = limit};
  cic_jpeg_errors manager;
  uint8_t *volatile cmyk = NULL;
  memset(&codec, 0, sizeof codec);
  cic_jpeg_errors_prepare(&manager, message);
  codec.err = &manager.base;
  if (setjmp(manager.escape) != 0) {
    jpeg_destroy_decompress(&codec);
    free(cmyk);
    return manager.status;
  }
  jpeg_create_decompress(&codec);
  codec.progress = &progress;
  codec.mem->max_memory_to_use = most_memory;
  jpeg_mem_src(&codec, bytes, (unsigned long)count);
  jpeg_read_header(&codec, TRUE);
  int four = codec.jpeg_color_space == JCS_CMYK || codec.jpeg_color_space == JCS_YCCK;
  codec.out_color_space = four ? JCS_CMYK : JCS_GRAYSCALE;
  jpeg_start_decompress(&codec);
  if (codec.output_width != width || codec.output_height != height ||
      codec.output_components != (four ? 4 : 1)) {
    cic_jpeg_fail(&manager, CIC_CORRUPT, "the picture is not of the size that the header gives");
  }
  if (four) {
    cmyk = malloc((size_t)width * 4);
    if (cmyk == NULL) {
      cic_jpeg_fail(&manager, CIC_NO_MEMORY, "");
    }
  }
  while (codec.output_scanline < height) {
    uint32_t first = codec.output_scanline;
    if (four) {
      JSAMPROW row = cmyk;
      jpeg_read_scanlines(&codec, &row, 1);
      gray_from_cmyk(cmyk, gray + (size_t)first * width, width, codec.saw_Adobe_marker);
    } else {
      // As many rows as one row of 4:2:0 blocks has, so that the decoder needn't keep any.
      JSAMPROW rows[16];
      uint32_t wanted = height - first < 16 ? height - first : 16;
      for (uint32_t i = 0; i < wanted; i++) {
        rows[i] = gray + (size_t)(first + i) * width;
      }
      jpeg_read_scanlines(&codec, rows, wanted);
    }
  }
  // Reads on to the end-of-image marker: a file that lacks it was cut off.
  jpeg_finish_decompress(&codec);
  jpeg_destroy_decompress(&codec);
  free(cmyk);
  return CIC_OK;
}

cic_status cic_jpeg_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                          int quality, cic_encoded *result, char *message) {
  struct jpeg_compress_struct codec;
  cic_jpeg_errors manager;
  // libjpeg updates these two behind the compiler's back, hence not in registers.
  struct {
    unsigned char *bytes;
    unsigned long count;
  } *volatile output = calloc(1, sizeof *output);
  result->bytes = NULL;
  result->count = 0;
  memset(&codec, 0, sizeof codec);
  cic_jpeg_errors_prepare(&manager, message);
  if (output == NULL) {
    return CIC_NO_MEMORY;
  }
  codec.err = &manager.base;
  if (setjmp(manager.escape) != 0) {
    jpeg_destroy_compress(&codec);
    free(output->bytes);
    free(output);
    return manager.status;
  }
  jpeg_create_compress(&codec);
  jpeg_mem_dest(&codec, &output->bytes, &output->count);
  codec.image_width = width;
  codec.image_height = height;
  codec.input_components = channels;
  codec.in_color_space = channels == 1   ? JCS_GRAYSCALE
                         : channels == 3 ? JCS_RGB
                                         : JCS_EXT_BGRX;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  if (channels > 1 && quality >= 90) {
    codec.comp_info[0].h_samp_factor = 1;
    codec.comp_info[0].v_samp_factor = 1;
  }
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < height) {
    // libjpeg takes pointers to non-const and does not write through them.
    JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + (size_t)codec.next_scanline * width * channels);
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
  result->bytes = output->bytes;
  result->count = output->count;
  free(output);
  return CIC_OK;
}

void cic_encoded_free(cic_encoded *encoded) {
  free(encoded->bytes);
  encoded->bytes = NULL;
  encoded->count = 0;
}
