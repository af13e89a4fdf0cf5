#!/usr/bin/env bash
# Fuzzes each parser, starting from the kept corpus, and prints what was covered. `make fuzz` builds the
# fuzzer and calls it.
#
#   run.sh [TARGET…]                 for FUZZ_SECONDS (60) each
#   run.sh --minimise [TARGET…]      make the kept corpus anew of what it and earlier runs have found
#   run.sh --reproduce TARGET FILE   one input
#
# What a run finds stays in .build/fuzz/corpus/TARGET and serves the next one. An input that crashes,
# hangs or leaks is left in .build/fuzz/TARGET-….
set -euo pipefail
cd "$(dirname "$0")/../.."
fuzz="${FUZZ:-.build/fuzz/release/fuzz}"
# The backtracer would wait for a terminal; the sanitizer prints its own.
export SWIFT_BACKTRACE=enable=no
all=(record dialect image frame exif corners options)
# The longest input: room for a few of each format's parts, small enough to be quick.
declare -A longest=([record]=8192 [dialect]=4096 [image]=4096 [frame]=2048 [exif]=512 [corners]=4096 [options]=512)

fuzz() { # TARGET ARGUMENT…: with the limits of every run
  local target="$1"
  shift
  FUZZ_TARGET="$target" "$fuzz" -max_len="${longest[$target]}" -timeout=10 -rss_limit_mb=2048 "$@" \
    </dev/null
}

run() { # TARGET
  local kept="Tests/Fuzzing/Corpus/$1" found=".build/fuzz/corpus/$1" log=".build/fuzz/$1.log"
  mkdir -p "$found" "$kept"
  if ! fuzz "$1" -max_total_time="${FUZZ_SECONDS:-60}" -dict="Tests/Fuzzing/Dictionaries/$1.dict" \
    -use_value_profile=1 -print_final_stats=1 -artifact_prefix=".build/fuzz/$1-" \
    "$found" "$kept" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "run.sh: the parser of '$1' failed; the input is in .build/fuzz/" >&2
    return 1
  fi
}

# `cov` is libFuzzer's number of edges of our code that some input reached.
summary() { # TARGET
  local log=".build/fuzz/$1.log" last
  last="$(grep -E '^#[0-9]+.*cov: ' "$log" | tail -n 1)"
  printf '%-8s %9s %7s %7s %6s\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")" \
    "$(sed 's/.*corp: \([0-9]*\).*/\1/' <<<"$last")" "$(sed 's/.*cov: \([0-9]*\).*/\1/' <<<"$last")"
}

# Edges that some input reached, of all, by source file. Edges of overflow and range checks count, too:
# a parser that never traps stays well below all of them.
files() { # TARGET
  fuzz "$1" -runs=0 -print_coverage=1 ".build/fuzz/corpus/$1" "Tests/Fuzzing/Corpus/$1" 2>&1 |
    awk -v root="$PWD/" '
      /^(UN)?COVERED_FUNC: / {
        split($5, edges, "/"); file = $NF; sub(/:[0-9]*$/, "", file); sub(root, "", file)
        if (file ~ /^Sources/) { reached[file] += edges[1]; all[file] += edges[2] } }
      END { for (file in all) if (reached[file]) printf "%6d %6d  %s\n", reached[file], all[file], file }' |
    sort -k 3
}

minimise() { # TARGET
  local kept="Tests/Fuzzing/Corpus/$1" found=".build/fuzz/corpus/$1" merged=".build/fuzz/merged/$1"
  rm -rf "$merged"
  mkdir -p "$merged" "$found" "$kept"
  # By edges alone: how often each was passed makes the corpus ten times as large, and comes again.
  fuzz "$1" -set_cover_merge=1 -use_counters=0 "$merged" "$kept" "$found" >/dev/null 2>&1
  rm -rf "$kept"
  cp -r "$merged" "$kept"
  echo "$1: $(find "$kept" -type f | wc -l) inputs, $(cat "$kept"/* | wc -c) bytes"
}

case "${1:-}" in
--reproduce) fuzz "$2" "$3" ;;
--minimise)
  shift
  (($#)) || set -- "${all[@]}"
  for target in "$@"; do minimise "$target"; done
  ;;
*)
  (($#)) || set -- "${all[@]}"
  failed=0
  for target in "$@"; do run "$target" || failed=1; done
  printf '%-8s %9s %7s %7s %6s\n' target runs runs/s inputs edges
  for target in "$@"; do
    summary "$target"
    files "$target" >".build/fuzz/$target.coverage"
  done
  echo "edges by source file: .build/fuzz/TARGET.coverage"
  exit "$failed"
  ;;
esac
