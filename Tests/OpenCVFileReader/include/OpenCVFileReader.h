// OpenCV's own reader of its files, for tests of what is written for it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// What cv::FileStorage reads from a calibration file.
typedef struct {
  /// Row by row.
  double matrix[9];
  double coefficients[14];
  int coefficientCount;
  int width;
  int height;
  /// UTF-8, cut to fit, with a closing zero.
  char name[256];
} ocvFileContents;

/// Reads `path` the way OpenCV's sample programs do; 0 where OpenCV refuses it or something is missing.
int ocvReadFile(const char *path, ocvFileContents *contents);

#ifdef __cplusplus
}
#endif
