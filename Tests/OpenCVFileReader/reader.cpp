#include "OpenCVFileReader.h"

#include <algorithm>
#include <opencv2/core.hpp>

int ocvReadFile(const char *path, ocvFileContents *contents) {
  try {
    const cv::FileStorage file(path, cv::FileStorage::READ);
    cv::Mat matrix, coefficients;
    file["camera_matrix"] >> matrix;
    file["distortion_coefficients"] >> coefficients;
    const std::string name = file["camera_name"];
    if (matrix.size() != cv::Size(3, 3) || matrix.type() != CV_64F || coefficients.type() != CV_64F ||
        coefficients.rows != 1 || coefficients.cols > 14)
      return 0;
    std::copy_n(matrix.ptr<double>(), 9, contents->matrix);
    contents->coefficientCount = coefficients.cols;
    std::copy_n(coefficients.ptr<double>(), coefficients.cols, contents->coefficients);
    contents->width = static_cast<int>(file["image_width"]);
    contents->height = static_cast<int>(file["image_height"]);
    contents->name[name.copy(contents->name, sizeof contents->name - 1)] = 0;
    return 1;
  } catch (...) {
    return 0;
  }
}
