# `calibrate` holds focus, zoom and automatics, and leaves the camera as it was: at its end, at Ctrl-C, and
# after kill -9.
source "$LIB"
names=focus_automatic_continuous,focus_absolute,zoom_absolute,auto_exposure

controls() {
  v4l2-ctl -d "$camera" -C "$names" | sort | tr '\n' ' '
}

is_held() {
  v4l2-ctl -d "$camera" -C focus_automatic_continuous | grep -q ': 0$'
}

exposure_is_manual() {
  [[ "$(controls)" == *"auto_exposure: 1"* ]]
}

is_as_before() {
  [[ "$(controls)" == "$before" ]]
}

start() { # OPTION of calibrate…: in the background
  # A shell lets what it starts in the background ignore Ctrl-C.
  begin env --default-signal=INT calibrate --board 9x6 "$camera" --views 500 --store "$scratch/store" "$@"
}

usb_camera 0 "$boards/still-320x240" -f YUYV -s S-1
tell show 0
v4l2-ctl -d "$camera" -c zoom_absolute=150
before="$(controls)"
contains "autofocus is on at first" "$before" "focus_automatic_continuous: 1"

what="autofocus"
start
holds "$what: it is off once it has settled on the board" within 90 is_held
kill -INT "$program" # in the midst of looking for the board
end
contains "$what: it was let settle" "$(cat error)" "the camera focuses by itself"
contains "$what: it is said that the focus is held" "$(cat error)" "the focus is held"
equal "kill -INT: status" "$status" 130
holds "kill -INT: the camera is as it was" within 20 is_as_before
holds "kill -INT: nothing was stored" test ! -e "$scratch/store"

for signal in TERM KILL; do
  what="kill -$signal"
  start --lock-exposure
  holds "$what: exposure is manual meanwhile" within 60 exposure_is_manual
  kill "-$signal" "$program"
  end
  equal "$what: status" "$status" "$((128 + $(kill -l "$signal")))"
  holds "$what: the camera is as it was" within 20 is_as_before
  holds "$what: nothing was stored" test ! -e "$scratch/store"
done

what="--give-up"
run 100 calibrate --board 9x6 "$camera" --give-up 3s --store "$scratch/store" --views 500
equal "$what: status" "$status" 1
contains "$what: it is said" "$errors" "was added for 3 s (--give-up)"
equal "$what: the camera is as it was" "$(controls)" "$before"

what="a busy camera"
begin camera-probe "$camera" YUYV 320x240 10000
within 60 grep -q ^frame out
run 60 calibrate --board 9x6 "$camera" --store "$scratch/store"
equal "$what: status" "$status" 69
contains "$what: it is said" "$errors" "another program uses it"
equal "$what: its controls are as they were" "$(controls)" "$before"
kill "$program"
wait "$program"

what="unplugged while it calibrates"
start --lock-exposure
within 60 exposure_is_manual
tell unplug
end
equal "$what: status" "$status" 69
contains "$what: it is said" "$(cat error)" unplugged
end_camera
