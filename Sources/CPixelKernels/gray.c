#include "CPixelKernels.h"

#include <string.h>

#include "vectors.h"

void cpk_copy(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
              uint32_t width, uint32_t height) {
  if (from_stride == width && to_stride == width) {
    memcpy(to, from, (size_t)width * height);
    return;
  }
  for (uint32_t y = 0; y < height; y++) {
    memcpy(to + y * to_stride, from + y * from_stride, width);
  }
}

void cpk_yuyv_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    uint32_t x = 0;
#if defined(CPK_SSE2)
    __m128i low = _mm_set1_epi16(0x00FF);
    for (; x + 16 <= width; x += 16) {
      __m128i a = cpk_load(from + 2 * (size_t)x), b = cpk_load(from + 2 * (size_t)x + 16);
      cpk_store(to + x, _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low)));
    }
#elif defined(CPK_NEON)
    for (; x + 16 <= width; x += 16) {
      vst1q_u8(to + x, vld2q_u8(from + 2 * (size_t)x).val[0]);
    }
#endif
    for (; x < width; x++) {
      to[x] = from[2 * (size_t)x];
    }
  }
}

void cpk_odd_bytes_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                           uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    uint32_t x = 0;
#if defined(CPK_SSE2)
    for (; x + 16 <= width; x += 16) {
      __m128i a = cpk_load(from + 2 * (size_t)x), b = cpk_load(from + 2 * (size_t)x + 16);
      cpk_store(to + x, _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8)));
    }
#elif defined(CPK_NEON)
    for (; x + 16 <= width; x += 16) {
      vst1q_u8(to + x, vld2q_u8(from + 2 * (size_t)x).val[1]);
    }
#endif
    for (; x < width; x++) {
      to[x] = from[2 * (size_t)x + 1];
    }
  }
}

/// Sixteen grey pixels of BGRA.
static void gray_row(const uint8_t *from, size_t step, uint8_t *to, uint32_t width) {
  for (uint32_t x = 0; x < width; x++) {
    uint8_t value = from[step * x];
    to[4 * (size_t)x] = value;
    to[4 * (size_t)x + 1] = value;
    to[4 * (size_t)x + 2] = value;
    to[4 * (size_t)x + 3] = 255;
  }
}

void cpk_gray_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    uint32_t x = 0;
#if defined(CPK_SSE2)
    for (; x + 16 <= width; x += 16) {
      __m128i value = cpk_load(from + x);
      cpk_put_channels(to + 4 * (size_t)x, value, value, value);
    }
#elif defined(CPK_NEON)
    for (; x + 16 <= width; x += 16) {
      uint8x16_t value = vld1q_u8(from + x);
      uint8x16x4_t bgra = {{value, value, value, vdupq_n_u8(255)}};
      vst4q_u8(to + 4 * (size_t)x, bgra);
    }
#endif
    gray_row(from + x, 1, to + 4 * (size_t)x, width - x);
  }
}

void cpk_gray16_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                        uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++, from += from_stride, to += to_stride) {
    gray_row(from + 1, 2, to, width);
  }
}
