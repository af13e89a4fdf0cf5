#include "CPixelKernels.h"

#include "vectors.h"

// Rec. 601 luma, 0.299 R + 0.587 G + 0.114 B, in 16.16 fixed point, as pictures are decoded. The
// vector code gives the same to the bit.
enum { RED = 19595, GREEN = 38470, BLUE = 7471, HALF = 32768 };

#if defined(CPK_SSE2)
/// Four 3-byte pixels as 32-bit lanes whose highest byte is another pixel's. Reads 16 bytes.
static inline __m128i four_pixels(const uint8_t *from) {
  __m128i bytes = cpk_load(from);
  __m128i first = _mm_unpacklo_epi32(bytes, _mm_srli_si128(bytes, 3));
  __m128i second = _mm_unpacklo_epi32(_mm_srli_si128(bytes, 6), _mm_srli_si128(bytes, 9));
  return _mm_unpacklo_epi64(first, second);
}

/// Luma of four pixels in 32-bit lanes; the factors of the outer two channels, the first one low.
static inline __m128i four_lumas(__m128i pixels, __m128i outer) {
  __m128i green = _mm_set1_epi32(GREEN / 2); // 16 bits hold half of it
  __m128i sum = _mm_madd_epi16(_mm_and_si128(pixels, _mm_set1_epi32(0x00FF00FF)), outer);
  __m128i middle = _mm_madd_epi16(_mm_srli_epi16(pixels, 8), green);
  sum = _mm_add_epi32(sum, _mm_add_epi32(_mm_slli_epi32(middle, 1), _mm_set1_epi32(HALF)));
  return _mm_srli_epi32(sum, 16);
}
#endif

/// Grey of one row; `first` is the factor of the first byte of a pixel, `third` of the third.
static inline void gray_row(const uint8_t *from, uint8_t *to, size_t width, uint16_t first,
                            uint16_t third) {
  size_t x = 0;
#if defined(CPK_SSE2)
  __m128i outer = _mm_set1_epi32(third << 16 | first);
  // The second load reads 28 bytes on: those of nine pixels and one byte.
  for (; x + 10 <= width; x += 8) {
    __m128i low = four_lumas(four_pixels(from + 3 * x), outer);
    __m128i high = four_lumas(four_pixels(from + 3 * x + 12), outer);
    __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64((__m128i *)(void *)(to + x), _mm_packus_epi16(words, words));
  }
#elif defined(CPK_NEON)
  for (; x + 8 <= width; x += 8) {
    uint8x8x3_t p = vld3_u8(from + 3 * x);
    uint16x8_t a = vmovl_u8(p.val[0]), b = vmovl_u8(p.val[1]), c = vmovl_u8(p.val[2]);
    uint32x4_t low = vmull_n_u16(vget_low_u16(a), first);
    uint32x4_t high = vmull_n_u16(vget_high_u16(a), first);
    low = vmlal_n_u16(vmlal_n_u16(low, vget_low_u16(b), GREEN), vget_low_u16(c), third);
    high = vmlal_n_u16(vmlal_n_u16(high, vget_high_u16(b), GREEN), vget_high_u16(c), third);
    uint16x8_t words = vcombine_u16(vrshrn_n_u32(low, 16), vrshrn_n_u32(high, 16));
    vst1_u8(to + x, vmovn_u16(words));
  }
#endif
  for (; x < width; x++) {
    const uint8_t *pixel = from + 3 * x;
    to[x] = (uint8_t)((first * (uint32_t)pixel[0] + GREEN * (uint32_t)pixel[1] +
                       third * (uint32_t)pixel[2] + HALF) >>
                      16);
  }
}

void cpk_rgb_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++) {
    gray_row(from + y * from_stride, to + y * to_stride, width, RED, BLUE);
  }
}

void cpk_bgr_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++) {
    gray_row(from + y * from_stride, to + y * to_stride, width, BLUE, RED);
  }
}

/// BGRA of one row; `swapped` where red comes first.
static inline void bgra_row(const uint8_t *from, uint8_t *to, size_t width, int swapped) {
  size_t x = 0;
#if defined(CPK_SSE2)
  __m128i alpha = _mm_set1_epi32((int)0xFF000000), middle = _mm_set1_epi32(0x0000FF00);
  __m128i low = _mm_set1_epi32(0x000000FF);
  // The load reads one byte of the sixth pixel.
  for (; x + 6 <= width; x += 4) {
    __m128i p = four_pixels(from + 3 * x);
    if (swapped) {
      __m128i first = _mm_slli_epi32(_mm_and_si128(p, low), 16);
      __m128i third = _mm_and_si128(_mm_srli_epi32(p, 16), low);
      p = _mm_or_si128(_mm_or_si128(first, third), _mm_and_si128(p, middle));
    }
    cpk_store(to + 4 * x, _mm_or_si128(p, alpha));
  }
#elif defined(CPK_NEON)
  for (; x + 16 <= width; x += 16) {
    uint8x16x3_t p = vld3q_u8(from + 3 * x);
    uint8x16x4_t bgra = {{p.val[swapped ? 2 : 0], p.val[1], p.val[swapped ? 0 : 2],
                          vdupq_n_u8(255)}};
    vst4q_u8(to + 4 * x, bgra);
  }
#endif
  for (; x < width; x++) {
    to[4 * x] = from[3 * x + (swapped ? 2 : 0)];
    to[4 * x + 1] = from[3 * x + 1];
    to[4 * x + 2] = from[3 * x + (swapped ? 0 : 2)];
    to[4 * x + 3] = 255;
  }
}

void cpk_rgb_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++) {
    bgra_row(from + y * from_stride, to + y * to_stride, width, 1);
  }
}

void cpk_bgr_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height) {
  for (uint32_t y = 0; y < height; y++) {
    bgra_row(from + y * from_stride, to + y * to_stride, width, 0);
  }
}
