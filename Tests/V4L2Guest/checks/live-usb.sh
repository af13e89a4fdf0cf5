# The same with a USB camera that sends JPEGs, without naming it, until the goal is met: what it stores is
# what the article's program gets, until the lens moves.
source "$LIB"
export CAMERA_CALIBRATIONS="$scratch/store"

program_says() { # TEXT
  grep -q "$1" out error
}

usb_camera 0 "$boards/held-320x240" -f MJPG -H 2 -i 046d:0825 -n 'Desk Camera' -s S-1
equal "it is the first camera" "$camera" /dev/video0
run 400 calibrate --board 9x6 --goal 0.5px
echo "$errors"
equal "calibrate ends by itself, and well" "$status" 0
contains "it says that the goal is met" "$errors" "views were kept: the goal is met"
run 20 show-intrinsics "$camera" --size 320x240 --format json
equal "the record is filed under vendor, product and serial" "$(jq -r .device.id stdout)" usb:046d:0825:S-1
near_truth "the matrix is near the truth" stdout "$boards/held-320x240/truth.json"
equal "it says that the focus was held" \
  "$(jq -c '.lensControls | .focus_automatic_continuous, .focus_absolute | .locked' stdout | paste -sd ' ')" \
  "true true"
equal "it says how the zoom stood" "$(jq -r '.lensControls.zoom_absolute.value' stdout)" 100

v4l2-ctl -d "$camera" -c focus_automatic_continuous=0
begin frame-pipeline --device "$camera" --size 320x240 --every 1 --hex pictures
holds "the article's program gets it" within 60 program_says "^frame [0-9]* [0-9a-f]"
equal "bit for bit" "$(sed -n 's/^frame [0-9]* //p' out | sort -u | tail -n 1)" \
  "$(show-intrinsics "$camera" --size 320x240 --format float3x3 | od -An -v -tx1 | tr -d ' \n')"
v4l2-ctl -d "$camera" -c zoom_absolute=200
holds "after the zoom has moved there is none, and it is said why" \
  within 30 program_says "has no intrinsics.*zoom"
v4l2-ctl -d "$camera" -c zoom_absolute=100
holds "when it is back it is said" within 30 program_says "stands as it stood"
kill -INT "$program"
wait "$program"
end_camera
