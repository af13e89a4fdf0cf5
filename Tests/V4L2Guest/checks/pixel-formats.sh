# Frames of every format of a USB camera become the grey pictures that were played, bit for bit (a JPEG loses a little).
source "$LIB"

# How many pictures are none of those that were played.
strangers() { # FOLDER
  md5sum "$1"/*.pgm | cut -c 1-32 | grep -cvFf known
}
md5sum "$boards"/still-320x240/*.pgm | cut -c 1-32 >known

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
