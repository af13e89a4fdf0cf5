#ifndef OPENCVBRIDGE_H
#define OPENCVBRIDGE_H

/// OpenCV behind a plain C header.
///
/// Rules that hold for every entry:
/// - Pixels are in the pixel-centre convention: the centre of the top-left pixel is (0, 0). Points are
///   packed doubles: x, y (pixels) or x, y, z (any unit of length). Row strides are in bytes.
/// - The caller owns every buffer; its capacity goes in and is checked. Nothing allocated inside
///   leaves, nothing that was handed in is kept.
/// - No C++ exception leaves: it becomes the returned ocvStatus, and its text goes into `message`
///   (at most `messageCapacity` bytes with the closing zero; may be null with capacity 0).
/// - Every entry may be called from several threads at once.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum ocvStatus {
  ocvStatusOK = 0,
  /// The call worked and there is no such thing in the image.
  ocvStatusNotFound = 1,
  /// An argument is out of range, or a buffer too small; nothing was done.
  ocvStatusInvalidArgument = 2,
  /// cv::Exception.
  ocvStatusOpenCVException = 3,
  /// std::bad_alloc, or OpenCV's own "out of memory".
  ocvStatusOutOfMemory = 4,
  /// Any other std::exception.
  ocvStatusStandardException = 5,
  /// Something thrown that is not a std::exception.
  ocvStatusUnknownException = 6,
  /// The search used up its time and was ended.
  ocvStatusTimeLimit = 7,
  /// OpenCV crashed in the child process; this process is unharmed.
  ocvStatusCrashed = 8,
  /// The child process was ended by SIGINT, SIGTERM, SIGHUP or SIGQUIT.
  ocvStatusInterrupted = 9,
  /// The system refused a process or memory.
  ocvStatusSystem = 10,
  /// The search did as much work as it may and was ended.
  ocvStatusWorkLimit = 11
} ocvStatus;

/// The version of the OpenCV that is loaded, for example "4.6.0"; static memory.
const char *ocvVersion(void);

/// How many looks at its first thresholded image the classic finder takes up to the one after a dilation.
int ocvLooksUpToOneDilation(void);

/// Whether the tests of this package have run with the version that the bridge was compiled against.
bool ocvVersionIsTested(void);

/// The CPU time of all child processes of this bridge that have ended, in seconds.
double ocvChildCPUSeconds(void);

/// What `ocvThrow` throws.
typedef enum ocvThrown {
  ocvThrownOpenCV,
  ocvThrownOpenCVOutOfMemory,
  ocvThrownBadAlloc,
  ocvThrownStandard,
  ocvThrownInteger,
  ocvThrownNothing
} ocvThrown;

/// For tests: throws inside the guard that surrounds every entry.
ocvStatus ocvThrow(ocvThrown kind, char *message, size_t messageCapacity);

/// How a child process of `ocvMisbehave` behaves.
typedef enum ocvMisbehaviour {
  /// Computes without end.
  ocvMisbehaviourSpins,
  /// Waits without end, using no CPU time.
  ocvMisbehaviourWaits,
  /// Gets a SIGSEGV.
  ocvMisbehaviourSegfaults,
  /// Calls abort().
  ocvMisbehaviourAborts,
  /// Throws a cv::Exception.
  ocvMisbehaviourThrows,
  /// Sends itself SIGINT, as a terminal does on Ctrl-C.
  ocvMisbehaviourInterrupted,
  /// Returns at once.
  ocvMisbehaviourNone
} ocvMisbehaviour;

/// Ends the child processes in which no search is under way; the next search starts one again.
void ocvEndChildren(void);

/// For tests: a child process like those of `ocvFindChessboard` that misbehaves.
ocvStatus ocvMisbehave(
    ocvMisbehaviour kind, double cpuSeconds, double wallSeconds, char *message, size_t messageCapacity);

/// OpenCV's chessboard finders.
typedef enum ocvFinder {
  /// cv::findChessboardCorners.
  ocvFinderClassic,
  /// cv::findChessboardCornersSB.
  ocvFinderSectorBased
} ocvFinder;

/// Options of the finders, by the names of OpenCV's flags.
typedef enum ocvFinderOption {
  ocvFinderAdaptiveThreshold = 1,
  ocvFinderNormalizeImage = 2,
  ocvFinderFilterQuads = 4,
  ocvFinderFastCheck = 8,
  ocvFinderExhaustive = 16,
  ocvFinderAccuracy = 32,
  /// The board may be larger than asked for; its size comes back (sector based only).
  ocvFinderLarger = 64
} ocvFinderOption;

/// What to search for, where and how.
typedef struct ocvChessboardSearch {
  /// Inner corners a row and rows of them, at least 3 (OpenCV's limit is 3 for the classic finder).
  int columns, rows;
  ocvFinder finder;
  /// Any of ocvFinderOption.
  unsigned options;
  /// The part of the image to search, in pixels; a width of 0 means the whole image.
  int regionX, regionY, regionWidth, regionHeight;
  /// The size of the searched image as a factor: below 1 the mean over areas, above 1 cubic.
  double scale;
  /// The deviation of a Gaussian that smooths the searched image, in its pixels; 0 = none.
  double smoothing;
  /// Whether grey values are stretched first so that 0.5 % and 99.5 % become black and white.
  bool stretch;
  /// Whether pixels are first made white where they are not darker than the mean around them, else black.
  bool binarize;
  /// The search is ended when it has filled its working memory so many times: bytes that it took for
  /// images, divided by the pixels of the searched image. The same for the same image, however busy
  /// the machine. 0 = no bound.
  double work;
  /// The search is ended after this much CPU time, in seconds.
  double cpuSeconds;
  /// The search is ended after this much time on the clock, in seconds.
  double wallSeconds;
} ocvChessboardSearch;

/// Searches for a chessboard, in a child process that is ended at the limits of `search`.
///
/// OpenCV's finders can't be interrupted and run for minutes on some images; in a child process
/// that can be killed, the bound is sure, and a crash harms nobody.
///
/// - corners: gets foundColumns·foundRows points, row by row, in pixels of the whole image;
///   at most `cornerCapacity` of them.
/// - workDone: gets what `work` bounds, where the search came to an end by itself.
/// - returns: OK, NotFound, WorkLimit, TimeLimit, Crashed, … as above.
ocvStatus ocvFindChessboard(
    const uint8_t *pixels, int width, int height, ptrdiff_t stride, const ocvChessboardSearch *search,
    double *corners, size_t cornerCapacity, int *foundColumns, int *foundRows, double *workDone,
    double *cpuSecondsUsed, char *message, size_t messageCapacity);

/// Refines corners in place by cv::cornerSubPix, each with a half window of its own (pixels, 1…64).
ocvStatus ocvRefineCorners(
    const uint8_t *pixels, int width, int height, ptrdiff_t stride, double *corners, size_t cornerCount,
    const int *halfWindows, int iterations, double epsilon, char *message, size_t messageCapacity);

/// Points of several views, one view after the other.
typedef struct ocvViews {
  /// x, y, z of every point on the board.
  const double *boardPoints;
  /// x, y of every point in the image, pixels.
  const double *pixels;
  /// The number of points of each view, at least 4.
  const int *pointCounts;
  int viewCount;
} ocvViews;

/// Options of the calibrations.
typedef enum ocvCalibrationOption {
  /// `camera` and `distortion` hold start values.
  ocvCalibrationUseGuess = 1,
  ocvCalibrationFixPrincipalPoint = 2,
  ocvCalibrationFixFocalLength = 4,
  /// fx/fy keeps its start value (pinhole and rational only).
  ocvCalibrationFixAspectRatio = 8,
  /// Stops at a view whose equations are ill-conditioned (fisheye only).
  ocvCalibrationCheckCondition = 16
} ocvCalibrationOption;

/// cv::calibrateCamera with CALIB_USE_LU.
///
/// - freeCoefficients: 8 flags for k1 k2 p1 p2 k3 k4 k5 k6; those not free keep their start value
///   (0 without a guess). OpenCV frees p1 and p2 together: they are free if both flags are set.
/// - camera: fx fy cx cy, in and out. distortion: 8 coefficients in the order above, in and out.
/// - poses: gets rotation vector and translation of each view (board to camera), 6 numbers a view.
ocvStatus ocvCalibrateCamera(
    const ocvViews *views, int width, int height, const bool *freeCoefficients, unsigned options,
    int iterations, double epsilon, double *camera, double *distortion, double *poses,
    size_t poseCapacity, double *rms, char *message, size_t messageCapacity);

/// cv::fisheye::calibrate with CALIB_RECOMPUTE_EXTRINSIC and CALIB_FIX_SKEW; as above, with the 4
/// coefficients k1 k2 k3 k4.
ocvStatus ocvCalibrateFisheye(
    const ocvViews *views, int width, int height, const bool *freeCoefficients, unsigned options,
    int iterations, double epsilon, double *camera, double *distortion, double *poses,
    size_t poseCapacity, double *rms, char *message, size_t messageCapacity);

/// The pose of a planar board (z = 0) seen by an ideal camera of focal length 1, by cv::solvePnP.
///
/// - image: x, y of every point in the plane z = 1 of the camera.
/// - pose: gets rotation vector and translation, board to camera.
ocvStatus ocvSolvePlanarPose(
    const double *boardPoints, const double *image, size_t pointCount, double *pose, char *message,
    size_t messageCapacity);

#ifdef __cplusplus
}
#endif
#endif
