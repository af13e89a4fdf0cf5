#ifndef CIC_JPEG_ERRORS_H
#define CIC_JPEG_ERRORS_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CImageCodecs.h"

/// libjpeg's API rather than turbojpeg's: turbojpeg keeps only the first warning, and stops at all
/// of them or at none, while some warnings mean a lost picture and others mean nothing.
///
/// Errors, and the warnings that mean a lost picture, jump to `escape` with `status` and the words in
/// `message` set.
typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  cic_status status;
  char *message;
} cic_jpeg_errors;

/// Makes `errors` ready to be a codec's `err`; `message` has CIC_MESSAGE_SIZE bytes.
void cic_jpeg_errors_prepare(cic_jpeg_errors *errors, char *message);

/// Ends with a status and words of our own.
void cic_jpeg_fail(cic_jpeg_errors *errors, cic_status status, const char *message);

#endif
