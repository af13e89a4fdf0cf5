#include "BoundedChild.hpp"

#include <algorithm>
#include <vector>

ocvStatus ocvRefineCorners(
    const uint8_t *pixels, int width, int height, ptrdiff_t stride, double *corners, size_t cornerCount,
    const int *halfWindows, int iterations, double epsilon, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    const cv::Mat image = grayMat(pixels, width, height, stride);
    require(cornerCount == 0 || (corners != nullptr && halfWindows != nullptr), "a pointer is null");
    require(iterations > 0 && iterations <= 1000 && epsilon >= 0, "bad termination criteria");
    for (size_t i = 0; i < cornerCount; ++i) {
      require(halfWindows[i] >= 1 && halfWindows[i] <= 64, "half windows must be in 1...64 px");
      // OpenCV asserts this for all corners at once and would refine none.
      require(corners[2 * i] >= 0 && corners[2 * i] < width && corners[2 * i + 1] >= 0 &&
                  corners[2 * i + 1] < height,
              "a corner is outside the image");
    }
    warmUp();
    InsideOpenCV inside;
    const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, iterations, epsilon);
    // OpenCV takes one window for all corners of a call.
    std::vector<cv::Point2f> group;
    std::vector<size_t> members;
    const int largest = cornerCount == 0 ? 0 : *std::max_element(halfWindows, halfWindows + cornerCount);
    for (int window = 1; window <= largest; ++window) {
      group.clear();
      members.clear();
      for (size_t i = 0; i < cornerCount; ++i) {
        if (halfWindows[i] != window) continue;
        members.push_back(i);
        group.emplace_back(static_cast<float>(corners[2 * i]), static_cast<float>(corners[2 * i + 1]));
      }
      // OpenCV needs the window to fit into the image.
      if (group.empty() || width < 2 * window + 5 || height < 2 * window + 5) continue;
      cv::cornerSubPix(image, group, cv::Size(window, window), cv::Size(-1, -1), criteria);
      for (size_t i = 0; i < members.size(); ++i) {
        corners[2 * members[i]] = group[i].x;
        corners[2 * members[i] + 1] = group[i].y;
      }
    }
    return ocvStatusOK;
  });
}
