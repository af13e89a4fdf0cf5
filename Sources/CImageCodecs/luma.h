#ifndef CIC_LUMA_H
#define CIC_LUMA_H

#include <stdint.h>

/// Rec. 601 luma, 0.299 R + 0.587 G + 0.114 B, in 16.16 fixed point; the three weights add up to 1.
/// It is what a JPEG stores as Y, so that one scene gives one grey whatever the file's format.
static inline uint32_t cic_luma(uint32_t red, uint32_t green, uint32_t blue) {
  return (uint32_t)((19595u * (uint64_t)red + 38470u * (uint64_t)green + 7471u * (uint64_t)blue +
                     32768u) >>
                    16);
}

#endif
