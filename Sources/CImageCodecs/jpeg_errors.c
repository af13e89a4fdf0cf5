#include "jpeg_errors.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

/// Padding that some encoders leave in front of a marker, bytes. More than this means that the
/// entropy-coded data came to its end too early, that is, was damaged. In front of a restart marker
/// webcams leave one or two; at the end of a scan whole words.
enum { MOST_PADDING_BEFORE_RESTART = 2, MOST_PADDING_BEFORE_OTHER = 64 };

static void escape(j_common_ptr codec, cic_status status) {
  cic_jpeg_errors *manager = (cic_jpeg_errors *)codec->err;
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  snprintf(manager->message, CIC_MESSAGE_SIZE, "%s", text);
  manager->status = status;
  longjmp(manager->escape, 1);
}

static void error_exit(j_common_ptr codec) {
  switch (codec->err->msg_code) {
  case JERR_OUT_OF_MEMORY:
  case JERR_NO_BACKING_STORE:
    escape(codec, CIC_NO_MEMORY);
    break;
  case JERR_SOF_UNSUPPORTED:
  case JERR_BAD_PRECISION:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_ARITH_NOTIMPL:
  case JERR_IMAGE_TOO_BIG:
  case JERR_NOT_COMPILED:
    escape(codec, CIC_UNSUPPORTED);
    break;
  case JERR_INPUT_EMPTY:
  case JERR_INPUT_EOF:
    escape(codec, CIC_TRUNCATED);
    break;
  default:
    escape(codec, CIC_CORRUPT);
  }
}

static void emit_message(j_common_ptr codec, int level) {
  if (level >= 0) {
    return; // a trace message
  }
  const int *parameters = codec->err->msg_parm.i;
  switch (codec->err->msg_code) {
  case JWRN_JPEG_EOF:
    escape(codec, CIC_TRUNCATED);
    break;
  case JWRN_JFIF_MAJOR:  // an unknown revision of a header that changes no pixel
  case JWRN_ADOBE_XFORM: // an unknown colour transform: luma is taken as YCbCr's
    break;
  case JWRN_EXTRANEOUS_DATA: {
    int before_restart = parameters[1] >= 0xD0 && parameters[1] <= 0xD7;
    int most = before_restart ? MOST_PADDING_BEFORE_RESTART : MOST_PADDING_BEFORE_OTHER;
    if (parameters[0] > most) {
      escape(codec, CIC_CORRUPT);
    }
    break;
  }
  default:
    escape(codec, CIC_CORRUPT);
  }
}

static void output_message(j_common_ptr codec) { (void)codec; }

void cic_jpeg_errors_prepare(cic_jpeg_errors *manager, char *message) {
  memset(manager, 0, sizeof *manager);
  jpeg_std_error(&manager->base);
  manager->base.error_exit = error_exit;
  manager->base.emit_message = emit_message;
  manager->base.output_message = output_message;
  manager->status = CIC_CORRUPT;
  manager->message = message;
  message[0] = 0;
}

void cic_jpeg_fail(cic_jpeg_errors *errors, cic_status status, const char *message) {
  snprintf(errors->message, CIC_MESSAGE_SIZE, "%s", message);
  errors->status = status;
  longjmp(errors->escape, 1);
}
