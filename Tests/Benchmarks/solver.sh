#!/usr/bin/env bash
# The solver beside OpenCV, Ceres and mrcal: processor time of one thread on the same points (54 corners a
# view, noise 0.2 px), start values included. Ours also has both covariances and the grid of projection
# uncertainties. Each answer is compared with ours.
#
# Usage: solver.sh BENCH_SOLVER [PYTHON...]     (each Python has a cv2 of its own)
# BENCH_VIEWS: numbers of views (20 200 500 1000). BENCH_LIMIT: milliseconds after which a peer is not asked
# for a larger set (4000).
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
bench="$1"
shift
read -r -a sizes <<<"${BENCH_VIEWS:-20 200 500 1000}"
limit="${BENCH_LIMIT:-4000}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

"$bench" write "$work" "${sizes[@]}"
"$bench" solve "${sizes[@]}" | tee "$work/results"
"$bench" grow "${sizes[@]}"
"$bench" judge "${sizes[@]}"

skip() { echo "SKIPPED: $*" >&2; }

# Runs a peer on the sets from small to large, until one takes longer than the limit.
peer() {
  local model count line
  for model in pinhole fisheye; do
    for count in "${sizes[@]}"; do
      if ! line="$("$@" "$work/$model-$count.views" 2>"$work/errors")"; then
        skip "$* on $count $model views: $(tail -n 1 "$work/errors")"
        break
      fi
      [[ -n "$line" ]] || break
      tee -a "$work/results" <<<"$line"
      if awk -F '\t' -v limit="$limit" '{ exit !($4 > limit) }' <<<"$line"; then
        [[ "$count" == "${sizes[-1]}" ]] || skip "more than $count $model views: over $limit ms already"
        break
      fi
    done
  done
}

include="${OPENCV_INCLUDE_DIR:-/usr/include/opencv4}"
build() {
  c++ -O3 -march=native -std=c++17 -isystem "$include" -isystem /usr/include/eigen3 \
    "$here/solver-$1.cpp" -o "$work/$1" "${@:2}" 2>"$work/errors"
}
if build opencv -lopencv_calib3d -lopencv_core; then
  peer "$work/opencv"
else
  skip "OpenCV from apt: $(head -n 1 "$work/errors")"
fi
if build ceres -lceres -lglog -lopencv_calib3d -lopencv_core; then
  peer "$work/ceres"
else
  skip "Ceres: $(head -n 1 "$work/errors")"
fi
if /usr/bin/python3 -c 'import mrcal' 2>/dev/null; then
  peer /usr/bin/python3 "$here/solver-peers.py" mrcal
else
  skip "mrcal: no module for /usr/bin/python3"
fi
for python in "$@"; do
  if "$python" -c 'import cv2' 2>/dev/null; then
    peer "$python" "$here/solver-peers.py" opencv
    peer "$python" "$here/solver-peers.py" deviations
  else
    skip "$python has no cv2"
  fi
done
(($#)) || skip "OpenCV from pip: name a Python that has it (PEER_PYTHONS)"

# The table, and whether all ended at the same place: fx within 1e-6 of ours, relative; mrcal's and
# calibrateCamera's points have single precision, which moves fx by some 1e-8.
awk -F '\t' -v sizes="${sizes[*]}" '
  BEGIN { n = split(sizes, size, " ") }
  {
    key = $1 "\t" $2
    if (!(key in seen)) { seen[key] = 1; order[++rows] = key }
    ms[key, $3] = $4; fx[key, $3] = $5
    if ($1 == "calibrate") { ours[$2, $3] = $4; right[$2, $3] = $5 }
  }
  END {
    printf "\n%-36s %-8s", "ms of processor time (times ours)", "views"
    for (i = 1; i <= n; i++) printf "%20s", size[i]
    print ""
    for (row = 1; row <= rows; row++) {
      split(order[row], name, "\t")
      printf "%-36s %-8s", name[1], name[2]
      for (i = 1; i <= n; i++) {
        if (!((order[row], size[i]) in ms)) { printf "%20s", "-"; continue }
        time = ms[order[row], size[i]]
        printf "%20s", sprintf("%.2f (%.1f)", time, time / ours[name[2], size[i]])
        off = fx[order[row], size[i]] / right[name[2], size[i]] - 1
        if (off < 0) off = -off
        if (off > 1e-6) {
          differs = differs sprintf("%s, %s %s views: fx differs by %.1e\n", name[1], size[i], name[2], off)
        }
      }
      print ""
    }
    if (differs != "") { printf "\nNot the same answer:\n%s", differs; exit 1 }
    print "\nAll ended at the same focal length, to a millionth."
  }' "$work/results"
