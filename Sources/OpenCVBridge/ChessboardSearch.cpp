#include "BoundedChild.hpp"
#include "WorkMeter.hpp"

#include <vector>

namespace ocv {
namespace {

/// What a search in a child gets; the pixels follow, row by row without gaps.
struct SearchContext {
  ocvChessboardSearch search;
  int width, height;
  size_t cornerCapacity;
};

/// What it hands back: the size of the board, then the corners.
struct SearchResult {
  double work;
  int columns, rows;
};
static_assert(sizeof(SearchResult) == 2 * sizeof(double), "the corners follow");

int finderFlags(unsigned options) {
  int flags = 0;
  if (options & ocvFinderAdaptiveThreshold) flags |= finder::adaptiveThreshold;
  if (options & ocvFinderNormalizeImage) flags |= finder::normalizeImage;
  if (options & ocvFinderFilterQuads) flags |= finder::filterQuads;
  if (options & ocvFinderFastCheck) flags |= finder::fastCheck;
  if (options & ocvFinderExhaustive) flags |= finder::exhaustive;
  if (options & ocvFinderAccuracy) flags |= finder::accuracy;
  if (options & ocvFinderLarger) flags |= finder::larger;
  return flags;
}

/// Stretches grey values in place so that 0.5 % of them become black and 0.5 % white.
void stretchContrast(cv::Mat &image) {
  size_t histogram[256] = {};
  for (int y = 0; y < image.rows; ++y) {
    const uint8_t *row = image.ptr<uint8_t>(y);
    for (int x = 0; x < image.cols; ++x) ++histogram[row[x]];
  }
  const size_t tail = image.total() / 200;
  int low = 0, high = 255;
  for (size_t sum = histogram[0]; sum <= tail && low < 254; sum += histogram[++low]) {}
  for (size_t sum = histogram[255]; sum <= tail && high > low + 1; sum += histogram[--high]) {}
  const double factor = 255.0 / (high - low);
  image.convertTo(image, CV_8U, factor, -low * factor);
}

/// Makes an image white where it is not notably darker than the mean of its surroundings, else black.
///
/// The surroundings are wider than a square of the board, so that a square is not its own yardstick.
/// Grey values that differ by less than the margin are noise on an even surface: all white, or the
/// finder would take every grain for a quadrangle.
void binarizeByLocalMean(cv::Mat &image) {
  constexpr double share = 0.15, margin = 3;
  const int side = std::max(3, cvRound(share * std::min(image.cols, image.rows)) | 1);
  cv::Mat result;
  cv::adaptiveThreshold(image, result, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY, side, margin);
  image = result;
}

/// The image that is searched, and how its pixels map to those of the whole image.
struct Prepared {
  cv::Mat image;
  double scaleX, scaleY, originX, originY;
};

Prepared prepare(const cv::Mat &whole, const ocvChessboardSearch &search) {
  Prepared result{whole, 1, 1, 0, 0};
  if (search.regionWidth > 0) {
    result.image =
        whole(cv::Rect(search.regionX, search.regionY, search.regionWidth, search.regionHeight));
    result.originX = search.regionX;
    result.originY = search.regionY;
  }
  if (search.scale != 1) {
    const cv::Size size(std::max(1, cvRound(result.image.cols * search.scale)),
                        std::max(1, cvRound(result.image.rows * search.scale)));
    result.scaleX = static_cast<double>(size.width) / result.image.cols;
    result.scaleY = static_cast<double>(size.height) / result.image.rows;
    cv::Mat resized;
    cv::resize(result.image, resized, size, 0, 0, search.scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
    result.image = resized;
  }
  if (search.smoothing > 0) {
    cv::Mat smooth;
    cv::GaussianBlur(result.image, smooth, cv::Size(0, 0), search.smoothing);
    result.image = smooth;
  }
  if (search.stretch) {
    if (result.image.data == whole.data || result.image.isSubmatrix()) result.image = result.image.clone();
    stretchContrast(result.image);
  }
  if (search.binarize) binarizeByLocalMean(result.image);
  return result;
}

ocvStatus searchInChild(const void *opaque, void *payload) {
  const auto &context = *static_cast<const SearchContext *>(opaque);
  const ocvChessboardSearch &search = context.search;
  // Only read: what changes the image works on a copy of it.
  auto *pixels = const_cast<uint8_t *>(reinterpret_cast<const uint8_t *>(&context + 1));
  Prepared prepared = prepare(cv::Mat(context.height, context.width, CV_8UC1, pixels), search);
  WorkMeter meter(prepared.image.total(), search.work);
  auto *result = static_cast<SearchResult *>(payload);
  std::vector<cv::Point2f> corners;
  cv::Size board(search.columns, search.rows);
  bool found;
  if (search.finder == ocvFinderClassic) {
    found = cv::findChessboardCorners(prepared.image, board, corners, finderFlags(search.options));
  } else {
    cv::Mat meta;
    found = cv::findChessboardCornersSB(prepared.image, board, corners, finderFlags(search.options), meta);
    if (found && !meta.empty()) board = meta.size();
  }
  const size_t count = static_cast<size_t>(board.area());
  result->work = meter.fillings();
  if (!found || corners.size() != count) return ocvStatusNotFound;
  if (count > context.cornerCapacity) throw InvalidArgument{"the board has more corners than fit"};
  result->columns = board.width;
  result->rows = board.height;
  auto *out = reinterpret_cast<double *>(result + 1);
  for (size_t i = 0; i < count; ++i) {
    // Resizing keeps the outer edges of the image, not the centres of its corner pixels.
    out[2 * i] = (corners[i].x + 0.5) / prepared.scaleX - 0.5 + prepared.originX;
    out[2 * i + 1] = (corners[i].y + 0.5) / prepared.scaleY - 0.5 + prepared.originY;
  }
  return ocvStatusOK;
}

void validate(const cv::Mat &image, const ocvChessboardSearch &search) {
  require(search.columns >= 3 && search.rows >= 3 && search.columns <= 1000 && search.rows <= 1000,
          "OpenCV's finders need boards of 3x3 to 1000x1000 inner corners");
  require(search.scale >= 1.0 / 64 && search.scale <= 16, "the scale must be in 1/64...16");
  require(search.work >= 0, "the bound on work must be positive, or 0 for none");
  require(search.smoothing >= 0 && search.smoothing <= 50, "the smoothing must be in 0...50 px");
  if (search.regionWidth == 0) return;
  require(search.regionX >= 0 && search.regionY >= 0 && search.regionWidth > 0 && search.regionHeight > 0 &&
              search.regionWidth <= image.cols - search.regionX &&
              search.regionHeight <= image.rows - search.regionY,
          "the region is not inside the image");
}

} // namespace
} // namespace ocv

ocvStatus ocvFindChessboard(
    const uint8_t *pixels, int width, int height, ptrdiff_t stride, const ocvChessboardSearch *search,
    double *corners, size_t cornerCapacity, int *foundColumns, int *foundRows, double *workDone,
    double *cpuSecondsUsed, char *message, size_t messageCapacity) {
  using namespace ocv;
  return guarded({message, messageCapacity}, [&] {
    require(search != nullptr && corners != nullptr && foundColumns != nullptr && foundRows != nullptr,
            "a pointer is null");
    const cv::Mat image = grayMat(pixels, width, height, stride);
    validate(image, *search);
    require((search->options & ocvFinderLarger) ||
                static_cast<size_t>(search->columns) * static_cast<size_t>(search->rows) <= cornerCapacity,
            "the buffer is too small for the corners");
    std::vector<double> payload(2 + 2 * cornerCapacity);
    const ChildRequest request{
        searchInChild, sizeof(SearchContext) + image.total(),
        [&](void *memory) {
          auto *context = static_cast<SearchContext *>(memory);
          *context = {*search, width, height, cornerCapacity};
          auto *to = reinterpret_cast<uint8_t *>(context + 1);
          for (int y = 0; y < height; ++y, to += width) std::memcpy(to, image.ptr<uint8_t>(y), width);
        },
        payload.size() * sizeof(double), {search->cpuSeconds, search->wallSeconds}};
    const ocvStatus status =
        runInChild(request, payload.data(), cpuSecondsUsed, {message, messageCapacity});
    SearchResult result;
    std::memcpy(&result, payload.data(), sizeof result);
    if (workDone != nullptr) *workDone = result.work;
    if (status != ocvStatusOK) return status;
    *foundColumns = result.columns;
    *foundRows = result.rows;
    std::copy_n(payload.data() + 2, 2 * static_cast<size_t>(result.columns) * static_cast<size_t>(result.rows), corners);
    return ocvStatusOK;
  });
}
