# The guest itself: each of the three drivers has a camera, and its frames arrive.
source "$LIB"

frames_of() { # WHAT NODE FORMAT BYTES
  run 60 v4l2-ctl -d "$2" -v "width=320,height=240,pixelformat=$3" --stream-mmap=4 --stream-skip=1 \
    --stream-count=3 --stream-to=frames
  if [[ "$3" == MJPG ]]; then
    equal "$1: three JPEGs arrive" "$(od -An -v -tx1 -w1 frames | tr -d ' \n' | grep -o ffd8ff | wc -l)" 3
  else
    equal "$1: three $3 frames arrive" "$(stat -c %s frames)" $((3 * $4))
  fi
}

# Frames of GREY are the pictures, bit for bit.
pictures_of() { # WHAT
  local size=$((320 * 240)) picture wrong
  for picture in "$boards"/still-320x240/*.pgm; do tail -c "$size" "$picture" | md5sum; done |
    cut -c 1-32 >known
  rm -f frame.*
  split -b "$size" frames frame.
  wrong="$(md5sum frame.* | cut -c 1-32 | grep -cvFf known)"
  equal "$1: every frame is one of the pictures" "$wrong" 0
}

vivid_camera
run 20 v4l2-ctl --list-devices
contains "vivid is listed" "$output" "vivid (platform:vivid-000)"
v4l2-ctl -d "$camera" -v width=320,height=180,pixelformat=YUYV
run 60 v4l2-ctl -d "$camera" --stream-mmap=4 --stream-count=3 --stream-to=frames
equal "vivid: three frames arrive" "$(stat -c %s frames)" $((3 * 320 * 180 * 2))

loopback_camera 10 "$boards/still-320x240" -f GREY
run 20 v4l2-ctl --list-devices
contains "v4l2loopback is listed by its label" "$output" "Loop one (platform:v4l2loopback-000)"
frames_of v4l2loopback "$camera" GREY $((320 * 240))
pictures_of v4l2loopback
end_camera

usb_camera 0 "$boards/still-320x240" -f MJPG,GREY -n 'Desk Camera' -s S-1
run 20 v4l2-ctl --list-devices
contains "the USB camera is listed" "$output" "Desk Camera (usb-vhci_hcd.0-1)"
frames_of "USB camera" "$camera" MJPG
frames_of "USB camera" "$camera" GREY $((320 * 240))
pictures_of "USB camera"
equal "its serial is in /dev/v4l/by-id" "$(ls /dev/v4l/by-id | head -n 1)" \
  usb-V4L2_Guest_Desk_Camera_S-1-video-index0
end_camera
