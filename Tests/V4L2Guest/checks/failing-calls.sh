# A USB camera that is busy, silent or unplugged is told so.
source "$LIB"

is_over() { # PROCESS
  ! kill -0 "$1" 2>/dev/null
}

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
