#!/usr/bin/env bash
# Fuzzes each parser for FUZZ_SECONDS, starting from the kept corpus, and prints what was covered.
# `run.sh --keep` adds to the corpus the inputs that reach something new. Called by `make fuzz`.
set -euo pipefail
cd "$(dirname "$0")/../.."
fuzz="${FUZZ:-.build/fuzz/debug/fuzz}"
# The backtracer would wait for a terminal; the sanitizer prints its own.
export SWIFT_BACKTRACE=enable=no
for target in record dialect image exif options; do
  export FUZZ_TARGET="$target"
  kept="Tests/Fuzzing/Corpus/$target"
  found=".build/fuzz/corpus/$target"
  log=".build/fuzz/$target.log"
  mkdir -p "$found" "$kept"
  if ! "$fuzz" "$found" "$kept" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix=".build/fuzz/$target-" >"$log" 2>&1 </dev/null; then
    tail -n 60 "$log"
    echo "run.sh: the parser of '$target' failed; the input is in .build/fuzz/" >&2
    exit 1
  fi
  runs="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  covered="$(grep -o 'cov: [0-9]* ft: [0-9]*' "$log" | tail -n 1)"
  echo "$target: $runs inputs, $covered (edges and features covered)"
  if [[ "${1:-}" == --keep ]]; then
    # Edges alone, without how often each is passed: a few small files.
    "$fuzz" -merge=1 -use_counters=0 "$kept" "$found" >/dev/null 2>&1 </dev/null
  fi
done
