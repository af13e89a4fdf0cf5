// A folder of grey pictures (binary PGM, 8 bit, all of one size), as frames of a video format.
#ifndef PICTURES_H
#define PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
  uint8_t *bytes;
  size_t length;
};

struct pictures {
  char fourcc[5];
  int width, height, count;
  /// Whether JPEGs leave out the Huffman tables, as those of many webcams do.
  bool without_tables;
  char **files;
  struct frame *frames;
};

/// Lists the pictures of a folder, in the order of the numbers in their names. Prints what is wrong and
/// returns false when there are none, or the format is not known.
bool pictures_open(struct pictures *pictures, const char *folder, const char *fourcc);

/// A picture in the format; encoded when it is first asked for. Ends the program when it can't be read.
struct frame pictures_frame(struct pictures *pictures, int index);

/// The bytes of a frame; for MJPG the most that one may have.
size_t pictures_frame_size(const struct pictures *pictures);

#endif
