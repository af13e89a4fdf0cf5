#include "Names.hpp"
#include "include/OpenCVBridge.h"

const char *ocvVersion(void) { return CV_VERSION; }

bool ocvVersionIsTested(void) { return ocv::versionIsTested; }
