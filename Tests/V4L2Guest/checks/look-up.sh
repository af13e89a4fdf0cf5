# A program that takes frames with another library finds the camera's intrinsics: by its device file, by a
# link to it, under another name, and by an open descriptor, at the size that the camera is set to.
source "$LIB"
export CAMERA_CALIBRATIONS="$scratch/store"
cp -r "$boards/store" store

usb_camera 0 "$boards/still-320x240" "$boards/still-640x480" -f YUYV -i 046d:0825 -n 'Desk Camera' -s S-1
run 30 show-intrinsics prepared --attach "$camera"
equal "the prepared calibration is filed under the camera" "$status" 0
run 20 show-intrinsics "$camera" --size 320x240 --format json
matrix="$(jq -r '.intrinsics | "\(.fx)"' stdout | cut -c1-6)"

ln -s "$camera" link
mknod odd-name c "$((16#$(stat -c %t "$camera")))" "$((16#$(stat -c %T "$camera")))"
for path in "$camera" link odd-name; do
  run 20 look-up-intrinsics "$path" 320x240
  equal "$path: found at the calibrated size" "$status" 0
  contains "$path: with the stored numbers" "$output" "320x240 matrix_float3x3([[$matrix"
done
run 20 look-up-intrinsics "$camera" 640x480
equal "nothing at another size" "$status" 1

v4l2-ctl -d "$camera" --set-fmt-video=width=320,height=240,pixelformat=YUYV
run 20 look-up-intrinsics "$camera"
contains "an open descriptor: the camera says its size" "$output" "320x240 matrix_float3x3([[$matrix"
v4l2-ctl -d "$camera" --set-fmt-video=width=640,height=480,pixelformat=YUYV
run 20 look-up-intrinsics "$camera"
equal "an open descriptor: nothing at the size that is set now" "$status" 1
end_camera
run 20 look-up-intrinsics odd-name 320x240
equal "unplugged: an error" "$status" 69
