#include "OpenCVBridge.h"

#include <opencv2/core/version.hpp>

const char *ocvVersion(void) { return CV_VERSION; }
