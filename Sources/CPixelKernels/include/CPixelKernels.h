#ifndef CPIXELKERNELS_H
#define CPIXELKERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Conversion of uncompressed camera frames to grey and BGRA, row by row.
///
/// Strides are bytes from one row to the next; rows may have padding at their ends, which is neither
/// read nor written. Nothing is allocated. `width` and `height` are at least 1, input and output do
/// not overlap. Where colour is stored once for two pixels, both get it (no interpolation).

/// Which values Y, Cb and Cr take, and by which standard they are meant: BT.601, or BT.709.
typedef enum {
  /// Y 16...235, Cb and Cr 16...240.
  CPK_LIMITED = 0,
  /// All of 0...255, as in JPEG files.
  CPK_FULL = 1,
  /// The same two by BT.709.
  CPK_LIMITED_709 = 2,
  CPK_FULL_709 = 3
} cpk_range;

/// Rows of bytes, copied (grey 8, Y planes; `width` in bytes).
void cpk_copy(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
              uint32_t width, uint32_t height);

/// Y of packed 4:2:2 with Y in the even bytes (YUYV).
void cpk_yuyv_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height);
/// Y of packed 4:2:2 with Y in the odd bytes (UYVY); the high bytes of little-endian 16-bit grey.
void cpk_odd_bytes_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                           uint32_t width, uint32_t height);
/// Rec. 601 luma of 3-byte pixels, red first (RGB24).
void cpk_rgb_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height);
/// Rec. 601 luma of 3-byte pixels, blue first (BGR24).
void cpk_bgr_to_gray(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height);

/// Grey 8 to BGRA; alpha is 255 here and below.
void cpk_gray_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height);
/// The high bytes of little-endian 16-bit grey to BGRA.
void cpk_gray16_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                        uint32_t width, uint32_t height);
void cpk_rgb_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height);
void cpk_bgr_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                     uint32_t width, uint32_t height);

/// Packed 4:2:2 to BGRA; a row holds whole pairs, 4 * ((width + 1) / 2) bytes.
void cpk_yuyv_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range);
void cpk_uyvy_to_bgra(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range);
/// 4:2:0 to BGRA: a plane of Y, then one of Cb and Cr in turn, (width + 1) / 2 pairs in each of
/// (height + 1) / 2 rows.
void cpk_nv12_to_bgra(const uint8_t *luma, size_t luma_stride, const uint8_t *chroma,
                      size_t chroma_stride, uint8_t *to, size_t to_stride, uint32_t width,
                      uint32_t height, cpk_range range);
/// 4:2:0 to BGRA: planes of Y, Cb and Cr, the latter two of one stride.
void cpk_yu12_to_bgra(const uint8_t *luma, size_t luma_stride, const uint8_t *cb,
                      const uint8_t *cr, size_t chroma_stride, uint8_t *to, size_t to_stride,
                      uint32_t width, uint32_t height, cpk_range range);

/// Moves pixels to other places: pixel (x, y) of the result comes from
/// `from + x * along_row + y * along_column`, offsets in bytes.
void cpk_move(const uint8_t *from, ptrdiff_t along_row, ptrdiff_t along_column, uint8_t *to,
              size_t to_stride, uint32_t width, uint32_t height, uint32_t bytes_per_pixel);

/// Resizes pixels of 1, 3 or 4 channels: each pixel of the result is the mean of the area that it
/// covers, rounded. Sides are at most 65535. `sums` has room for `to_width * channels` numbers.
void cpk_resize(const uint8_t *from, size_t from_stride, uint32_t from_width, uint32_t from_height,
                uint8_t *to, size_t to_stride, uint32_t to_width, uint32_t to_height,
                uint32_t channels, uint64_t *sums);

/// The instruction set that these were compiled for: "SSE2", "NEON" or "plain C".
const char *cpk_instruction_set(void);

#endif
