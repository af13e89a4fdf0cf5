// The calibration program that one would write with OpenCV alone, as the tutorials describe it: the
// peer that `make bench` measures `calibrate` against. It prints fx fy cx cy and RMS, then the
// milliseconds that reading, detecting and solving took.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point &start) {
  const auto now = Clock::now();
  const double ms = std::chrono::duration<double, std::milli>(now - start).count();
  start = now;
  return ms;
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: opencv-peer COLUMNS ROWS IMAGE...\n");
    return 64;
  }
  const cv::Size board(std::atoi(argv[1]), std::atoi(argv[2]));
  std::vector<cv::Point3f> grid;
  for (int row = 0; row < board.height; ++row)
    for (int column = 0; column < board.width; ++column)
      grid.emplace_back(float(column), float(row), 0.f);

  double read = 0, detect = 0;
  cv::Size size;
  std::vector<std::vector<cv::Point2f>> views;
  for (int i = 3; i < argc; ++i) {
    auto start = Clock::now();
    const cv::Mat image = cv::imread(argv[i], cv::IMREAD_GRAYSCALE);
    read += since(start);
    if (image.empty()) continue;
    std::vector<cv::Point2f> corners;
    if (cv::findChessboardCorners(image, board, corners)) {
      const cv::TermCriteria until(cv::TermCriteria::EPS + cv::TermCriteria::COUNT, 30, 0.001);
      cv::cornerSubPix(image, corners, cv::Size(11, 11), cv::Size(-1, -1), until);
      views.push_back(corners);
      size = image.size();
    }
    detect += since(start);
  }
  if (views.empty()) {
    std::fprintf(stderr, "no board found\n");
    return 1;
  }
  auto start = Clock::now();
  cv::Mat camera, distortion;
  std::vector<cv::Mat> rotations, translations;
  const std::vector<std::vector<cv::Point3f>> grids(views.size(), grid);
  const double rms =
      cv::calibrateCamera(grids, views, size, camera, distortion, rotations, translations);
  const double solve = since(start);
  std::printf("%.6f %.6f %.6f %.6f %.6f\n", camera.at<double>(0, 0), camera.at<double>(1, 1),
              camera.at<double>(0, 2), camera.at<double>(1, 2), rms);
  std::printf("views %zu read %.1f detect %.1f solve %.1f ms\n", views.size(), read, detect, solve);
  return 0;
}
