# The article's program with a camera that fails: damaged frames are not delivered, a camera that sends
# nothing and one whose hardware fails end it with a message and the status for cameras.
source "$LIB"
store="$scratch/store"
cp -r "$boards/store" "$store"

start() { # SIZE
  begin frame-pipeline --device "$camera" --size "$1" --store "$store" --every 1 --hex pictures
  holds "$what: frames come" within 60 has_frames 3
}

has_frames() { # COUNT
  [[ "$(grep -c ^frame out)" -ge $1 ]]
}

usb_camera 0 "$boards/still-320x240" -f MJPG -r 10 -s S-1
show-intrinsics prepared --attach "$camera" --store "$store"
what="cut JPEGs"
start 320x240
tell cut 3
within 60 has_frames $(($(grep -c ^frame out) + 8))
kill -INT "$program"
end
equal "$what: the program goes on" "$status" 130
# Numbers of frames that were not delivered; one that the driver lost is not among the cut ones.
missing="$(sed -n 's/^frame \([0-9]*\) .*/\1/p' out |
  awk 'NR > 1 { missing += $1 - last - 1 } { last = $1 } END { print missing + 0 }')"
holds "$what: they were not delivered" test "$missing" -ge 3

what="a silent camera"
start 320x240
tell stall 120
end
equal "$what: status" "$status" 69
contains "$what: it is said" "$(cat error)" "no frame"
end_camera

vivid_camera
what="failing hardware"
show-intrinsics usb:1d6b:0102:S-1 --store "$store" --format opencv |
  sed 's/^image_height: .*/image_height: 180/' >vivid.yml
import-calibration vivid.yml --device "$camera" --store "$store"
start 320x180
v4l2-ctl -d "$camera" -c inject_fatal_streaming_error=1
end
equal "$what: status" "$status" 69
contains "$what: it is said" "$(cat error)" "cable failed"
what="frames with the error flag"
start 320x180
v4l2-ctl -d "$camera" -c inject_v4l2_buf_flag_error=1
holds "$what: the program goes on" within 60 has_frames $(($(grep -c ^frame out) + 4))
kill -INT "$program"
end
equal "$what: it ends at Ctrl-C" "$status" 130
