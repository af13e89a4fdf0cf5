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

start() { # OPTION of calibrate…: in the background, until the lens is held
  # A shell lets what it starts in the background ignore Ctrl-C.
  env --default-signal=INT calibrate --board 9x6 "$camera" --views 500 --store "$scratch/store" "$@" >out 2>error &
  calibrating=$!
  holds "$what: the lens is held" within 60 is_held
}

# Waits for it to end; its status is then in $status.
end() {
  within 60 test ! -d "/proc/$calibrating" || kill -9 "$calibrating"
  wait "$calibrating"
  status=$?
}

usb_camera 0 "$boards/still-320x240" -f YUYV -s S-1
v4l2-ctl -d "$camera" -c zoom_absolute=150
before="$(controls)"
contains "autofocus is on at first" "$before" "focus_automatic_continuous: 1"

for signal in INT TERM KILL; do
  what="kill -$signal"
  start
  sleep 1 # in the midst of looking for the board
  kill "-$signal" "$calibrating"
  end
  equal "$what: status" "$status" "$((128 + $(kill -l "$signal")))"
  holds "$what: the camera is as it was" within 20 is_as_before
  holds "$what: nothing was stored" test ! -e "$scratch/store"
done

what="--lock-exposure"
start --lock-exposure
holds "$what: exposure is manual" within 20 exposure_is_manual
kill -INT "$calibrating"
end
holds "$what: the camera is as it was" within 20 is_as_before

what="--give-up"
run 100 calibrate --board 9x6 "$camera" --give-up 3s --store "$scratch/store" --views 500
equal "$what: status" "$status" 1
equal "$what: the camera is as it was" "$(controls)" "$before"

what="a busy camera"
camera-probe "$camera" YUYV 320x240 10000 >out 2>error &
probing=$!
within 60 grep -q ^frame out
run 60 calibrate --board 9x6 "$camera" --store "$scratch/store"
equal "$what: status" "$status" 69
contains "$what: it is said" "$errors" "another program uses it"
equal "$what: its controls are as they were" "$(controls)" "$before"
kill "$probing"
wait "$probing"

what="unplugged while it calibrates"
start
tell unplug
end
equal "$what: status" "$status" 69
contains "$what: it is said" "$(cat error)" unplugged
end_camera
