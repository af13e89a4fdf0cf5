#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H
/// A plain-C face over libpng's setjmp error handling and libjpeg-turbo, for Swift.
int cic_version(void);
#endif
