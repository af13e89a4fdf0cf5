# Photographs that were taken with an attached camera are filed under that camera, whatever number its
# node has, and found by its node.
source "$LIB"
export CAMERA_CALIBRATIONS="$scratch/store"

usb_camera 0 "$boards/still-320x240" -i 046d:0825 -n 'Desk Camera' -s S-1
run 200 calibrate --board 9x6 --device "$camera" --quiet "$boards/photographs-320x240"
equal "calibrate ends well" "$status" 0
run 20 show-intrinsics "$camera" --size 320x240 --format json
equal "the camera's record is found by its node" "$status" 0
equal "its id is the USB one, with the serial" "$(jq -r .device.id stdout)" usb:046d:0825:S-1
near_truth "the matrix is near the truth" stdout "$boards/photographs-320x240/truth.json"
end_camera

usb_camera 3 "$boards/still-320x240" -i 046d:0825 -n 'Desk Camera' -s S-1
run 20 show-intrinsics "$camera" --size 320x240 --format json
equal "it is found when the camera is at another port" "$(jq -r .device.id stdout)" usb:046d:0825:S-1
end_camera

usb_camera 0 "$boards/still-320x240" -i 046d:0825 -n 'Desk Camera' -s S-2
run 20 show-intrinsics "$camera"
equal "another camera of that model has none" "$status" 1
end_camera
