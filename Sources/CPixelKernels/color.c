#include "CPixelKernels.h"

#include "vectors.h"

const char *cpk_instruction_set(void) { return CPK_INSTRUCTION_SET; }

// Each row: blocks of sixteen pixels, then pairs, then the one that an odd width leaves. No load
// goes beyond the bytes of the pixels that it is for.

static void yuyv_row(const uint8_t *from, uint8_t *to, uint32_t width, cpk_factors f) {
  uint32_t x = 0;
#if defined(CPK_SSE2)
  cpk_spread s = cpk_spread_of(f);
  __m128i high = _mm_set1_epi16((short)0xFF00);
  for (; x + 16 <= width; x += 16) {
    __m128i a = cpk_load(from + 2 * (size_t)x), b = cpk_load(from + 2 * (size_t)x + 16);
    cpk_put_sixteen(to + 4 * (size_t)x, _mm_slli_epi16(a, 8), _mm_slli_epi16(b, 8),
                    _mm_and_si128(a, high), _mm_and_si128(b, high), s);
  }
#elif defined(CPK_NEON)
  for (; x + 16 <= width; x += 16) {
    uint8x8x4_t p = vld4_u8(from + 2 * (size_t)x);
    cpk_put_sixteen(to + 4 * (size_t)x, p.val[0], p.val[2], p.val[1], p.val[3], f);
  }
#endif
  for (; x < width; x += 2) {
    const uint8_t *pair = from + 2 * (size_t)x;
    cpk_put_bgra(to + 4 * (size_t)x, pair[0], pair[1], pair[3], f);
    if (x + 1 < width) {
      cpk_put_bgra(to + 4 * (size_t)x + 4, pair[2], pair[1], pair[3], f);
    }
  }
}

void cpk_yuyv_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range) {
  cpk_factors f = cpk_factors_of(range);
  for (uint32_t y = 0; y < height; y++) {
    yuyv_row(from + y * from_stride, to + y * to_stride, width, f);
  }
}

static void uyvy_row(const uint8_t *from, uint8_t *to, uint32_t width, cpk_factors f) {
  uint32_t x = 0;
#if defined(CPK_SSE2)
  cpk_spread s = cpk_spread_of(f);
  __m128i high = _mm_set1_epi16((short)0xFF00);
  for (; x + 16 <= width; x += 16) {
    __m128i a = cpk_load(from + 2 * (size_t)x), b = cpk_load(from + 2 * (size_t)x + 16);
    cpk_put_sixteen(to + 4 * (size_t)x, _mm_and_si128(a, high), _mm_and_si128(b, high),
                    _mm_slli_epi16(a, 8), _mm_slli_epi16(b, 8), s);
  }
#elif defined(CPK_NEON)
  for (; x + 16 <= width; x += 16) {
    uint8x8x4_t p = vld4_u8(from + 2 * (size_t)x);
    cpk_put_sixteen(to + 4 * (size_t)x, p.val[1], p.val[3], p.val[0], p.val[2], f);
  }
#endif
  for (; x < width; x += 2) {
    const uint8_t *pair = from + 2 * (size_t)x;
    cpk_put_bgra(to + 4 * (size_t)x, pair[1], pair[0], pair[2], f);
    if (x + 1 < width) {
      cpk_put_bgra(to + 4 * (size_t)x + 4, pair[3], pair[0], pair[2], f);
    }
  }
}

void cpk_uyvy_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range) {
  cpk_factors f = cpk_factors_of(range);
  for (uint32_t y = 0; y < height; y++) {
    uyvy_row(from + y * from_stride, to + y * to_stride, width, f);
  }
}

static void nv12_row(const uint8_t *luma, const uint8_t *chroma, uint8_t *to, uint32_t width,
                     cpk_factors f) {
  uint32_t x = 0;
#if defined(CPK_SSE2)
  cpk_spread s = cpk_spread_of(f);
  for (; x + 16 <= width; x += 16) {
    __m128i y = cpk_load(luma + x), c = cpk_load(chroma + x);
    cpk_put_sixteen(to + 4 * (size_t)x, cpk_low_times_256(y), cpk_high_times_256(y),
                    cpk_low_times_256(c), cpk_high_times_256(c), s);
  }
#elif defined(CPK_NEON)
  for (; x + 16 <= width; x += 16) {
    uint8x8x2_t y = vld2_u8(luma + x), c = vld2_u8(chroma + x);
    cpk_put_sixteen(to + 4 * (size_t)x, y.val[0], y.val[1], c.val[0], c.val[1], f);
  }
#endif
  for (; x < width; x++) {
    const uint8_t *pair = chroma + (x & ~1u);
    cpk_put_bgra(to + 4 * (size_t)x, luma[x], pair[0], pair[1], f);
  }
}

void cpk_nv12_to_bgra(const uint8_t *luma, size_t luma_stride, const uint8_t *chroma,
                      size_t chroma_stride, uint8_t *to, size_t to_stride, uint32_t width,
                      uint32_t height, cpk_range range) {
  cpk_factors f = cpk_factors_of(range);
  for (uint32_t y = 0; y < height; y++) {
    nv12_row(luma + y * luma_stride, chroma + (y / 2) * chroma_stride, to + y * to_stride, width,
             f);
  }
}

static void yu12_row(const uint8_t *luma, const uint8_t *cb, const uint8_t *cr, uint8_t *to,
                     uint32_t width, cpk_factors f) {
  uint32_t x = 0;
#if defined(CPK_SSE2)
  cpk_spread s = cpk_spread_of(f);
  for (; x + 16 <= width; x += 16) {
    __m128i y = cpk_load(luma + x);
    __m128i c = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)(cb + x / 2)),
                                  _mm_loadl_epi64((const __m128i *)(const void *)(cr + x / 2)));
    cpk_put_sixteen(to + 4 * (size_t)x, cpk_low_times_256(y), cpk_high_times_256(y),
                    cpk_low_times_256(c), cpk_high_times_256(c), s);
  }
#elif defined(CPK_NEON)
  for (; x + 16 <= width; x += 16) {
    uint8x8x2_t y = vld2_u8(luma + x);
    cpk_put_sixteen(to + 4 * (size_t)x, y.val[0], y.val[1], vld1_u8(cb + x / 2),
                    vld1_u8(cr + x / 2), f);
  }
#endif
  for (; x < width; x++) {
    cpk_put_bgra(to + 4 * (size_t)x, luma[x], cb[x / 2], cr[x / 2], f);
  }
}

void cpk_yu12_to_bgra(const uint8_t *luma, size_t luma_stride, const uint8_t *cb,
                      const uint8_t *cr, size_t chroma_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range) {
  cpk_factors f = cpk_factors_of(range);
  for (uint32_t y = 0; y < height; y++) {
    size_t offset = (y / 2) * chroma_stride;
    yu12_row(luma + y * luma_stride, cb + offset, cr + offset, to + y * to_stride, width, f);
  }
}
