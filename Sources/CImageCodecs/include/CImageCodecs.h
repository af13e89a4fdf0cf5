#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stddef.h>
#include <stdint.h>

/// Plain-C faces of libjpeg-turbo and libpng, for Swift.
///
/// Both libraries report errors by longjmp, which must not cross a Swift frame: every function here
/// catches it and returns a status. Nothing is used of a picture whose status is not CIC_OK.
/// All functions may be called from several threads at once, on different buffers.

typedef enum {
  CIC_OK = 0,
  /// The bytes end before the picture does.
  CIC_TRUNCATED = 1,
  /// The bytes contradict the format, or a checksum is wrong.
  CIC_CORRUPT = 2,
  /// A valid variant of the format that the library does not decode.
  CIC_UNSUPPORTED = 3,
  /// Memory ran out, or the picture needs more than the limit.
  CIC_NO_MEMORY = 4,
  /// A picture of another size than was asked for.
  CIC_OTHER_SIZE = 5,
  /// The stop check said so.
  CIC_STOPPED = 6
} cic_status;

/// Asked again and again while a picture is decoded: other than 0 ends it with CIC_STOPPED.
typedef int (*cic_stop_check)(void *context);

/// Sets the check for what the calling thread decodes from now on; NULL for none.
///
/// A picture of 400 megapixels takes seconds, which is long for whoever has pressed Ctrl-C.
void cic_set_stop_check(cic_stop_check check, void *context);

/// The bytes that a `message` argument must have room for, with the closing zero.
#define CIC_MESSAGE_SIZE 256

/// Decodes the first JPEG picture in `bytes[0 ..< count]` into `gray`, `width * height` grey values
/// (Rec. 601 luma), row by row without gaps.
///
/// Only luma is reconstructed where the file stores it. `width` and `height` must be the picture's
/// own (else CIC_CORRUPT). A picture that ends early, or that the decoder had to guess parts of, is
/// an error. `message` receives the library's own words.
cic_status cic_jpeg_read_gray(const uint8_t *bytes, size_t count, uint8_t *gray, uint32_t width,
                              uint32_t height, char *message);

/// A decoder for the frames of a Motion JPEG stream, which keeps what frames have in common. One
/// thread at a time may use it.
typedef struct cic_mjpeg_decoder cic_mjpeg_decoder;

typedef enum {
  /// 1 byte a pixel.
  CIC_GRAY = 0,
  /// 4 bytes a pixel, alpha 255.
  CIC_BGRA = 1
} cic_mjpeg_output;

/// Returns NULL where memory runs out.
cic_mjpeg_decoder *cic_mjpeg_create(void);
void cic_mjpeg_destroy(cic_mjpeg_decoder *decoder);

/// Decodes one frame into rows of `width` pixels, `stride` bytes apart; nothing of frame size is
/// allocated for a sequential JPEG.
///
/// The frame must hold its end-of-image marker (what follows it is ignored) and be of `width` and
/// `height` (else CIC_OTHER_SIZE). Huffman tables may be missing, as webcams leave out the standard
/// ones; nothing is taken from the frames before. Grey is luma as stored.
cic_status cic_mjpeg_read(cic_mjpeg_decoder *decoder, const uint8_t *bytes, size_t count,
                          cic_mjpeg_output output, uint8_t *to, size_t stride, uint32_t width,
                          uint32_t height, char *message);

/// The bytes of the JPEG at the start of `bytes`, its end-of-image marker included; 0 where there is
/// no whole one. Follows the markers without decoding.
size_t cic_jpeg_length(const uint8_t *bytes, size_t count);

/// Decodes a PNG picture of at most 8 bits a sample into `gray`, `width * height` grey values
/// (Rec. 601 luma of the stored values), row by row without gaps; transparency shows white.
///
/// `width` and `height` must be the picture's own (else CIC_CORRUPT). The whole file is read and
/// every checksum must be right.
cic_status cic_png_read_gray8(const uint8_t *bytes, size_t count, uint8_t *gray, uint32_t width,
                              uint32_t height, char *message);

/// The same for a PNG picture of 16 bits a sample (CIC_CORRUPT for another depth).
cic_status cic_png_read_gray16(const uint8_t *bytes, size_t count, uint16_t *gray, uint32_t width,
                               uint32_t height, char *message);

/// An encoded picture; its bytes are to be freed by `cic_encoded_free`.
typedef struct {
  uint8_t *bytes;
  size_t count;
} cic_encoded;

/// Encodes `height` rows of `width` pixels of `channels` bytes (1: grey, 3: RGB, 4: BGRA, whose alpha
/// is left out), without gaps, as a PNG. `result` is to be freed whatever the status is.
cic_status cic_png_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                         cic_encoded *result, char *message);

/// Encodes pixels as above as a baseline JPEG of `quality` 1...100; chroma is halved in both
/// directions below quality 90. `result` is to be freed whatever the status is.
cic_status cic_jpeg_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                          int quality, cic_encoded *result, char *message);

/// Frees what a write function allocated, if anything.
void cic_encoded_free(cic_encoded *encoded);

#endif
