# Frames of every format become the grey pictures that were played, bit for bit (a JPEG loses a little).
source "$LIB"

# How many pictures are none of those that were played.
strangers() { # FOLDER
  md5sum "$1"/*.pgm | cut -c 1-32 | grep -cvFf known
}
md5sum "$boards"/still-320x240/*.pgm | cut -c 1-32 >known

for format in YUYV UYVY NV12 YU12 GREY Y16 RGB3 BGR3; do
  loopback_camera 10 "$boards/still-320x240" -f $format -r 10
  rm -rf got && mkdir got
  run 60 camera-probe "$camera" "$format" 320x240 4 got
  equal "v4l2loopback, $format: the frames arrive" "$status $(ls got | wc -l | sed 's/[34]/all/')" "0 all"
  equal "v4l2loopback, $format: they are the pictures" "$(strangers got)" 0
  end_camera
done

usb_camera 0 "$boards/still-320x240" -f YUYV,NV12,GREY,MJPG -r 10
for format in YUYV NV12 GREY; do
  rm -rf got && mkdir got
  run 60 camera-probe "$camera" $format 320x240 3 got
  equal "USB camera, $format: the frames arrive" "$status $(ls got | wc -l)" "0 3"
  equal "USB camera, $format: they are the pictures" "$(strangers got)" 0
done
run 60 camera-probe "$camera" MJPG 320x240 3 got
equal "USB camera, MJPG: the frames arrive" "$status $(ls got | wc -l)" "0 3"
run 20 camera-probe "$camera" YUYV 640x480 3
equal "a size that the camera has not is refused" "$status ${errors%% *}" "1 formatUnavailable"
contains "what it has is said" "$errors" "NV12 320x240"
end_camera
