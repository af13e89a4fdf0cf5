#!/usr/bin/env bash
# `calibrate` beside the plain OpenCV program (opencv-peer.cpp), in turns on the same files, with all
# processors for both: wall time as a ratio, and the error of fx against the truth of rendered boards.
#
# Usage: endtoend.sh CALIBRATE RENDER_BOARDS PHOTOS [ROUNDS]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
calibrate=$1 render=$2 photos=$3 rounds=${4:-5}
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

include="${OPENCV_INCLUDE_DIR:-/usr/include/opencv4}"
c++ -O2 -std=c++17 -isystem "$include" "$here/opencv-peer.cpp" -o "$work/peer" \
  -lopencv_calib3d -lopencv_imgproc -lopencv_imgcodecs -lopencv_core

milliseconds() { # the wall time of a command, its output in $work/out
  local start end
  start=$(date +%s%N); "$@" > "$work/out" 2> "$work/err"; end=$(date +%s%N)
  echo $(((end - start) / 1000)) | awk '{ printf "%.1f\n", $1 / 1000 }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ours() { "$calibrate" --board 9x6 --dry-run --quiet --json "$@"; }
peers() { "$work/peer" 9 6 "$@"; }
fx_ours() { ours "$@" | jq .intrinsics.fx; }
fx_peers() { peers "$@" | awk 'NR == 1 { print $1 }'; }

compare() { # NAME ROUNDS FILES...: both in turns, the first round of each is a warm-up
  local name=$1 count=$2; shift 2
  : > "$work/a"; : > "$work/b"
  for round in $(seq 0 "$count"); do
    local a b
    a=$(milliseconds ours "$@") b=$(milliseconds peers "$@")
    [[ $round == 0 ]] || { echo "$a" >> "$work/a"; echo "$b" >> "$work/b"; }
  done
  awk -v name="$name" -v a="$(median < "$work/a")" -v b="$(median < "$work/b")" \
    'BEGIN { printf "%-34s calibrate %8.1f ms   OpenCV program %8.1f ms   %.2fx as fast\n", name, a, b, b / a }'
}

compare "opencv-doc, 13 photographs" "$rounds" "$photos"/left*.jpg

mkdir "$work/hd"
"$render" "$work/hd" 100 1920 1080 7 > /dev/null
compare "100 rendered frames, 1920x1080" 2 "$work"/hd/*.png

# The error of fx over ten sets of 15 frames.
: > "$work/errors"
for seed in $(seq 1 10); do
  rm -rf "$work/set"; mkdir "$work/set"
  truth=$("$render" "$work/set" 15 1280 720 "$seed")
  echo "$truth $(fx_ours "$work"/set/*.png) $(fx_peers "$work"/set/*.png)" >> "$work/errors"
done
awk '{ a += ($2 - $1) ^ 2; b += ($3 - $1) ^ 2 }
  END { printf "RMS error of fx, 10 rendered sets   calibrate %8.3f px   OpenCV program %8.3f px   %.2fx as small\n", \
    sqrt(a / NR), sqrt(b / NR), sqrt(b / a) }' "$work/errors"
