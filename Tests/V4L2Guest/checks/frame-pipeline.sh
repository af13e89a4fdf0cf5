# The article's program gets with each handled frame the matrix that is stored for the camera, to the bit;
# at a size that was not calibrated, and for a camera that was not, it says so.
source "$LIB"
store="$scratch/store"
cp -r "$boards/store" "$store"

# The stored matrix as the program writes it: 48 bytes in hexadecimal digits.
stored_matrix() {
  show-intrinsics "$camera" --store "$store" --size 320x240 --format float3x3 | od -An -v -tx1 | tr -d ' \n'
}

pipeline() { # WHAT: three handled frames of $camera
  run 90 frame-pipeline --device "$camera" --size 320x240 --store "$store" --every 5 --frames 3 --hex \
    "pictures"
  equal "$1: the program ends well" "$status" 0
  equal "$1: each handled frame has the stored matrix" \
    "$(sed -n 's/^frame [0-9]* //p' stdout | uniq -c | tr -s ' ')" " 3 $(stored_matrix)"
  equal "$1: three pictures were written" "$(ls pictures | wc -l)" 3
  rm -r pictures
}

loopback_camera 10 "$boards/still-320x240" -f YUYV -r 10
run 20 frame-pipeline --device "$camera" --size 320x240 --store "$store" --frames 1 pictures
holds "a camera without a calibration: the program does not go on" test "$status" != 0
contains "a camera without a calibration: it says what to do" "$errors" calibrate
show-intrinsics prepared --attach "$camera" --store "$store"
pipeline v4l2loopback
end_camera

usb_camera 0 "$boards/still-320x240" "$boards/still-640x480" -f MJPG,YUYV -r 10 -s S-1
show-intrinsics "Loop one" --attach "$camera" --store "$store"
pipeline "USB camera"
run 40 frame-pipeline --device "$camera" --size 640x480 --store "$store" --frames 1 pictures
holds "another size: delivery is unsupported" test "$status" != 0
contains "another size: the size is said" "$errors" 640x480
run 40 frame-pipeline --device "$camera" --size 800x600 --store "$store" --frames 1 pictures
holds "a size that the camera has not: the program does not go on" test "$status" != 0
contains "a size that the camera has not: what it has is said" "$errors" 640x480
end_camera
