#!/usr/bin/env bash
# Runs the pixel kernels as plain C, with this machine's vector code, and with NEON under emulation, and
# compares what they give to the bit. Undefined behaviour traps. `make test-neon` installs what it takes
# and calls it.
set -euo pipefail
cd "$(dirname "$0")/../.."
# The compiler that builds the package: beside Swift, wherever the command of that name may lead.
resources="$("${SWIFT:?}" -print-target-info |
  sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')"
clang="$resources/../../bin/clang"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

sources=(Tests/PixelKernels/digest.c Sources/CPixelKernels/{color,gray,rgb}.c)
flags=(-std=c11 -O2 -Wall -Wextra -Werror -ISources/CPixelKernels/include
  -fsanitize=undefined -fsanitize-trap=undefined)
"$clang" "${flags[@]}" -DCPK_PLAIN "${sources[@]}" -o "$work/plain"
"$clang" "${flags[@]}" "${sources[@]}" -o "$work/host"
digests="$("$work/plain"; "$work/host")"

if [[ "$(uname -m)" != aarch64 ]]; then
  root=/usr/aarch64-linux-gnu/lib
  gcc="$(ls -d /usr/lib/gcc-cross/aarch64-linux-gnu/* | sort -V | tail -n 1)"
  objects=()
  for source in "${sources[@]}"; do
    object="$work/$(basename "$source").o"
    "$clang" --target=aarch64-linux-gnu -isystem "$root/../include" "${flags[@]}" -c "$source" \
      -o "$object"
    objects+=("$object")
  done
  "$(dirname "$clang")/ld.lld" -static -o "$work/neon" "$root"/crt1.o "$root"/crti.o "${objects[@]}" \
    -L"$root" -L"$gcc" --start-group -lc -lgcc -lgcc_eh --end-group "$root/crtn.o"
  digests+=$'\n'"$(qemu-aarch64-static "$work/neon")"
fi

echo "$digests"
grep -q NEON <<<"$digests" || { echo "check.sh: NEON was not compiled in" >&2; exit 1; }
[[ "$(cut -d ' ' -f 1 <<<"$digests" | sort -u | wc -l)" == 1 ]] ||
  { echo "check.sh: the instruction sets give different pixels" >&2; exit 1; }
