# A call that fails is told with its own code; the camera works the next time.
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
  camera-probe "$camera" YUYV 320x180 1000 >out 2>error &
  local probing=$!
  within 30 grep -q frame out
  v4l2-ctl -d "$camera" -c "$2=1"
  within 20 is_over "$probing" || kill -9 "$probing"
  wait "$probing"
  equal "$1" "$? $(cut -d ' ' -f 1 error)" "1 $3"
}

is_over() { # PROCESS
  ! kill -0 "$1" 2>/dev/null
}

failing_stream "vivid: a fatal error in the middle is the hardware's" inject_fatal_streaming_error hardware
works "vivid: it works after the fatal error"
failing_stream "vivid: a camera that disconnects is told so" disconnect unplugged
works "vivid: it works after it was disconnected"

usb_camera 0 "$boards/still-320x240" -f YUYV
camera-probe "$camera" YUYV 320x240 1000 >out 2>error &
probing=$!
within 30 grep -q frame out
run 30 camera-probe "$camera" YUYV 320x240 1
equal "a camera that another program uses is busy" "$status ${errors%% *}" "1 busy"
tell stall 60
within 40 is_over "$probing" || kill -9 "$probing"
wait "$probing"
equal "a camera that sends nothing is told so" "$? $(cut -d ' ' -f 1 error)" "1 noFrames"
tell stall 0
camera-probe "$camera" YUYV 320x240 1000 >out 2>error &
probing=$!
within 30 grep -q frame out
tell unplug
within 20 is_over "$probing" || kill -9 "$probing"
wait "$probing"
equal "a camera that is unplugged in mid-stream is told so" "$? $(cut -d ' ' -f 1 error)" "1 unplugged"
end_camera
