# The lens is held for a calibration, and set back however the program ends.
source "$LIB"

usb_camera 0 "$boards/still-320x240" -f YUYV
names=focus_automatic_continuous,focus_absolute,zoom_absolute,auto_exposure,exposure_time_absolute

state() {
  v4l2-ctl -d "$camera" -C "$names" | sed 's/.*: *//' | cut -d ' ' -f 1 | paste -sd ' '
}

has_state() { # STATE
  [[ "$(state)" == "$1" ]]
}

v4l2-ctl -d "$camera" -c zoom_absolute=130
before="$(state)"
equal "autofocus and automatic exposure are on at first" "$before" "1 0 130 3 156"

hold() { # starts the program; its standard input is $input
  mkfifo input
  guardian-parent "$camera" <input >held 2>&1 &
  holding=$!
  exec {input}>input
  rm input
  within 30 grep -q '^holding' held || give_up "nothing held: $(cat held)"
}

hold
equal "what is held is known for the record" "$(grep -v holding held | paste -sd ,)" \
  "focus_absolute 0 held,focus_automatic_continuous 0 held,zoom_absolute 130 held"
equal "autofocus is off and exposure manual and short meanwhile" "$(state)" "0 0 130 1 100"
exec {input}>&-
wait "$holding"
equal "an orderly end sets all back" "$? $(state)" "0 $before"

hold
v4l2-ctl -d "$camera" -c focus_absolute=50
kill -9 "$holding"
wait "$holding" 2>/dev/null
within 20 has_state "$before"
equal "kill -9 leaves the camera as it was" "$(state)" "$before"
exec {input}>&-

hold
tell unplug
within 20 is_gone "$camera"
exec {input}>&-
wait "$holding"
contains "a camera that is gone cannot be set back, which is said" "$(cat held)" "unplugged"
end_camera
