#ifndef CPK_VECTORS_H
#define CPK_VECTORS_H

#include "ycbcr.h"

// Sixteen pixels at a time. CPK_PLAIN leaves the vector code out, so that both can be compared.
#if defined(CPK_PLAIN)
#define CPK_INSTRUCTION_SET "plain C"
#elif defined(__SSE2__)
#define CPK_SSE2 1
#define CPK_INSTRUCTION_SET "SSE2"
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define CPK_NEON 1
#define CPK_INSTRUCTION_SET "NEON"
#include <arm_neon.h>
#else
#define CPK_INSTRUCTION_SET "plain C"
#endif

#if defined(CPK_SSE2)

static inline __m128i cpk_load(const uint8_t *from) {
  return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void cpk_store(uint8_t *to, __m128i value) {
  _mm_storeu_si128((__m128i *)(void *)to, value);
}

/// The factors, spread over lanes; those of Cb stand in even lanes, of Cr in odd ones.
typedef struct {
  __m128i luma, offset, chroma_to_b_and_r, chroma_to_g;
} cpk_spread;

static inline cpk_spread cpk_spread_of(cpk_factors f) {
  cpk_spread s;
  s.luma = _mm_set1_epi16(f.luma);
  s.offset = _mm_set1_epi16(f.offset);
  s.chroma_to_b_and_r = _mm_set_epi16(f.cr_to_r, f.cb_to_b, f.cr_to_r, f.cb_to_b, f.cr_to_r,
                                      f.cb_to_b, f.cr_to_r, f.cb_to_b);
  s.chroma_to_g = _mm_set_epi16(f.cr_to_g, f.cb_to_g, f.cr_to_g, f.cb_to_g, f.cr_to_g, f.cb_to_g,
                                f.cr_to_g, f.cb_to_g);
  return s;
}

typedef struct {
  __m128i b, g, r;
} cpk_channels;

/// Eight pixels: Y * 256 in each lane; Cb * 256, Cr * 256 of each pair.
static inline cpk_channels cpk_eight(__m128i luma, __m128i chroma, cpk_spread s) {
  enum { EVEN = _MM_SHUFFLE(2, 2, 0, 0), ODD = _MM_SHUFFLE(3, 3, 1, 1) };
  enum { SWAPPED = _MM_SHUFFLE(2, 3, 0, 1) };
  luma = _mm_add_epi16(_mm_mulhi_epu16(luma, s.luma), s.offset);
  chroma = _mm_xor_si128(chroma, _mm_set1_epi16((short)0x8000));
  __m128i br = _mm_mulhi_epi16(chroma, s.chroma_to_b_and_r);
  __m128i g = _mm_mulhi_epi16(chroma, s.chroma_to_g);
  g = _mm_add_epi16(g, _mm_shufflehi_epi16(_mm_shufflelo_epi16(g, SWAPPED), SWAPPED));
  __m128i b = _mm_shufflehi_epi16(_mm_shufflelo_epi16(br, EVEN), EVEN);
  __m128i r = _mm_shufflehi_epi16(_mm_shufflelo_epi16(br, ODD), ODD);
  cpk_channels result = {_mm_srai_epi16(_mm_add_epi16(luma, b), 5),
                         _mm_srai_epi16(_mm_add_epi16(luma, g), 5),
                         _mm_srai_epi16(_mm_add_epi16(luma, r), 5)};
  return result;
}

/// Sixteen pixels of BGRA from their three channels.
static inline void cpk_put_channels(uint8_t *to, __m128i b, __m128i g, __m128i r) {
  __m128i a = _mm_set1_epi8((char)0xFF);
  __m128i bg_low = _mm_unpacklo_epi8(b, g), bg_high = _mm_unpackhi_epi8(b, g);
  __m128i ra_low = _mm_unpacklo_epi8(r, a), ra_high = _mm_unpackhi_epi8(r, a);
  cpk_store(to, _mm_unpacklo_epi16(bg_low, ra_low));
  cpk_store(to + 16, _mm_unpackhi_epi16(bg_low, ra_low));
  cpk_store(to + 32, _mm_unpacklo_epi16(bg_high, ra_high));
  cpk_store(to + 48, _mm_unpackhi_epi16(bg_high, ra_high));
}

/// Sixteen pixels: Y * 256 of eight and eight; Cb * 256, Cr * 256 of four and four pairs.
static inline void cpk_put_sixteen(uint8_t *to, __m128i luma0, __m128i luma1, __m128i chroma0,
                                   __m128i chroma1, cpk_spread s) {
  cpk_channels first = cpk_eight(luma0, chroma0, s), second = cpk_eight(luma1, chroma1, s);
  cpk_put_channels(to, _mm_packus_epi16(first.b, second.b), _mm_packus_epi16(first.g, second.g),
                   _mm_packus_epi16(first.r, second.r));
}

/// Bytes times 256 in 16-bit lanes: the low eight, the high eight.
static inline __m128i cpk_low_times_256(__m128i bytes) {
  return _mm_unpacklo_epi8(_mm_setzero_si128(), bytes);
}
static inline __m128i cpk_high_times_256(__m128i bytes) {
  return _mm_unpackhi_epi8(_mm_setzero_si128(), bytes);
}

#elif defined(CPK_NEON)

typedef struct {
  uint8x8_t b, g, r;
} cpk_channels;

/// Eight pixels from their Y (times 128) and the chroma products of their pairs.
static inline cpk_channels cpk_eight(uint8x8_t y, int16x8_t b, int16x8_t g, int16x8_t r,
                                     cpk_factors f) {
  // vqdmulh doubles: with an input of 128 times the byte it gives the high half of 256 times it.
  int16x8_t luma = vreinterpretq_s16_u16(vshll_n_u8(y, 7));
  luma = vaddq_s16(vqdmulhq_n_s16(luma, f.luma), vdupq_n_s16(f.offset));
  cpk_channels result = {vqshrun_n_s16(vaddq_s16(luma, b), 5),
                         vqshrun_n_s16(vaddq_s16(luma, g), 5),
                         vqshrun_n_s16(vaddq_s16(luma, r), 5)};
  return result;
}

/// Sixteen pixels from their even and odd Y and the Cb and Cr of the eight pairs.
static inline void cpk_put_sixteen(uint8_t *to, uint8x8_t even, uint8x8_t odd, uint8x8_t cb,
                                   uint8x8_t cr, cpk_factors f) {
  int16x8_t u = vshlq_n_s16(vreinterpretq_s16_u16(vsubl_u8(cb, vdup_n_u8(128))), 7);
  int16x8_t v = vshlq_n_s16(vreinterpretq_s16_u16(vsubl_u8(cr, vdup_n_u8(128))), 7);
  int16x8_t b = vqdmulhq_n_s16(u, f.cb_to_b), r = vqdmulhq_n_s16(v, f.cr_to_r);
  int16x8_t g = vaddq_s16(vqdmulhq_n_s16(u, f.cb_to_g), vqdmulhq_n_s16(v, f.cr_to_g));
  cpk_channels e = cpk_eight(even, b, g, r, f), o = cpk_eight(odd, b, g, r, f);
  uint8x16x4_t bgra = {{
      vcombine_u8(vzip1_u8(e.b, o.b), vzip2_u8(e.b, o.b)),
      vcombine_u8(vzip1_u8(e.g, o.g), vzip2_u8(e.g, o.g)),
      vcombine_u8(vzip1_u8(e.r, o.r), vzip2_u8(e.r, o.r)),
      vdupq_n_u8(255),
  }};
  vst4q_u8(to, bgra);
}

#endif
#endif
