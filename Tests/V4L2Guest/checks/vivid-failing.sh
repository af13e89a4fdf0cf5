# A call that fails is told with its own code, and the camera works the next time; frames that the driver
# flags or drops are known as such.
source "$LIB"

works() { # WHAT
  run 60 camera-probe "$camera" YUYV 320x180 2
  equal "$1" "$status" 0
}

vivid_camera
for call in reqbufs qbuf streamon; do
  v4l2-ctl -d "$camera" -c "inject_vidioc_${call}_error=1"
  run 60 camera-probe "$camera" YUYV 320x180 2
  equal "vivid: $call fails once: an error, not a crash" "$status" 1
  contains "vivid: $call fails once: it is said" "$errors" "$camera: cannot "
  works "vivid: it works after $call has failed"
done

failing_stream() { # WHAT CONTROL CODE
  begin camera-probe "$camera" YUYV 320x180 1000
  within 30 grep -q ^frame out
  v4l2-ctl -d "$camera" -c "$2=1"
  end
  equal "$1" "$status $(cut -d ' ' -f 1 error)" "1 $3"
}

failing_stream "vivid: a fatal error in the middle is the hardware's" inject_fatal_streaming_error hardware
works "vivid: it works after the fatal error"
failing_stream "vivid: a camera that disconnects is told so" disconnect unplugged
works "vivid: it works after it was disconnected"

start_probe YUYV 320x180
v4l2-ctl -d "$camera" -c inject_v4l2_buf_flag_error=1
end_probe corrupt
equal "vivid: a frame with the error flag is marked" "$(grep -c corrupt out)" 1
start_probe YUYV 320x180
v4l2-ctl -d "$camera" -c percentage_of_dropped_buffers=50
end_probe 'missed [1-9]'
v4l2-ctl -d "$camera" -c percentage_of_dropped_buffers=0
holds "vivid: dropped buffers are counted as missed" test "$(missed)" -ge 1
