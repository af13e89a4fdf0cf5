# Damaged, cut and missing frames of a USB camera are known as such.
source "$LIB"

usb_camera 0 "$boards/still-320x240" -f MJPG,YUYV
start_probe MJPG 320x240
tell cut 2
end_probe truncated
marked "USB camera: two cut JPEGs, not flagged by the driver, are found out" 2 truncated
start_probe YUYV 320x240
before="$(missed)"
tell fault 2
end_probe 'missed [1-9]'
holds "USB camera: frames that the driver drops are counted as missed" test "$(missed)" -ge $((before + 2))
end_camera
