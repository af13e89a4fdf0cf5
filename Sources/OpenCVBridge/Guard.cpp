#include "Guard.hpp"

#include <stdexcept>

namespace ocv {

void throwKind(ocvThrown kind) {
  switch (kind) {
  case ocvThrownOpenCV: CV_Error(cv::Error::StsAssert, "thrown by a test");
  case ocvThrownOpenCVOutOfMemory: CV_Error(cv::Error::StsNoMem, "thrown by a test");
  case ocvThrownBadAlloc: throw std::bad_alloc();
  case ocvThrownStandard: throw std::runtime_error("thrown by a test");
  case ocvThrownInteger: throw 1;
  case ocvThrownNothing: break;
  }
}

cv::Mat grayMat(const uint8_t *pixels, int width, int height, ptrdiff_t stride) {
  require(pixels != nullptr, "no pixels");
  require(width > 0 && height > 0 && width <= 65535 && height <= 65535,
          "width and height must be in 1...65535");
  require(stride >= width, "the stride is shorter than a row");
  // OpenCV has no read-only matrix; nothing in the bridge writes to this one.
  return cv::Mat(height, width, CV_8UC1, const_cast<uint8_t *>(pixels), static_cast<size_t>(stride));
}

} // namespace ocv

ocvStatus ocvThrow(ocvThrown kind, char *message, size_t messageCapacity) {
  return ocv::guarded({message, messageCapacity}, [&] {
    ocv::throwKind(kind);
    return ocvStatusOK;
  });
}
