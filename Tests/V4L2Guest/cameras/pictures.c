#define _GNU_SOURCE

#include "pictures.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

static void fail(const char *file, const char *what) {
  fprintf(stderr, "%s: %s\n", file, what);
  exit(1);
}

static int is_picture(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return dot && !strcmp(dot, ".pgm");
}

/// The grey values of a picture; its size goes to width and height.
static uint8_t *read_picture(const char *file, int *width, int *height) {
  FILE *stream = fopen(file, "rb");
  int most = 0;
  if (!stream || fscanf(stream, "P5 %d %d %d", width, height, &most) != 3 || fgetc(stream) == EOF ||
      most != 255 || *width < 2 || *height < 2) {
    fail(file, "not a binary PGM file of 8 bit");
  }
  size_t size = (size_t)*width * (size_t)*height;
  uint8_t *grey = malloc(size);
  if (!grey || fread(grey, 1, size, stream) != size) {
    fail(file, "its pixels are missing");
  }
  fclose(stream);
  return grey;
}

bool pictures_open(struct pictures *pictures, const char *folder, const char *fourcc) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_picture, versionsort);
  if (count < 1) {
    fprintf(stderr, "%s: no .pgm files\n", folder);
    return false;
  }
  if (strlen(fourcc) > 4 || !strstr("YUYV UYVY NV12 YU12 GREY Y16 RGB3 BGR3 MJPG", fourcc)) {
    fprintf(stderr, "format '%s' is not known\n", fourcc);
    return false;
  }
  memset(pictures, 0, sizeof *pictures);
  snprintf(pictures->fourcc, sizeof pictures->fourcc, "%-4s", fourcc);
  pictures->count = count;
  pictures->files = calloc((size_t)count, sizeof *pictures->files);
  pictures->frames = calloc((size_t)count, sizeof *pictures->frames);
  for (int i = 0; i < count; i++) {
    if (asprintf(&pictures->files[i], "%s/%s", folder, entries[i]->d_name) < 0) {
      return false;
    }
    free(entries[i]);
  }
  free(entries);
  free(read_picture(pictures->files[0], &pictures->width, &pictures->height));
  return true;
}

size_t pictures_frame_size(const struct pictures *pictures) {
  size_t pixels = (size_t)pictures->width * (size_t)pictures->height;
  const char *fourcc = pictures->fourcc;
  if (!strcmp(fourcc, "GREY")) {
    return pixels;
  }
  if (!strcmp(fourcc, "NV12") || !strcmp(fourcc, "YU12")) {
    return pixels * 3 / 2;
  }
  return pixels * (strcmp(fourcc, "RGB3") && strcmp(fourcc, "BGR3") ? 2 : 3);
}

/// Grey values into a raw format. Y is full range and the colour neutral.
static struct frame raw_frame(const struct pictures *pictures, const uint8_t *grey) {
  size_t pixels = (size_t)pictures->width * (size_t)pictures->height;
  size_t length = pictures_frame_size(pictures), step = length / pixels;
  uint8_t *bytes = malloc(length);
  memset(bytes, 128, length);
  // The place of Y among a pixel's bytes; the planes of NV12 and YU12 begin with Y.
  size_t first = !strcmp(pictures->fourcc, "UYVY") || !strcmp(pictures->fourcc, "Y16 ");
  for (size_t i = 0; i < pixels; i++) {
    bytes[i * step + first] = grey[i];
    if (step == 3 || !strcmp(pictures->fourcc, "Y16 ")) {
      memset(bytes + i * step, grey[i], step);
    }
  }
  return (struct frame){bytes, length};
}

/// Takes the Huffman tables out of a JPEG.
static void remove_tables(struct frame *frame) {
  size_t from = 2, to = 2;
  uint8_t *b = frame->bytes;
  while (from + 4 <= frame->length && b[from] == 0xff && b[from + 1] != 0xda) {
    size_t segment = 2 + (((size_t)b[from + 2] << 8) | b[from + 3]);
    if (b[from + 1] != 0xc4) {
      memmove(b + to, b + from, segment);
      to += segment;
    }
    from += segment;
  }
  memmove(b + to, b + from, frame->length - from);
  frame->length -= from - to;
}

/// A JPEG as webcams make them: colour, 4:2:2, the standard's Huffman tables.
static struct frame jpeg_frame(const struct pictures *pictures, const uint8_t *grey) {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  unsigned char *bytes = NULL;
  unsigned long length = 0;
  int width = pictures->width;
  uint8_t *row = malloc((size_t)width * 3);
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &bytes, &length);
  jpeg.image_width = (JDIMENSION)width;
  jpeg.image_height = (JDIMENSION)pictures->height;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 95, TRUE);
  jpeg.comp_info[0].h_samp_factor = 2;
  jpeg.comp_info[0].v_samp_factor = 1;
  jpeg_start_compress(&jpeg, TRUE);
  memset(row, 128, (size_t)width * 3);
  while (jpeg.next_scanline < jpeg.image_height) {
    for (int x = 0; x < width; x++) {
      row[3 * x] = grey[(size_t)jpeg.next_scanline * (size_t)width + (size_t)x];
    }
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  free(row);
  struct frame frame = {bytes, length};
  if (pictures->without_tables) {
    remove_tables(&frame);
  }
  return frame;
}

struct frame pictures_frame(struct pictures *pictures, int index) {
  struct frame *frame = &pictures->frames[index];
  if (!frame->bytes) {
    int width, height;
    uint8_t *grey = read_picture(pictures->files[index], &width, &height);
    if (width != pictures->width || height != pictures->height) {
      fail(pictures->files[index], "another size than the first picture");
    }
    *frame = strcmp(pictures->fourcc, "MJPG") ? raw_frame(pictures, grey) : jpeg_frame(pictures, grey);
    free(grey);
  }
  return *frame;
}
