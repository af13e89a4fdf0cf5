// A measure of the work of OpenCV's finders that does not depend on how busy the machine is.
#pragma once

#include "BoundedChild.hpp"

namespace ocv {

/// Counts the memory that OpenCV takes for images, and ends the piece of work at a bound.
///
/// OpenCV has no way to stop a finder. But each of the classic finder's 56 attempts (thresholds,
/// dilations) takes a new image of the same size, and so does each step of the sector-based one: what
/// they have taken so far says how far they are, the same on every run. Only in a child process, in which
/// nothing else uses OpenCV: the meter is its allocator as long as it lives.
class WorkMeter final : public cv::MatAllocator {
public:
  /// Starts to count; `limit` is in images of `pixels` bytes, 0 for none.
  WorkMeter(size_t pixels, double limit) : pixels(static_cast<double>(pixels)), limit(limit) {
    cv::Mat::setDefaultAllocator(this);
  }
  ~WorkMeter() override { cv::Mat::setDefaultAllocator(standard); }
  WorkMeter(const WorkMeter &) = delete;
  WorkMeter &operator=(const WorkMeter &) = delete;

  /// The work so far.
  double fillings() const { return bytes / pixels; }

  cv::UMatData *allocate(int dimensions, const int *sizes, int type, void *data, size_t *step,
                         cv::AccessFlag flags, cv::UMatUsageFlags usage) const override {
    cv::UMatData *result = standard->allocate(dimensions, sizes, type, data, step, flags, usage);
    bytes += static_cast<double>(result->size);
    if (limit > 0 && bytes > limit * pixels) throw EndOfWork{ocvStatusWorkLimit};
    return result;
  }
  bool allocate(cv::UMatData *data, cv::AccessFlag flags, cv::UMatUsageFlags usage) const override {
    return standard->allocate(data, flags, usage);
  }
  void deallocate(cv::UMatData *data) const override { standard->deallocate(data); }

private:
  cv::MatAllocator *standard = cv::Mat::getStdAllocator();
  double pixels, limit;
  /// `allocate` is const in OpenCV. OpenCV works on one thread (`warmUp`).
  mutable double bytes = 0;
};

} // namespace ocv
