# What every check uses: cameras to start, and ways to say what has to be true. Sourced; runs in the guest.
set -uo pipefail
modules="$V4L2_GUEST/modules"
box="$V4L2_GUEST/busybox"
boards="${BOARDS:?}"
scratch="$(mktemp -d)" # on the guest's overlay: lost with it
cd "$scratch" || exit 1

# ---- What has to be true. Each of these counts as one check.

# What the last program said on standard error, and the cameras that play, in a line: with it the log of a
# run says why a check failed, though its files are gone.
last_words() {
  local file words=''
  for file in stderr error players.log; do
    [[ -s "$file" ]] && words+="; $file: $(tail -n 3 "$file" | tail -c 400 | tr '\n' ' ')"
  done
  echo "$words"
}

record() { # ok|FAIL WHAT [WHY]; a check's own log says when, in seconds since it began
  local line
  [[ "$1" == ok ]] || set -- "$1" "$2" "${3:-}$(last_words)"
  printf -v line '%-4s %s: %s%s' "$1" "$CHECK" "$2" "${3:+: $3}"
  echo "$line" >>"$RESULTS"
  echo "[$SECONDS] $line"
}

equal() { # WHAT FOUND EXPECTED
  if [[ "$2" == "$3" ]]; then record ok "$1"; else record FAIL "$1" "found '$2', expected '$3'"; fi
}

contains() { # WHAT TEXT PART
  if [[ "$2" == *"$3"* ]]; then record ok "$1"; else record FAIL "$1" "found '$2', expected '…$3…'"; fi
}

lacks() { # WHAT TEXT PART
  if [[ "$2" != *"$3"* ]]; then record ok "$1"; else record FAIL "$1" "found '$2', with '$3' in it"; fi
}

holds() { # WHAT COMMAND…
  local what="$1"
  shift
  if "$@"; then record ok "$what"; else record FAIL "$what" "not so: $*"; fi
}

# Each of a record's fx, fy, cx and cy lies within three of its deviations of what is true.
near_truth() { # WHAT RECORD-FILE TRUTH-FILE
  local far
  far="$(jq -r --slurpfile truth "$3" '. as $record | ["fx", "fy", "cx", "cy"][]
    | . as $name | $record.intrinsics[$name] as $found | $truth[0][$name] as $true
    | $record.standardDeviations[$name] as $deviation
    | select(($found - $true | fabs) <= 3 * $deviation | not)
    | "\($name) is \($found) ± \($deviation), not \($true)"' "$2" 2>&1)"
  equal "$1" "${far:-near}" near
}

# Every wait has a bound that a quiet machine is far below; this many times as long where it is busy.
patience="${PATIENCE:-3}"

# Runs a command for at most some seconds; its standard output is then in $output, the rest in $errors,
# its status in $status.
run() { # SECONDS COMMAND…
  local seconds=$(($1 * patience))
  shift
  timeout -k 2 "$seconds" "$@" >stdout 2>stderr </dev/null
  status=$?
  output="$(cat stdout)"
  errors="$(cat stderr)"
}

# Begins a command in the background: its process in $program, its standard output in the file `out`, the
# rest in `error`. What an earlier one wrote there is gone before, or it would be taken for this one's.
begin() { # COMMAND…
  : >out
  : >error
  "$@" >>out 2>>error </dev/null &
  program=$!
}

# Waits for what was begun last to end; its status is then in $status.
end() {
  within 60 is_over "$program" || kill -9 "$program"
  wait "$program" 2>/dev/null
  status=$?
}

is_over() { # PROCESS
  ! kill -0 "$1" 2>/dev/null
}

# Waits until a command succeeds, for at most some seconds.
within() { # SECONDS COMMAND…
  local end=$(($(date +%s%N) / 1000000 + $1 * patience * 1000))
  shift
  until "$@" >/dev/null 2>&1; do
    (($(date +%s%N) / 1000000 < end)) || return 1
    sleep 0.1
  done
}

# ---- Cameras. Each of these sets $camera (the node), $pipe (takes what cameras/playing.h lists) and
# $player (the process).

give_up() { # WHY: without a camera nothing can be checked
  echo "$1" >&2
  cat players.log >&2
  exit 1
}

is_loaded() { # MODULE
  [[ -d "/sys/module/${1//-/_}" ]]
}

load() { # MODULE [OPTION…]: unless it is loaded; one check at a time
  local name="$1" needed lock
  shift
  exec {lock}>"$V4L2_GUEST/loading"
  flock "$lock"
  is_loaded "$name" || insert "$name" "$@"
  exec {lock}>&-
}

insert() { # MODULE [OPTION…]
  local name="$1" needed
  shift
  while read -r needed; do
    if [[ "$needed" == "$name" ]]; then
      $box insmod "$modules/$needed.ko" "$@"
    else
      is_loaded "$needed" || $box insmod "$modules/$needed.ko"
    fi
  done <"$modules/$name"
}

vivid_camera() { # one webcam with vivid's test pattern, for this check alone; and no other vivid node
  exec {vivid}>"$V4L2_GUEST/vivid"
  flock "$vivid"
  load vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0 vid_cap_nr=20
  within 10 test -c /dev/video20
  udevadm settle --timeout=10
  camera=/dev/video20
}

# The loopback devices of the run: /dev/video10 "Loop one", /dev/video11 "Loop two", /dev/video12 "Loop
# three". As browsers need them, they are capture devices only while someone plays into them.
loopback_camera() { # 10|11|12 FOLDER [OPTION of loopback-camera…]
  load v4l2loopback video_nr=10,11,12 exclusive_caps=1,1,1 card_label='"Loop one,Loop two,Loop three"'
  camera="/dev/video$1" pipe="$scratch/loopback$1.pipe" node_stays=1
  local folder="$2"
  shift 2
  rm -f "$pipe"
  "$V4L2_GUEST_CACHE/loopback-camera" -d "$camera" -c "$pipe" "$@" "$folder" >playing 2>>players.log &
  player=$!
  within 20 grep -q playing playing || give_up "nothing plays into $camera"
  within 20 can_capture "$camera" || give_up "no capture device: $camera"
}

can_capture() { # NODE
  v4l2-ctl -d "$1" -D | sed -n '/Device Caps/,$p' | grep -q 'Video Capture'
}

usb_camera() { # PORT FOLDER [OPTION or further FOLDER of usb-camera…]; ports are numbered from 0
  local port="$1" folder="$2"
  shift 2
  load vhci-hcd
  load uvcvideo
  pipe="$scratch/usb$port.pipe" node_stays=
  rm -f "$pipe"
  within 15 port_is_free "$port" || give_up "another camera is on port $port"
  "$V4L2_GUEST_CACHE/usb-camera" -p "$port" -c "$pipe" "$@" "$folder" 2>>players.log &
  player=$!
  camera=''
  within 15 find_usb_camera "$port" || give_up "no USB camera on port $port"
}

# In the state 4, "no device", by the host's table; and the nodes of who was there before are gone, too,
# which takes longer.
port_is_free() { # PORT
  grep -q "^hs *0*$1 0*4 " /sys/devices/platform/vhci_hcd.0/status && [[ -z "$(nodes_on_port "$1")" ]]
}

nodes_on_port() { # PORT: the nodes in sysfs
  local node
  for node in /sys/class/video4linux/video*; do
    [[ "$(readlink -f "$node")" != */vhci_hcd.0/usb*/*-$(($1 + 1))/* ]] || echo "$node"
  done
}

find_usb_camera() { # PORT: sets $camera when the camera there has a node
  local node
  for node in $(nodes_on_port "$1"); do
    [[ -r "$node/index" && "$(<"$node/index")" == 0 ]] || continue
    camera="/dev/${node##*/}"
    udevadm settle --timeout=10
    [[ -c "$camera" ]] && return
  done
  return 1
}

is_gone() { # NODE
  [[ ! -e "$1" ]]
}

tell() { # WORD… to the camera that was started last
  echo "$*" 1<>"$pipe" # opened for both, which does not wait for a reader
}

# Ends the camera that was started last; where it was on USB its node is then gone.
end_camera() {
  kill "$player" 2>/dev/null
  wait "$player" 2>/dev/null
  [[ -n "$node_stays" ]] || within 10 is_gone "$camera"
  udevadm settle --timeout=10
}

# ---- What `camera-probe` says of frames, in the background.

# Whether it has written so many lines that begin with "frame", with MARK in them.
has_lines() { # COUNT [MARK]
  [[ "$(grep -c "^frame.*${2:-}" out)" -ge $1 ]]
}

start_probe() { # FORMAT SIZE: its process in $program
  begin camera-probe "$camera" "$1" "$2" 10000
  within 60 has_lines 3
}

# Lets some more frames come, then ends the probe.
end_probe() { # MARK: that has to come at least once before
  within 60 has_lines 1 "$1"
  within 60 has_lines $(($(grep -c ^frame out) + 4))
  kill "$program"
  wait "$program"
}

# Of so many frames that were spoilt each one that came bears a mark, and no other does: the ones that a
# busy machine was late for are counted as missed, or are known to be overwritten.
marked() { # WHAT COUNT MARK
  local found late
  found="$(grep -v stale out | grep -c "$3")"
  late=$(($(missed) + $(grep -c overwritten out)))
  if ((found >= 1 && found <= $2 && found + late >= $2)); then
    record ok "$1"
  else
    record FAIL "$1" "$found frames say '$3' and $late were late, expected $2"
  fi
}

missed() { # the number of frames that were told to be missing
  awk '/^frame/ { missed += $4 } END { print missed + 0 }' out
}
