// The one guard that every entry of the bridge runs in.
#pragma once

#include "Names.hpp"
#include "include/OpenCVBridge.h"

#include <cstring>
#include <exception>
#include <new>

namespace ocv {

/// A caller's buffer for the text of an error.
struct Message {
  char *text;
  size_t capacity;

  /// Copies `source`, cut to fit, with a closing zero.
  void set(const char *source) const noexcept {
    if (text == nullptr || capacity == 0) return;
    const size_t length = strnlen(source, capacity - 1);
    std::memcpy(text, source, length);
    text[length] = 0;
  }
};

/// An argument that breaks the rules of the header.
struct InvalidArgument {
  const char *text;
};

/// Throws InvalidArgument unless `condition` holds.
inline void require(bool condition, const char *otherwise) {
  if (!condition) throw InvalidArgument{otherwise};
}

/// Runs `body`, which returns an ocvStatus; whatever it throws becomes a status and a message.
template <class Body> ocvStatus guarded(Message message, Body body) noexcept {
  message.set("");
  try {
    return body();
  } catch (const InvalidArgument &error) {
    message.set(error.text);
    return ocvStatusInvalidArgument;
  } catch (const cv::Exception &error) {
    message.set(error.what());
    return error.code == cv::Error::StsNoMem ? ocvStatusOutOfMemory : ocvStatusOpenCVException;
  } catch (const std::bad_alloc &error) {
    message.set(error.what());
    return ocvStatusOutOfMemory;
  } catch (const std::exception &error) {
    message.set(error.what());
    return ocvStatusStandardException;
  } catch (...) {
    message.set("something was thrown that is not a std::exception");
    return ocvStatusUnknownException;
  }
}

/// Throws what `ocvThrow` was asked for.
void throwKind(ocvThrown kind);

/// The caller's grey image as a cv::Mat that shares its memory; throws InvalidArgument.
cv::Mat grayMat(const uint8_t *pixels, int width, int height, ptrdiff_t stride);

} // namespace ocv
