#!/usr/bin/env bash
# Builds a package that depends on this one as an app does, by path and as a tagged git dependency, runs
# it against a store, and checks that no OpenCV library comes with it. Call it by `make test-consumer`.
set -euo pipefail
cd "$(dirname "$0")"
root="$(cd ../.. && pwd)"
swift="${SWIFT:-swift}"
work="$root/.build/consumer"
rm -rf "$work/origin" "$work/store" "$work/tagged/Package.resolved"
mkdir -p "$work"

# Nothing of this goes into the caches in the user's home.
run_consumer() { # NAME
  local flags=(--package-path . --scratch-path "$work/$1" --cache-path "$work/cache"
    --config-path "$work/config" --security-path "$work/security")
  "$swift" build "${flags[@]}" --product consumer
  local binary
  binary="$("$swift" build "${flags[@]}" --show-bin-path)/consumer"
  if ldd "$binary" | grep -i opencv; then
    echo "check.sh: a consumer of the library loads OpenCV ($1)" >&2
    return 1
  fi
  local found expected
  expected="$(cat expected-output.txt)"
  found="$("$binary" "$work/store-$1")"
  if [[ "$found" != "$expected" ]]; then
    printf 'check.sh: the consumer (%s) printed\n%s\nwhere this was expected:\n%s\n' \
      "$1" "$found" "$expected" >&2
    return 1
  fi
  echo "the consumer works ($1), and $(ldd "$binary" | wc -l) objects are loaded"
}

run_consumer path

# The files as they are now, committed and tagged in a repository of their own.
mkdir -p "$work/origin/camera-intrinsics"
(cd "$root" && git ls-files -z --cached --others --exclude-standard) |
  (cd "$root" && xargs -0 -I{} sh -c '[ -e "$1" ] && printf "%s\0" "$1"' _ {}) |
  tar -C "$root" --null -T - -c | tar -C "$work/origin/camera-intrinsics" -x
git=(git -C "$work/origin/camera-intrinsics" -c user.name=check -c user.email=check@localhost
  -c init.defaultBranch=main -c commit.gpgsign=false -c tag.gpgsign=false)
"${git[@]}" init -q
"${git[@]}" add -A
"${git[@]}" commit -q -m "The state under test"
"${git[@]}" tag 999.0.0

rm -rf "$work/tagged/checkouts" "$work/tagged/repositories" "$work/tagged/workspace-state.json" \
  "$work/cache" "$work/security"
CAMERA_INTRINSICS_URL="file://$work/origin/camera-intrinsics" run_consumer tagged
rm -f Package.resolved
