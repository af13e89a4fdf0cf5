// OpenCV's solvers on a set of bench-solver's: calibrateCamera or fisheye::calibrate, as the tutorials
// call them.

#include <cfloat>
#include <opencv2/calib3d.hpp>

#include "solver-views.hpp"

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  cv::setNumThreads(1);
  const Views views(argv[1]);
  std::vector<cv::Point3d> board;
  for (int i = 0; i < views.points; ++i)
    board.emplace_back(views.board[2 * size_t(i)], views.board[2 * size_t(i) + 1], 0);
  std::vector<std::vector<cv::Point2d>> seen(size_t(views.count));
  size_t next = 0;
  for (auto &view : seen)
    for (int i = 0; i < views.points; ++i, next += 2)
      view.emplace_back(views.pixels[next], views.pixels[next + 1]);
  const std::vector<std::vector<cv::Point3d>> boards(seen.size(), board);
  // calibrateCamera takes single precision only.
  std::vector<std::vector<cv::Point3f>> boards32;
  std::vector<std::vector<cv::Point2f>> seen32;
  for (const auto &view : boards) boards32.emplace_back(view.begin(), view.end());
  for (const auto &view : seen) seen32.emplace_back(view.begin(), view.end());
  const cv::Size size(views.width, views.height);
  const cv::TermCriteria until(cv::TermCriteria::COUNT + cv::TermCriteria::EPS,
                               views.fisheye ? 100 : 30, DBL_EPSILON);
  try {
    report(std::string("OpenCV ") + CV_VERSION, views, [&](double &fx) {
      cv::Mat camera, distortion;
      std::vector<cv::Mat> rotations, translations;
      double rms;
      if (views.fisheye) {
        const int flags = cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW;
        rms = cv::fisheye::calibrate(boards, seen, size, camera, distortion, rotations,
                                     translations, flags, until);
      } else {
        rms = cv::calibrateCamera(boards32, seen32, size, camera, distortion, rotations,
                                  translations, 0, until);
      }
      fx = camera.at<double>(0, 0);
      return rms;
    });
  } catch (const cv::Exception &error) {
    std::fprintf(stderr, "OpenCV: %s\n", error.what());
    return 1;
  }
}
