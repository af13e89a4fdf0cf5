#ifndef CPK_YCBCR_H
#define CPK_YCBCR_H

#include <stdint.h>

#include "CPixelKernels.h"

/// Factors of BT.601 and BT.709 in fixed point, results with 5 fractional bits in 16-bit arithmetic.
///
/// A sum is at most (278 + 271) * 32 away from 0, so that 16 bits hold it. Each product is rounded
/// down; `offset` makes up for that on average, moves black to 0 and rounds the result.
///
/// **Source:** Rec. ITU-R BT.601-7, 2.5: Kr = 0.299, Kb = 0.114. Full range: R = Y + 1.402 Cr,
/// B = Y + 1.772 Cb, G = Y - 0.344136 Cb - 0.714136 Cr. Limited range: Y - 16 is first multiplied by
/// 255/219, Cb and Cr by 255/224. Rec. ITU-R BT.709-6, 3.2: Kr = 0.2126, Kb = 0.0722, so that
/// R = Y + 1.5748 Cr, B = Y + 1.8556 Cb, G = Y - 0.187324 Cb - 0.468124 Cr.
typedef struct {
  int16_t luma;      // * 8192 = 32 * 256
  int16_t offset;    // * 32
  int16_t cb_to_b;   // * 8192, as those below
  int16_t cr_to_r;
  int16_t cb_to_g;
  int16_t cr_to_g;
} cpk_factors;

static const cpk_factors cpk_limited = {9539, -579, 16525, 13075, -3209, -6660};
static const cpk_factors cpk_full = {8192, 17, 14516, 11485, -2819, -5850};
static const cpk_factors cpk_limited_709 = {9539, -579, 17305, 14686, -1747, -4366};
static const cpk_factors cpk_full_709 = {8192, 17, 15201, 12901, -1535, -3835};

static inline cpk_factors cpk_factors_of(cpk_range range) {
  switch (range) {
  case CPK_FULL: return cpk_full;
  case CPK_LIMITED_709: return cpk_limited_709;
  case CPK_FULL_709: return cpk_full_709;
  default: return cpk_limited;
  }
}

static inline uint8_t cpk_clamped(int32_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// One pixel, bit for bit what the vector code gives.
static inline void cpk_put_bgra(uint8_t *to, uint8_t y, uint8_t cb, uint8_t cr, cpk_factors f) {
  // Shifts of negative numbers are arithmetic in every compiler that this package supports.
  int32_t luma = ((int32_t)y * 256 * f.luma >> 16) + f.offset;
  int32_t b = ((int32_t)cb - 128) * 256, r = ((int32_t)cr - 128) * 256;
  to[0] = cpk_clamped((luma + (b * f.cb_to_b >> 16)) >> 5);
  to[1] = cpk_clamped((luma + (b * f.cb_to_g >> 16) + (r * f.cr_to_g >> 16)) >> 5);
  to[2] = cpk_clamped((luma + (r * f.cr_to_r >> 16)) >> 5);
  to[3] = 255;
}

#endif
