#!/usr/bin/env bash
# Conversion of 1920x1080 frames beside memcpy, OpenCV's cvtColor and turbojpeg, in turns in one process.
#
# Usage: frames.sh BENCH_FRAMES [ROUNDS]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

include="${OPENCV_INCLUDE_DIR:-/usr/include/opencv4}"
c++ -O2 -std=c++17 -shared -fPIC -isystem "$include" "$here/frame-peers.cpp" -o "$work/peers.so" \
  -lopencv_imgproc -lopencv_core -lturbojpeg
"$1" "$work/peers.so" "${2:-101}"
