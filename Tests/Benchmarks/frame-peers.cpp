// What conversions of frames are measured beside: OpenCV's cvtColor and turbojpeg, called from C++ with
// one thread each. Built as a shared library by frames.sh, loaded by bench-frames.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <opencv2/imgproc.hpp>
#include <turbojpeg.h>

static cv::Mat mat(const uint8_t *bytes, int width, int height, int type) {
  return cv::Mat(height, width, type, const_cast<uint8_t *>(bytes));
}

extern "C" {

void peer_prepare() { cv::setNumThreads(1); }

void peer_yuyv_to_gray(const uint8_t *from, uint8_t *to, int width, int height) {
  cv::Mat result = mat(to, width, height, CV_8UC1);
  cv::cvtColor(mat(from, width, height, CV_8UC2), result, cv::COLOR_YUV2GRAY_YUYV);
}

void peer_yuyv_to_bgra(const uint8_t *from, uint8_t *to, int width, int height) {
  cv::Mat result = mat(to, width, height, CV_8UC4);
  cv::cvtColor(mat(from, width, height, CV_8UC2), result, cv::COLOR_YUV2BGRA_YUYV);
}

void peer_nv12_to_bgra(const uint8_t *from, uint8_t *to, int width, int height) {
  cv::Mat result = mat(to, width, height, CV_8UC4);
  cv::cvtColor(mat(from, width, height * 3 / 2, CV_8UC1), result, cv::COLOR_YUV2BGRA_NV12);
}

// A decoder lives as long as the process, as a camera program's would.
static int decompress(const uint8_t *bytes, size_t count, uint8_t *to, int width, int height,
                      int format) {
  static tjhandle decoder = tjInitDecompress();
  return tjDecompress2(decoder, bytes, count, to, width, 0, height, format, 0);
}

int peer_jpeg_to_gray(const uint8_t *bytes, size_t count, uint8_t *to, int width, int height) {
  return decompress(bytes, count, to, width, height, TJPF_GRAY);
}

int peer_jpeg_to_bgra(const uint8_t *bytes, size_t count, uint8_t *to, int width, int height) {
  return decompress(bytes, count, to, width, height, TJPF_BGRA);
}

// The bytes of a 4:2:2 JPEG, as webcams send them; 0 where they don't fit.
size_t peer_make_jpeg(const uint8_t *bgra, int width, int height, int quality, uint8_t *to,
                      size_t capacity) {
  tjhandle encoder = tjInitCompress();
  unsigned char *bytes = nullptr;
  unsigned long count = 0;
  int status = tjCompress2(encoder, bgra, width, 0, height, TJPF_BGRA, &bytes, &count, TJSAMP_422,
                           quality, 0);
  size_t written = status == 0 && count <= capacity ? count : 0;
  std::memcpy(to, bytes, written);
  tjFree(bytes);
  tjDestroy(encoder);
  return written;
}
}
