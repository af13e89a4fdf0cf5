# Damaged, cut and missing frames are known as such.
source "$LIB"

# Whether camera-probe has written so many lines that begin with "frame", with MARK in them.
has_lines() { # COUNT [MARK]
  [[ "$(grep -c "^frame.*${2:-}" out)" -ge $1 ]]
}

start_probe() { # FORMAT SIZE: in the background, its process in $probing
  camera-probe "$camera" "$1" "$2" 10000 >out 2>error &
  probing=$!
  within 60 has_lines 3
}

# Lets some more frames come, then ends the probe.
end_probe() { # MARK: that has to come at least once before
  within 60 has_lines 1 "$1"
  within 60 has_lines $(($(grep -c ^frame out) + 4))
  kill "$probing"
  wait "$probing"
}

missed() { # the number of frames that were told to be missing
  awk '/^frame/ { missed += $4 } END { print missed + 0 }' out
}

loopback_camera 10 "$boards/still-320x240" -f YUYV
start_probe YUYV 320x240
tell cut 2
end_probe truncated
equal "v4l2loopback: two cut YUYV frames are marked" "$(grep -c truncated out)" 2
end_camera

loopback_camera 10 "$boards/still-320x240" -f MJPG
start_probe MJPG 320x240
tell cut 2
end_probe truncated
equal "v4l2loopback: two cut JPEGs are found out by their end" \
  "$(grep -v stale out | grep -c truncated)" 2
end_camera

usb_camera 0 "$boards/still-320x240" -f MJPG,YUYV
start_probe MJPG 320x240
tell cut 2
end_probe truncated
equal "USB camera: two cut JPEGs, not flagged by the driver, are found out" "$(grep -c truncated out)" 2
start_probe YUYV 320x240
before="$(missed)"
tell fault 2
end_probe 'missed [1-9]'
holds "USB camera: frames that the driver drops are counted as missed" test "$(missed)" -ge $((before + 2))
end_camera

vivid_camera
start_probe YUYV 320x180
v4l2-ctl -d "$camera" -c inject_v4l2_buf_flag_error=1
end_probe corrupt
equal "vivid: a frame with the error flag is marked" "$(grep -c corrupt out)" 1
start_probe YUYV 320x180
v4l2-ctl -d "$camera" -c percentage_of_dropped_buffers=50
end_probe 'missed [1-9]'
v4l2-ctl -d "$camera" -c percentage_of_dropped_buffers=0
holds "vivid: dropped buffers are counted as missed" test "$(missed)" -ge 1
