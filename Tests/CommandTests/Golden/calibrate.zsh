#compdef calibrate
# made by calibrate --generate-completion zsh
_arguments -s -S \
  '(--board)--board=[The board'\''s inner corners, columns x rows, as OpenCV counts them]:COLUMNSxROWS: ' \
  '(--square --board-size)--square=[The side of a square with its unit, for example 25mm (mm, cm, m or in)]:LENGTH: ' \
  '(--square --board-size)--board-size=[What a printed board measures from the first to the last inner corner, across and down, for example 200x125mm for a 9x6 board of 25 mm squares]:WIDTHxHEIGHT: ' \
  '(--lens)--lens=[The lens model]:MODEL:(auto pinhole rational fisheye spline)' \
  '(--coefficients)--coefficients=[The number of distortion coefficients to estimate, in OpenCV'\''s order (spline]:N: ' \
  '(--solver)--solver=[Whose answer the result is]:SOLVER:(own opencv)' \
  '(--no-outliers)--no-outliers[Use all points and views, also those that do not fit the others, for comparisons with programs that do so]' \
  '(--no-bend)--no-bend[Take the board for flat]' \
  '(--square-pixels)--square-pixels[Estimate one focal length for both directions]' \
  '(--zero-tangential)--zero-tangential[Hold the tangential coefficients p1 and p2 at 0]' \
  '*--fix=[Hold a parameter at a value instead of estimating it]:NAME\[=VALUE\]: ' \
  '*--prior=[Say beforehand what a parameter is about, with its deviation (1 sigma), to be weighed against the views]:NAME=VALUE\:DEVIATION: ' \
  '(--size)--size=[Use the images of this size]:WIDTHxHEIGHT: ' \
  '(--every)--every=[Use every Nth frame of a video]:N: ' \
  '(--max-views)--max-views=[Keep at most N views, those that differ most from one another]:N: ' \
  '*--corners=[Take detected points in place of images]:FILE:_files' \
  '(--dump-corners)--dump-corners=[Write the points that were found into this file]:FILE:_files' \
  '(-j --jobs)'{-j+,--jobs=}'[The number of threads]:N: ' \
  '(--goal --views)--goal=[End when 90 % of the image is known to this, on two views one after the other and not before 8 views]:ACCURACY: ' \
  '(--goal --views)--views=[End with N views, and not at a goal]:N: ' \
  '(--give-up)--give-up=[End after this time without a new view]:TIME: ' \
  '(--keep-frames)--keep-frames=[Write the frames that were kept into this empty or new folder, as grey PNG files]:DIR:_files -/' \
  '(--format)--format=[The pixel format to capture in]:FORMAT:(YUYV UYVY NV12 YU12 GREY Y16 RGB3 BGR3 MJPG JPEG)' \
  '(--fps)--fps=[Frames a second to ask the camera for]:N: ' \
  '(--lock-exposure)--lock-exposure[Hold the exposure, too, at a thirtieth of a second or less]' \
  '(--device --device-name)--device=[Whose camera it is]:DEVICE: ' \
  '(--device --device-name)--device-name=[File the result under this name]:NAME: ' \
  '(--store)--store=[The folder that holds the calibrations]:DIR:_files -/' \
  '(--replace)--replace[Let a poor result take the place of a better one]' \
  '(--dry-run)--dry-run[Store nothing]' \
  '(--json)--json[Print the stored record on standard output, and nothing else there]' \
  '(--draw)--draw=[Write the photographs with what was found drawn in into this folder]:DIR:_files -/' \
  '(--timings)--timings[Say where the time went, as the last line on standard error, in JSON]' \
  '(-q --quiet -v --verbose)'{-q,--quiet}'[Say only warnings and errors on standard error]' \
  '(-q --quiet -v --verbose)'{-v,--verbose}'[Say what became of every image, and how the solving went]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:SOURCE:_files'
