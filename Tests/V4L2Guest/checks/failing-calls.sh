# A USB camera that is busy, silent or unplugged is told so.
source "$LIB"

usb_camera 0 "$boards/still-320x240" -f YUYV
begin camera-probe "$camera" YUYV 320x240 1000
within 30 grep -q ^frame out
run 30 camera-probe "$camera" YUYV 320x240 1
equal "a camera that another program uses is busy" "$status ${errors%% *}" "1 busy"
tell stall 600
end
equal "a camera that sends nothing is told so" "$status $(cut -d ' ' -f 1 error)" "1 noFrames"
tell stall 0
begin camera-probe "$camera" YUYV 320x240 1000
within 30 grep -q ^frame out
tell unplug
end
equal "a camera that is unplugged in mid-stream is told so" "$status $(cut -d ' ' -f 1 error)" "1 unplugged"
end_camera
