# Frames of every format that v4l2loopback passes become the grey pictures that were played, bit for bit.
source "$LIB"

# How many pictures are none of those that were played.
strangers() { # FOLDER
  md5sum "$1"/*.pgm | cut -c 1-32 | grep -cvFf known
}
md5sum "$boards"/still-320x240/*.pgm | cut -c 1-32 >known

for format in YUYV UYVY NV12 YU12 GREY Y16 RGB3 BGR3; do
  loopback_camera 12 "$boards/still-320x240" -f $format
  rm -rf got && mkdir got
  run 60 camera-probe "$camera" "$format" 320x240 3 got
  equal "v4l2loopback, $format: the frames arrive" "$status $(ls got | wc -l)" "0 3"
  equal "v4l2loopback, $format: they are the pictures" "$(strangers got)" 0
  end_camera
done
