// Everything in which OpenCV's versions differ: headers and flags, by name, never by number.
//
// Tested: 4.6 (Debian 12), 4.10 (Debian 13) and 5.0.0, which splits calib3d into calib, geometry and
// objdetect. Compiled against the headers of 4.14, but not tested; the rest of 4.5 to 4.14 was not tried.
// Where the libraries are and what they are called is the other half of the switch: Package.swift.
#pragma once

#include <opencv2/core/version.hpp>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#if CV_VERSION_MAJOR >= 5
#include <opencv2/calib.hpp>
#include <opencv2/geometry.hpp>
#include <opencv2/objdetect.hpp>
#else
#include <opencv2/calib3d.hpp>
#endif

namespace ocv {

constexpr bool versionIsTested =
    (CV_VERSION_MAJOR == 4 && (CV_VERSION_MINOR == 6 || CV_VERSION_MINOR == 10)) ||
    (CV_VERSION_MAJOR == 5 && CV_VERSION_MINOR == 0);

namespace finder {
constexpr int adaptiveThreshold = cv::CALIB_CB_ADAPTIVE_THRESH;
constexpr int normalizeImage = cv::CALIB_CB_NORMALIZE_IMAGE;
constexpr int filterQuads = cv::CALIB_CB_FILTER_QUADS;
constexpr int fastCheck = cv::CALIB_CB_FAST_CHECK;
constexpr int exhaustive = cv::CALIB_CB_EXHAUSTIVE;
constexpr int accuracy = cv::CALIB_CB_ACCURACY;
constexpr int larger = cv::CALIB_CB_LARGER;
// The classic finder shrinks the squares of each thresholded image bit by bit. Up to 4.9 it begins after
// one dilation; since then with none, so that what used to be its first look is its second.
constexpr int looksUpToOneDilation = CV_VERSION_MAJOR >= 5 || CV_VERSION_MINOR >= 10 ? 2 : 1;
} // namespace finder

namespace calibration {
constexpr int useLU = cv::CALIB_USE_LU;
constexpr int useGuess = cv::CALIB_USE_INTRINSIC_GUESS;
constexpr int fixPrincipalPoint = cv::CALIB_FIX_PRINCIPAL_POINT;
constexpr int fixFocalLength = cv::CALIB_FIX_FOCAL_LENGTH;
constexpr int fixAspectRatio = cv::CALIB_FIX_ASPECT_RATIO;
constexpr int fixTangential = cv::CALIB_FIX_TANGENT_DIST;
constexpr int rational = cv::CALIB_RATIONAL_MODEL;
// In the order of the coefficients k1 k2 p1 p2 k3 k4 k5 k6; the tangential ones have a flag in common.
constexpr int fixCoefficient[8] = {cv::CALIB_FIX_K1, cv::CALIB_FIX_K2, 0, 0,
                                   cv::CALIB_FIX_K3, cv::CALIB_FIX_K4, cv::CALIB_FIX_K5, cv::CALIB_FIX_K6};
} // namespace calibration

namespace fisheye {
#if CV_VERSION_MAJOR >= 5
constexpr int useGuess = cv::CALIB_USE_INTRINSIC_GUESS;
constexpr int recomputeExtrinsic = cv::CALIB_RECOMPUTE_EXTRINSIC;
constexpr int fixSkew = cv::CALIB_FIX_SKEW;
constexpr int checkCondition = cv::CALIB_CHECK_COND;
constexpr int fixPrincipalPoint = cv::CALIB_FIX_PRINCIPAL_POINT;
constexpr int fixFocalLength = cv::CALIB_FIX_FOCAL_LENGTH;
constexpr int fixCoefficient[4] = {cv::CALIB_FIX_K1, cv::CALIB_FIX_K2, cv::CALIB_FIX_K3, cv::CALIB_FIX_K4};
#else
constexpr int useGuess = cv::fisheye::CALIB_USE_INTRINSIC_GUESS;
constexpr int recomputeExtrinsic = cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC;
constexpr int fixSkew = cv::fisheye::CALIB_FIX_SKEW;
constexpr int checkCondition = cv::fisheye::CALIB_CHECK_COND;
constexpr int fixPrincipalPoint = cv::fisheye::CALIB_FIX_PRINCIPAL_POINT;
// From 4.5.5 on.
constexpr int fixFocalLength = cv::fisheye::CALIB_FIX_FOCAL_LENGTH;
constexpr int fixCoefficient[4] = {cv::fisheye::CALIB_FIX_K1, cv::fisheye::CALIB_FIX_K2,
                                   cv::fisheye::CALIB_FIX_K3, cv::fisheye::CALIB_FIX_K4};
#endif
} // namespace fisheye

} // namespace ocv
