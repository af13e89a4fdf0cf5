# Cut frames that come through v4l2loopback are known as such.
source "$LIB"

loopback_camera 12 "$boards/still-320x240" -f YUYV
start_probe YUYV 320x240
tell cut 2
end_probe truncated
marked "v4l2loopback: two cut YUYV frames are marked" 2 truncated
end_camera

loopback_camera 12 "$boards/still-320x240" -f MJPG
start_probe MJPG 320x240
tell cut 2
end_probe truncated
marked "v4l2loopback: two cut JPEGs are found out by their end" 2 truncated
end_camera
