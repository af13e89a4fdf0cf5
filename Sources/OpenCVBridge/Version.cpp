#include "Names.hpp"
#include "include/OpenCVBridge.h"

#include <opencv2/core/utility.hpp>

// Of the library that is loaded, not of the headers.
const char *ocvVersion(void) {
  static const std::string version = cv::getVersionString();
  return version.c_str();
}

bool ocvVersionIsTested(void) { return ocv::versionIsTested; }

int ocvLooksUpToOneDilation(void) { return ocv::finder::looksUpToOneDilation; }
