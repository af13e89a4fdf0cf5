#include "BoundedChild.hpp"

#include <cmath>
#include <vector>

namespace ocv {
namespace {

using Points3 = std::vector<std::vector<cv::Point3f>>;
using Points2 = std::vector<std::vector<cv::Point2f>>;

void validate(const ocvViews *views, int width, int height, int iterations, double epsilon, size_t poseCapacity) {
  require(views != nullptr && views->viewCount > 0, "no views");
  require(views->boardPoints != nullptr && views->pixels != nullptr && views->pointCounts != nullptr,
          "a pointer is null");
  require(width > 0 && height > 0 && width <= 65535 && height <= 65535,
          "width and height must be in 1...65535");
  require(iterations >= 0 && iterations <= 10000 && epsilon >= 0, "bad termination criteria");
  require(poseCapacity >= 6 * static_cast<size_t>(views->viewCount), "the buffer is too small for the poses");
  for (int v = 0; v < views->viewCount; ++v)
    require(views->pointCounts[v] >= 4, "a view has fewer than 4 points");
}

/// The points as the vectors of vectors that OpenCV takes. Its Brown solver only takes floats (their
/// rounding, 3e-5 px at 600, is far below corner noise); fisheye's takes doubles.
template <class Point3, class Point2>
void collect(const ocvViews &views, std::vector<std::vector<Point3>> &board, std::vector<std::vector<Point2>> &image) {
  using Scalar = typename Point2::value_type;
  size_t at = 0;
  for (int v = 0; v < views.viewCount; ++v) {
    board.emplace_back();
    image.emplace_back();
    for (int i = 0; i < views.pointCounts[v]; ++i, ++at) {
      const double *b = views.boardPoints + 3 * at;
      const double *p = views.pixels + 2 * at;
      require(std::isfinite(b[0]) && std::isfinite(b[1]) && std::isfinite(b[2]) && std::isfinite(p[0]) &&
                  std::isfinite(p[1]),
              "a point is not finite");
      board.back().emplace_back(static_cast<Scalar>(b[0]), static_cast<Scalar>(b[1]), static_cast<Scalar>(b[2]));
      image.back().emplace_back(static_cast<Scalar>(p[0]), static_cast<Scalar>(p[1]));
    }
  }
}

cv::Mat cameraMatrix(const double *camera) {
  return cv::Mat(cv::Matx33d(camera[0], 0, camera[2], 0, camera[1], camera[3], 0, 0, 1));
}

/// Hands back camera, coefficients and poses.
void deliver(
    const cv::Mat &matrix, const cv::Mat &coefficients, size_t coefficientCount,
    const std::vector<cv::Mat> &rotations, const std::vector<cv::Mat> &translations, double *camera,
    double *distortion, double *poses) {
  camera[0] = matrix.at<double>(0, 0);
  camera[1] = matrix.at<double>(1, 1);
  camera[2] = matrix.at<double>(0, 2);
  camera[3] = matrix.at<double>(1, 2);
  for (size_t i = 0; i < coefficientCount; ++i)
    distortion[i] = i < coefficients.total() ? coefficients.at<double>(static_cast<int>(i)) : 0;
  for (size_t v = 0; v < rotations.size(); ++v)
    for (int i = 0; i < 3; ++i) {
      poses[6 * v + static_cast<size_t>(i)] = rotations[v].at<double>(i);
      poses[6 * v + 3 + static_cast<size_t>(i)] = translations[v].at<double>(i);
    }
}

/// OpenCV sizes vectors of matrices by itself but wants single ones for fisheye.
std::vector<cv::Mat> perView(const cv::Mat &all) {
  std::vector<cv::Mat> result;
  for (size_t v = 0; v < all.total(); ++v) result.emplace_back(all.at<cv::Vec3d>(static_cast<int>(v)));
  return result;
}

} // namespace
} // namespace ocv

ocvStatus ocvCalibrateCamera(
    const ocvViews *views, int width, int height, const bool *freeCoefficients, unsigned options,
    int iterations, double epsilon, double *camera, double *distortion, double *poses,
    size_t poseCapacity, double *rms, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    require(freeCoefficients != nullptr && camera != nullptr && distortion != nullptr && poses != nullptr &&
                rms != nullptr,
            "a pointer is null");
    validate(views, width, height, iterations, epsilon, poseCapacity);
    Points3 board;
    Points2 image;
    collect(*views, board, image);

    int flags = calibration::useLU;
    cv::Mat matrix = cv::Mat::eye(3, 3, CV_64F);
    cv::Mat coefficients = cv::Mat::zeros(8, 1, CV_64F);
    if (options & ocvCalibrationUseGuess) {
      flags |= calibration::useGuess;
      matrix = cameraMatrix(camera);
      for (int i = 0; i < 8; ++i) coefficients.at<double>(i) = distortion[i];
    }
    if (options & ocvCalibrationFixPrincipalPoint) flags |= calibration::fixPrincipalPoint;
    if (options & ocvCalibrationFixFocalLength) flags |= calibration::fixFocalLength;
    if (options & ocvCalibrationFixAspectRatio) {
      flags |= calibration::fixAspectRatio;
      if (!(options & ocvCalibrationUseGuess)) matrix.at<double>(0, 0) = matrix.at<double>(1, 1) = 1;
    }
    for (int i = 0; i < 8; ++i)
      if (!freeCoefficients[i]) flags |= calibration::fixCoefficient[i];
    if (!(freeCoefficients[2] && freeCoefficients[3])) flags |= calibration::fixTangential;
    bool rational = false;
    for (int i = 5; i < 8; ++i)
      rational = rational || freeCoefficients[i] || coefficients.at<double>(i) != 0;
    if (rational) flags |= calibration::rational;

    warmUp();
    InsideOpenCV inside;
    std::vector<cv::Mat> rotations, translations;
    const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, std::max(1, iterations), epsilon);
    *rms = cv::calibrateCamera(
        board, image, cv::Size(width, height), matrix, coefficients, rotations, translations, flags, criteria);
    deliver(matrix, coefficients, 8, rotations, translations, camera, distortion, poses);
    return ocvStatusOK;
  });
}

ocvStatus ocvCalibrateFisheye(
    const ocvViews *views, int width, int height, const bool *freeCoefficients, unsigned options,
    int iterations, double epsilon, double *camera, double *distortion, double *poses,
    size_t poseCapacity, double *rms, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    require(freeCoefficients != nullptr && camera != nullptr && distortion != nullptr && poses != nullptr &&
                rms != nullptr,
            "a pointer is null");
    validate(views, width, height, iterations, epsilon, poseCapacity);
    std::vector<std::vector<cv::Point3d>> board;
    std::vector<std::vector<cv::Point2d>> image;
    collect(*views, board, image);

    int flags = fisheye::recomputeExtrinsic | fisheye::fixSkew;
    cv::Mat matrix = cv::Mat::eye(3, 3, CV_64F);
    cv::Mat coefficients = cv::Mat::zeros(4, 1, CV_64F);
    if (options & ocvCalibrationUseGuess) {
      flags |= fisheye::useGuess;
      matrix = cameraMatrix(camera);
      for (int i = 0; i < 4; ++i) coefficients.at<double>(i) = distortion[i];
    }
    if (options & ocvCalibrationFixPrincipalPoint) flags |= fisheye::fixPrincipalPoint;
    if (options & ocvCalibrationFixFocalLength) flags |= fisheye::fixFocalLength;
    if (options & ocvCalibrationCheckCondition) flags |= fisheye::checkCondition;
    for (int i = 0; i < 4; ++i)
      if (!freeCoefficients[i]) flags |= fisheye::fixCoefficient[i];

    warmUp();
    InsideOpenCV inside;
    cv::Mat rotations, translations;
    const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, iterations, epsilon);
    *rms = cv::fisheye::calibrate(
        board, image, cv::Size(width, height), matrix, coefficients, rotations, translations, flags, criteria);
    deliver(matrix, coefficients, 4, perView(rotations), perView(translations), camera, distortion, poses);
    return ocvStatusOK;
  });
}

ocvStatus ocvSolvePlanarPose(
    const double *boardPoints, const double *image, size_t pointCount, double *pose, char *message,
    size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    require(boardPoints != nullptr && image != nullptr && pose != nullptr, "a pointer is null");
    require(pointCount >= 4, "a pose needs at least 4 points");
    std::vector<cv::Point3d> board;
    std::vector<cv::Point2d> seen;
    for (size_t i = 0; i < pointCount; ++i) {
      board.emplace_back(boardPoints[3 * i], boardPoints[3 * i + 1], boardPoints[3 * i + 2]);
      seen.emplace_back(image[2 * i], image[2 * i + 1]);
    }
    warmUp();
    InsideOpenCV inside;
    cv::Mat rotation, translation;
    const cv::Mat camera = cv::Mat::eye(3, 3, CV_64F);
    if (!cv::solvePnP(board, seen, camera, cv::noArray(), rotation, translation, false, cv::SOLVEPNP_IPPE))
      return ocvStatusNotFound;
    cv::solvePnP(board, seen, camera, cv::noArray(), rotation, translation, true, cv::SOLVEPNP_ITERATIVE);
    for (int i = 0; i < 3; ++i) {
      pose[i] = rotation.at<double>(i);
      pose[3 + i] = translation.at<double>(i);
    }
    return ocvStatusOK;
  });
}
