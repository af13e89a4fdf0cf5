# What `list-cameras` says of real cameras: names, ids, no metadata nodes; two of one model are told apart
# by their serials, or by their ports where they have none or the same one.
source "$LIB"
export CAMERA_CALIBRATIONS="$scratch/store"
mkdir "$CAMERA_CALIBRATIONS"

listed() { # FILTER: what jq makes of the list, a line
  jq -r "$1" list
}

ids() { # the ids of the cameras on USB now, with what they rest on
  list-cameras --json >list
  listed '.[] | select(.id | test("usb")) | .id + " by " + .identifiedBy' | sort
}

vivid_camera
loopback_camera 11 "$boards/still-320x240" -f YUYV
usb_camera 0 "$boards/still-320x240" "$boards/still-640x480" -f MJPG,YUYV -r 10 -i 046d:0825 \
  -n 'Desk Camera' -s S-1
first_player="$player" first="$camera"
list-cameras --json >list
equal "vivid, by its position" "$(listed '.[] | select(.driver == "vivid") | .id')" \
  bus:platform:vivid-000
equal "v4l2loopback, by its label" "$(listed '.[] | select(.name == "Loop two") | .node + " " + .id')" \
  "/dev/video11 name:loop-two"
equal "the USB camera once, without its metadata node" \
  "$(listed '.[] | select(.driver == "uvcvideo") | .node + " " + .name')" "$first Desk Camera"
equal "its id" "$(ids)" "usb:046d:0825:S-1 by serial number"
equal "its formats, sizes and rates" \
  "$(listed '.[] | select(.driver == "uvcvideo") | .formats[] | .format + (.sizes[]
    | " \(.width)x\(.height) \(.framesPerSecond)")' | sort | tr '\n' ';')" \
  "MJPG 320x240 [10,5];MJPG 640x480 [10,5];YUYV 320x240 [10,5];YUYV 640x480 [10,5];"
run 30 list-cameras
equal "as text, too" "$status" 0
contains "with the name" "$output" "Desk Camera"

second() { # SERIAL: ids while a second one of that model is attached
  usb_camera 1 "$boards/still-320x240" -f YUYV -i 046d:0825 -n 'Desk Camera' -s "$1"
  ids
  end_camera
}
equal "another one with another serial" "$(second S-2)" \
  "usb:046d:0825:S-1 by serial number
usb:046d:0825:S-2 by serial number"
equal "another one with the same serial: by their ports" "$(second S-1 | cut -d ' ' -f 1)" \
  "bus:usb-vhci_hcd.0-1
bus:usb-vhci_hcd.0-2"
end_first() {
  kill "$first_player"
  wait "$first_player"
  within 10 is_gone "$first"
}
equal "another one without a serial: that one by its port" "$(second '' | cut -d ' ' -f 1)" \
  "bus:usb-vhci_hcd.0-2
usb:046d:0825:S-1"
end_first 2>/dev/null
usb_camera 0 "$boards/still-320x240" -f YUYV -i 046d:0825 -n 'Desk Camera'
equal "two without serials: by their ports" "$(second '' | cut -d ' ' -f 1)" \
  "bus:usb-vhci_hcd.0-1
bus:usb-vhci_hcd.0-2"
