#include <stdlib.h>
#include <string.h>

#include "jpeg_errors.h"

struct cic_mjpeg_decoder {
  struct jpeg_decompress_struct codec;
  struct jpeg_progress_mgr progress;
  cic_jpeg_errors errors;
  /// The tables of ITU-T T.81, annex K.3: for luma, for chroma.
  JHUFF_TBL standard_dc[2], standard_ac[2];
};

/// Scans in one frame: a camera sends one, at most one a component, progressive pictures about 10.
/// More would hold up the stream.
enum { MOST_SCANS = 32 };

static void limit_scans(j_common_ptr codec) {
  if (codec->is_decompressor && ((j_decompress_ptr)codec)->input_scan_number > MOST_SCANS) {
    cic_jpeg_fail((cic_jpeg_errors *)codec->err, CIC_CORRUPT, "too many scans for one frame");
  }
}

/// Takes the standard tables from where libjpeg keeps them: the defaults of a compressor.
static void take_standard_tables(cic_mjpeg_decoder *decoder) {
  struct jpeg_compress_struct encoder;
  memset(&encoder, 0, sizeof encoder);
  encoder.err = &decoder->errors.base;
  jpeg_create_compress(&encoder);
  encoder.input_components = 3;
  encoder.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&encoder);
  for (int i = 0; i < 2; i++) {
    decoder->standard_dc[i] = *encoder.dc_huff_tbl_ptrs[i];
    decoder->standard_ac[i] = *encoder.ac_huff_tbl_ptrs[i];
  }
  jpeg_destroy_compress(&encoder);
}

cic_mjpeg_decoder *cic_mjpeg_create(void) {
  cic_mjpeg_decoder *decoder = calloc(1, sizeof *decoder);
  char message[CIC_MESSAGE_SIZE];
  if (decoder == NULL) {
    return NULL;
  }
  cic_jpeg_errors_prepare(&decoder->errors, message);
  decoder->codec.err = &decoder->errors.base;
  // Memory that runs out is the only failure; what the encoder had then is lost.
  if (setjmp(decoder->errors.escape) != 0) {
    jpeg_destroy_decompress(&decoder->codec);
    free(decoder);
    return NULL;
  }
  take_standard_tables(decoder);
  jpeg_create_decompress(&decoder->codec);
  for (int i = 0; i < 2; i++) {
    decoder->codec.dc_huff_tbl_ptrs[i] = jpeg_alloc_huff_table((j_common_ptr)&decoder->codec);
    decoder->codec.ac_huff_tbl_ptrs[i] = jpeg_alloc_huff_table((j_common_ptr)&decoder->codec);
  }
  decoder->progress.progress_monitor = limit_scans;
  decoder->codec.progress = &decoder->progress;
  return decoder;
}

void cic_mjpeg_destroy(cic_mjpeg_decoder *decoder) {
  if (decoder != NULL) {
    jpeg_destroy_decompress(&decoder->codec);
    free(decoder);
  }
}

/// Takes away what the frame before defined: libjpeg keeps tables from one picture to the next,
/// while each frame stands for itself.
///
/// Huffman tables become the standard ones, which webcams leave out, or empty ones. A quantisation
/// table is marked by a divisor of 0, which no picture may define.
static void forget_tables(cic_mjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  for (int i = 0; i < 2; i++) {
    *codec->dc_huff_tbl_ptrs[i] = decoder->standard_dc[i];
    *codec->ac_huff_tbl_ptrs[i] = decoder->standard_ac[i];
  }
  for (int i = 2; i < NUM_HUFF_TBLS; i++) {
    if (codec->dc_huff_tbl_ptrs[i] != NULL) {
      memset(codec->dc_huff_tbl_ptrs[i], 0, sizeof *codec->dc_huff_tbl_ptrs[i]);
    }
    if (codec->ac_huff_tbl_ptrs[i] != NULL) {
      memset(codec->ac_huff_tbl_ptrs[i], 0, sizeof *codec->ac_huff_tbl_ptrs[i]);
    }
  }
  for (int i = 0; i < NUM_QUANT_TBLS; i++) {
    if (codec->quant_tbl_ptrs[i] != NULL) {
      codec->quant_tbl_ptrs[i]->quantval[0] = 0;
    }
  }
}

/// Ends unless the header is that of a frame as expected.
static void check_header(cic_mjpeg_decoder *decoder, uint32_t width, uint32_t height) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  if (codec->image_width != width || codec->image_height != height) {
    char text[CIC_MESSAGE_SIZE];
    snprintf(text, sizeof text, "its picture has %ux%u pixels", codec->image_width,
             codec->image_height);
    cic_jpeg_fail(&decoder->errors, CIC_OTHER_SIZE, text);
  }
  if (codec->jpeg_color_space == JCS_CMYK || codec->jpeg_color_space == JCS_YCCK) {
    cic_jpeg_fail(&decoder->errors, CIC_UNSUPPORTED, "four colour components");
  }
  for (int i = 0; i < codec->num_components; i++) {
    int table = codec->comp_info[i].quant_tbl_no;
    if (table < 0 || table >= NUM_QUANT_TBLS || codec->quant_tbl_ptrs[table] == NULL ||
        codec->quant_tbl_ptrs[table]->quantval[0] == 0) {
      cic_jpeg_fail(&decoder->errors, CIC_CORRUPT, "a quantisation table is missing");
    }
  }
}

cic_status cic_mjpeg_read(cic_mjpeg_decoder *decoder, const uint8_t *bytes, size_t count,
                          cic_mjpeg_output output, uint8_t *to, size_t stride, uint32_t width,
                          uint32_t height, char *message) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  decoder->errors.message = message;
  message[0] = 0;
  if (setjmp(decoder->errors.escape) != 0) {
    jpeg_abort_decompress(codec);
    return decoder->errors.status;
  }
  forget_tables(decoder);
  jpeg_mem_src(codec, bytes, (unsigned long)count);
  jpeg_read_header(codec, TRUE);
  check_header(decoder, width, height);
  codec->out_color_space = output == CIC_GRAY ? JCS_GRAYSCALE : JCS_EXT_BGRA;
  jpeg_start_decompress(codec);
  while (codec->output_scanline < height) {
    // As many rows as one row of 4:2:0 blocks has, so that the decoder needn't keep any.
    JSAMPROW rows[16];
    uint32_t first = codec->output_scanline;
    uint32_t wanted = height - first < 16 ? height - first : 16;
    for (uint32_t i = 0; i < wanted; i++) {
      rows[i] = to + (size_t)(first + i) * stride;
    }
    jpeg_read_scanlines(codec, rows, wanted);
  }
  // Reads on to the end-of-image marker: a frame that lacks it was cut off.
  jpeg_finish_decompress(codec);
  return CIC_OK;
}

size_t cic_jpeg_length(const uint8_t *bytes, size_t count) {
  const uint8_t *at = bytes, *end = bytes + count;
  if (count < 4 || at[0] != 0xFF || at[1] != 0xD8) {
    return 0;
  }
  at += 2;
  while (end - at >= 2) {
    uint8_t marker = at[1];
    if (at[0] != 0xFF || marker == 0xFF) { // a byte between markers, as libjpeg passes over it
      at++;
      continue;
    }
    at += 2;
    if (marker == 0xD9) {
      return (size_t)(at - bytes);
    }
    if (marker <= 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {
      continue; // no marker, or one that stands alone
    }
    if (end - at < 2) {
      return 0;
    }
    ptrdiff_t length = at[0] << 8 | at[1];
    if (length < 2) { // counts itself; libjpeg reads on after segments that say less
      length = 2;
    }
    if (end - at < length) {
      return 0;
    }
    at += length;
    // After the header of a scan, its data up to the next marker that is no restart.
    while (marker == 0xDA) {
      at = end - at >= 2 ? memchr(at, 0xFF, (size_t)(end - at - 1)) : NULL;
      if (at == NULL) {
        return 0;
      }
      if (at[1] != 0x00 && at[1] != 0xFF && (at[1] < 0xD0 || at[1] > 0xD7)) {
        break;
      }
      at += at[1] == 0xFF ? 1 : 2;
    }
  }
  return 0;
}
