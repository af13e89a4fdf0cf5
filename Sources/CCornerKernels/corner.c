#include "CCornerKernels.h"

#include <stddef.h>

/// Eight floats; without AVX the compiler makes two halves of each operation.
typedef float v8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32)));

/// The vector of eight equal numbers.
#define ALL(value) ((v8){0} + (float)(value))

/// erf(u/√2) into `step`, √(2/π)·e^(−u²/2) into `peak`.
///
/// The exponential by a polynomial for 2^f, |f| <= 0.5, and the exponent's bits; erf by Abramowitz and
/// Stegun, "Handbook of Mathematical Functions", 7.1.26: 1.5e-7. Pointers, because vectors as arguments
/// would change the calling convention with the instruction set.
static inline __attribute__((always_inline)) void edge(const v8 *u, v8 *step, v8 *peak) {
  v8 half = *u * *u * 0.5f;
  // From 4.5 deviations on nothing changes any more; not-a-number stays one.
  i8 far = half > ALL(10.125f);
  half = (v8)((~far & (i8)half) | (far & (i8)ALL(10.125f)));
  v8 exponent = half * -1.44269504f;
  // Adding 1.5·2^23 rounds to a whole number, which then stands in the low bits.
  v8 shifted = exponent + 12582912.0f;
  v8 f = exponent - (shifted - 12582912.0f);
  v8 power =
      1.0f + f * (0.693147181f +
                  f * (0.240226507f +
                       f * (0.0555041087f +
                            f * (0.00961812911f + f * (0.00133335581f + f * 0.000154035304f)))));
  i8 scale = ((i8)shifted << 23) + (127 << 23);
  v8 gauss = power * (v8)scale;
  *peak = gauss * 0.797884561f;
  i8 sign = (i8)*u & (int32_t)0x80000000;
  v8 size = (v8)((i8)*u & 0x7fffffff);
  v8 t = 1.0f / (1.0f + size * (0.3275911f * 0.707106781f));
  v8 tail = t * (0.254829592f +
                 t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  v8 value = 1.0f - tail * gauss;
  *step = (v8)((i8)value | sign);
}

static float sum(const v8 *v) {
  return (((*v)[0] + (*v)[4]) + ((*v)[1] + (*v)[5])) + (((*v)[2] + (*v)[6]) + ((*v)[3] + (*v)[7]));
}

/// The derivatives of the model's brightness by each parameter, and the residuals, parameter by
/// parameter.
static void differentiate(const cck_model *m, const float *samples, int32_t count, int32_t stride,
                          float *scratch) {
  const v8 *xs = (const v8 *)(const void *)samples;
  int32_t blocks = stride / 8;
  const v8 *ys = xs + blocks;
  const v8 *zs = ys + blocks;
  v8 *out = (v8 *)(void *)scratch;
  float rho = m->cos1 * m->cos2 + m->sin1 * m->sin2;
  for (int32_t i = 0; i < blocks; i++) {
    v8 x = xs[i], y = ys[i];
    v8 dx = x - m->x, dy = y - m->y;
    // Along and across each edge; across counts from the bent edge.
    v8 l1 = m->cos1 * dx + m->sin1 * dy, l2 = m->cos2 * dx + m->sin2 * dy;
    v8 s1 = m->cos1 * dy - m->sin1 * dx - (m->curvature1 * 0.5f) * l1 * l1;
    v8 s2 = m->cos2 * dy - m->sin2 * dx - (m->curvature2 * 0.5f) * l2 * l2;
    v8 u1 = s1 * m->sharpness1, u2 = s2 * m->sharpness2;
    v8 e1, p1, e2, p2;
    edge(&u1, &e1, &p1);
    edge(&u2, &e2, &p2);
    v8 pp = rho * p1 * p2;
    v8 shape = e1 * e2 + pp * (1.0f + (0.5f * rho) * u1 * u2);
    v8 shade = 1.0f + m->gradientX * x + m->gradientY * y;
    v8 level = m->mean + m->contrast * shape;
    // ∂X/∂u of each edge, times what turns u into brightness.
    v8 d1 = (p1 * e2 - u1 * pp) * m->contrast * shade;
    v8 d2 = (p2 * e1 - u2 * pp) * m->contrast * shade;
    v8 f1 = d1 * m->sharpness1, f2 = d2 * m->sharpness2;
    out[i] = f1 * m->sin1 + f2 * m->sin2;
    out[i + blocks] = -(f1 * m->cos1 + f2 * m->cos2);
    out[i + 2 * blocks] = -f1 * l1;
    out[i + 3 * blocks] = -f2 * l2;
    out[i + 4 * blocks] = shade;
    out[i + 5 * blocks] = shape * shade;
    out[i + 6 * blocks] = d1 * s1;
    out[i + 7 * blocks] = d2 * s2;
    out[i + 8 * blocks] = level * x;
    out[i + 9 * blocks] = level * y;
    out[i + 10 * blocks] = zs[i] - level * shade;
  }
  // What only fills up the last eight says nothing.
  for (int32_t row = 0; row <= CCK_PARAMETERS; row++) {
    for (int32_t i = count; i < stride; i++) {
      scratch[(ptrdiff_t)row * stride + i] = 0;
    }
  }
}

float cck_normal_equations(const cck_model *model, const float *samples, int32_t count,
                           int32_t stride, float *scratch, float values[110]) {
  differentiate(model, samples, count, stride, scratch);
  const v8 *rows = (const v8 *)(const void *)scratch;
  int32_t blocks = stride / 8;
  for (int32_t i = 0; i < CCK_PARAMETERS; i++) {
    const v8 *left = rows + (ptrdiff_t)i * blocks;
    // Four products at a time share the loads of the left factor; past the end, the last again.
    for (int32_t j = i; j <= CCK_PARAMETERS; j += 4) {
      const v8 *right[4];
      for (int32_t k = 0; k < 4; k++) {
        int32_t row = j + k < CCK_PARAMETERS ? j + k : CCK_PARAMETERS;
        right[k] = rows + (ptrdiff_t)row * blocks;
      }
      v8 a = {0}, b = {0}, c = {0}, d = {0};
      for (int32_t block = 0; block < blocks; block++) {
        v8 l = left[block];
        a += l * right[0][block];
        b += l * right[1][block];
        c += l * right[2][block];
        d += l * right[3][block];
      }
      values[11 * i + j] = sum(&a);
      if (j + 1 <= CCK_PARAMETERS) values[11 * i + j + 1] = sum(&b);
      if (j + 2 <= CCK_PARAMETERS) values[11 * i + j + 2] = sum(&c);
      if (j + 3 <= CCK_PARAMETERS) values[11 * i + j + 3] = sum(&d);
    }
  }
  v8 squares = {0};
  const v8 *residuals = rows + (ptrdiff_t)CCK_PARAMETERS * blocks;
  for (int32_t block = 0; block < blocks; block++) squares += residuals[block] * residuals[block];
  return sum(&squares);
}

void cck_edge_profile(const float *u, int32_t count, float *step, float *peak) {
  for (int32_t i = 0; i < count; i += 8) {
    edge((const v8 *)(const void *)(u + i), (v8 *)(void *)(step + i), (v8 *)(void *)(peak + i));
  }
}
