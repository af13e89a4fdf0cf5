#!/usr/bin/env bash
# Holds what README.md shows of the demo to what the demo prints: `make demo | check-readme.sh README.md`.
set -euo pipefail
readme=$1
output=$(cat)
printf '%s\n' "$output"
# The first console block, without the command and the lines that stand for others. Where it was stored
# differs: the README's reader has no .build.
shown=$(awk '/^```console$/ { inside = 1; next } /^```$/ { exit } inside' "$readme" |
  grep -vE '^\$ |^ *\.\.\.$' | sed 's|stored in calibrations/|stored in .build/demo/calibrations/|')
[[ -n "$shown" ]] || { echo "check-readme: $readme has no console block" >&2; exit 1; }
status=0
while IFS= read -r line; do
  if ! grep -qxF -- "$line" <<<"$output"; then
    echo "check-readme: $readme shows what the demo does not print: $line" >&2
    status=1
  fi
done <<<"$shown"
((status)) || echo "check-readme: $(wc -l <<<"$shown") lines of $readme are what the demo prints"
exit $status
