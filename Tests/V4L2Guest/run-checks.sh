#!/usr/bin/env bash
# Runs the checks one after the other; it runs in the guest, test.sh starts it there. What they found goes
# to $V4L2_GUEST_OUT/results, a line each.
#
#   run-checks.sh [NAME…]        names of files in checks/ without ".sh"; default: all
set -uo pipefail
here="$(cd "$(dirname "$0")" && pwd -P)"
export LIB="$here/checks/lib.bash" RESULTS="$V4L2_GUEST_OUT/results" CHECK
(($#)) || set -- $(cd "$here/checks" && for file in *.sh; do echo "${file%.sh}"; done)

for CHECK in "$@"; do
  start=$SECONDS
  before="$(wc -l <"$RESULTS")"
  # A process group of its own, so that whatever a check leaves running ends with it.
  setsid --wait timeout -k 3 "${CHECK_SECONDS:-600}" bash "$here/checks/$CHECK.sh" \
    </dev/null >"$V4L2_GUEST_OUT/$CHECK.log" 2>&1 &
  process=$!
  wait $process
  status=$?
  kill -KILL -- "-$process" 2>/dev/null
  if ((status != 0)); then
    echo "FAIL $CHECK: ended with status $status" >>"$RESULTS"
  elif [[ "$(wc -l <"$RESULTS")" == "$before" ]]; then
    echo "FAIL $CHECK: checked nothing" >>"$RESULTS"
  fi
  tail -n "+$((before + 1))" "$RESULTS"
  echo "-- $CHECK: $((SECONDS - start)) s"
done
