#!/usr/bin/env bash
# Runs the checks one after the other; it runs in the guest, test.sh starts it there. What they found goes
# to $V4L2_GUEST_OUT/results, a line each.
#
#   run-checks.sh [NAME…]        names of files in checks/ without ".sh"; default: all
set -uo pipefail
here="$(cd "$(dirname "$0")" && pwd -P)"
export LIB="$here/checks/lib.bash" CHECK RESULTS
(($#)) || set -- $(cd "$here/checks" && for file in *.sh; do echo "${file%.sh}"; done)

# These use no cameras but /dev/video12, which no other does, and vivid, which one uses at a time: they run
# beside the others, as an emulated machine spends most of the time on one of its two processors.
beside=" live-loopback loopback-damaged loopback-formats loopback-readers vivid-failing "

check() { # NAME
  local start=$SECONDS process status
  CHECK="$1" RESULTS="$V4L2_GUEST_OUT/$1.results"
  : >"$RESULTS"
  # A process group of its own, so that whatever a check leaves running ends with it.
  setsid --wait timeout -k 3 "${CHECK_SECONDS:-1200}" bash "$here/checks/$CHECK.sh" \
    </dev/null >"$V4L2_GUEST_OUT/$CHECK.log" 2>&1 &
  process=$!
  wait $process
  status=$?
  kill -KILL -- "-$process" 2>/dev/null
  if ((status != 0)); then
    echo "FAIL $CHECK: ended with status $status" >>"$RESULTS"
  elif [[ ! -s "$RESULTS" ]]; then
    echo "FAIL $CHECK: checked nothing" >>"$RESULTS"
  fi
  echo "-- $CHECK: $((SECONDS - start)) s" | cat "$RESULTS" -
  cat "$RESULTS" >>"$V4L2_GUEST_OUT/results"
}

for name in "$@"; do
  [[ "$beside" != *" $name "* ]] || check "$name"
done &
for name in "$@"; do
  [[ "$beside" == *" $name "* ]] || check "$name"
done
wait
