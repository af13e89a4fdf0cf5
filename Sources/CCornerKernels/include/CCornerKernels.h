#ifndef CCORNERKERNELS_H
#define CCORNERKERNELS_H

#include <stdint.h>

/// The inner loops of the fit of a chessboard corner's image, in single precision, eight pixels at a
/// time.
///
/// All functions may be called from several threads at once, on different memory.

/// A corner's model; see `CornerModel` in Swift for what it means.
typedef struct {
  /// The position, pixels from the middle of the window.
  float x, y;
  /// The cosine and the sine of the angle of each edge.
  float cos1, sin1, cos2, sin2;
  /// 1/sigma of each edge's blur, 1/px.
  float sharpness1, sharpness2;
  /// The curvature of each edge, 1/px.
  float curvature1, curvature2;
  float mean, contrast;
  /// The relative change of brightness a pixel.
  float gradientX, gradientY;
} cck_model;

/// The number of fitted parameters: x, y, two angles, mean, contrast, two sharpnesses, two gradients.
#define CCK_PARAMETERS 10

/// The normal equations over `count` pixels: JᵀJ and Jᵀr into `values[11 * i + j]` for j >= i, Jᵀr as
/// column 10.
///
/// `samples` holds the columns, the rows (both from the middle of the window) and the brightness 0…1 of
/// all pixels, `stride` floats each, a multiple of 8 and at least `count`. `scratch` has room for
/// `11 * stride` floats; both are aligned to 32 bytes. Returns the sum of squared residuals.
float cck_normal_equations(const cck_model *model, const float *samples, int32_t count,
                           int32_t stride, float *scratch, float values[110]);

/// The values of a blurred edge at `u` deviations from it: erf(u/sqrt(2)) and sqrt(2/pi)·exp(-u²/2),
/// both to 1e-6. For tests; `count` is a multiple of 8, all memory aligned to 32 bytes.
void cck_edge_profile(const float *u, int32_t count, float *step, float *peak);

#endif
