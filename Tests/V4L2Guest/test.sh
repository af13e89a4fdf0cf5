#!/usr/bin/env bash
# Tests this package with real V4L2 drivers, in a QEMU guest. `make test-v4l2` builds and calls it.
#
#   test.sh FOLDER-OF-COMMANDS CALIBRATE [NAME…]     names of files in checks/ without ".sh"; default: all
#
# CALIBRATE is the command as it is installed: what is not optimised searches three times as long in there.
# The last line counts what was checked; no checks at all are a failure. Logs stay in .build/v4l2-guest.
set -euo pipefail
cd "$(dirname "$0")/../.."
commands="$(cd "$1" && pwd -P)" calibrate="$(realpath "$2")"
shift 2
work="$PWD/.build/v4l2-guest"
start=$SECONDS
mkdir -p "$work/commands"
ln -sf "$calibrate" "$work/commands/calibrate"
export BOARDS="$work/boards"

# Boards with known intrinsics, as the cameras play them.
render() { # NAME ARGUMENT of render-boards…
  local to="$BOARDS/$1"
  shift
  [[ "$to/truth.json" -nt "$commands/render-boards" ]] && return
  rm -rf "$to"
  mkdir -p "$to"
  "$commands/render-boards" "$to" "$@"
}
render still-320x240 5 320 240 11 1 0
render still-640x480 3 640 480 11 1 0
# Poses enough for a calibration, held for two seconds each at five frames a second.
render held-320x240 20 320 240 12 10 2
render photographs-320x240 12 320 240 13 1 0
# A store with a calibration of no camera yet, for checks to file under theirs.
[[ -d "$BOARDS/store" && "$BOARDS/store" -nt "$BOARDS/photographs-320x240" ]] || {
  rm -rf "$BOARDS/store"
  "$calibrate" --board 9x6 --device-name prepared --store "$BOARDS/store" --quiet \
    "$BOARDS/photographs-320x240"
}

Tests/V4L2Guest/guest.sh --prepare
rm -rf "$work/out"
mkdir -p "$work/out"
: >"$work/out/results"
status=0
PATH="$work/commands:$commands:$PATH" Tests/V4L2Guest/guest.sh --out "$work/out" --log "$work/guest.log" \
  --timeout "${V4L2_GUEST_TIMEOUT:-2400}" -- env "BOARDS=$BOARDS" Tests/V4L2Guest/run-checks.sh "$@" ||
  status=$?

passed="$(grep -c '^ok ' "$work/out/results" || true)"
failed="$(grep -c '^FAIL ' "$work/out/results" || true)"
if ((failed)); then
  echo "-- what failed; $work/out has a log of each check:"
  grep '^FAIL ' "$work/out/results"
fi
((status == 0)) || echo "the run in the guest ended with status $status; see $work/guest.log"
echo "make test-v4l2: $passed checks passed, $failed failed, in $((SECONDS - start)) s"
((status == 0 && passed > 0 && failed == 0))
