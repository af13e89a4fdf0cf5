#!/usr/bin/env bash
# What each lens model gives for sets of photographs: a Markdown table of held-out sigma and sigma, in pixels.
# The first row of a set has the coefficients that earn their place, the second all that a model has.
#
# Usage: lenses.sh CALIBRATE FOLDER:BOARD...     (for example photographs/fisheye:8x6)
set -euo pipefail
calibrate="$1"
shift
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

echo "| set | coefficients | pinhole | fisheye | rational | spline | chosen |"
echo "|---|---|---|---|---|---|---|"
for set in "$@"; do
  folder="${set%:*}"
  board="${set##*:}"
  name="$(basename "$folder")"
  "$calibrate" --board "$board" --lens auto --dry-run --json --quiet \
    --dump-corners "$work/corners.json" "$folder" >"$work/few.json" || [ $? -eq 2 ]
  "$calibrate" --board "$board" --lens auto --coefficients 9 --dry-run --json --quiet \
    --corners "$work/corners.json" >"$work/all.json" || [ $? -eq 2 ]
  for choice in few all; do
    python3 - "$name" "$choice" "$work/$choice.json" <<'PYTHON'
import json, sys
name, choice, path = sys.argv[1:]
candidates = {c["lensModel"]: c for c in json.load(open(path))["lensComparison"]}
def cell(c):
    if c["sigma"] is None:
        return "–"
    text = "%.3f (%.3f)" % (c["heldOutSigma"], c["sigma"]) if c["heldOutSigma"] else "%.3f" % c["sigma"]
    behind = c["standardErrorsBehindBest"]
    return text + (" %+.1f s.e." % behind if behind else "")
chosen = [m for m, c in candidates.items() if c["chosen"]]
lenses = ["pinhole", "fisheye", "rational", "spline"]
print("|", " | ".join([name, choice] + [cell(candidates[m]) for m in lenses] + chosen), "|")
PYTHON
  done
done
