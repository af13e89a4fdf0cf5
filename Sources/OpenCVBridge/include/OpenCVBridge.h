#ifndef OPENCVBRIDGE_H
#define OPENCVBRIDGE_H
#ifdef __cplusplus
extern "C" {
#endif
/// The version of OpenCV that the bridge was compiled against, for example "4.6.0"; static memory.
const char *ocvVersion(void);
#ifdef __cplusplus
}
#endif
#endif
