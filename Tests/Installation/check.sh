#!/usr/bin/env bash
# Installs into a scratch folder, checks what is there, and uninstalls. Call it by `make test-install`.
set -euo pipefail
cd "$(dirname "$0")/../.."
to="$PWD/.build/installation"
failed=0
fail() {
  echo "check.sh: $*" >&2
  failed=1
}
rm -rf "$to"
make install DESTDIR="$to" PREFIX=/usr

while read -r name most forbidden; do
  [[ "$name" == "#"* || -z "$name" ]] && continue
  binary="$to/usr/bin/$name"
  [[ "$("$binary" --version)" == "$name (camera-intrinsics) "* ]] || fail "$name --version"
  # Not -q: it would close the pipe before all of the help has gone through.
  "$binary" --help | grep "^Usage: $name" >/dev/null || fail "$name --help"
  head -n 1 "$to/usr/share/man/man1/$name.1" | grep -q '^\.TH ' || fail "manual page of $name"
  if command -v groff >/dev/null; then
    complaints="$(groff -man -Tutf8 -ww -z "$to/usr/share/man/man1/$name.1" 2>&1)"
    [[ -z "$complaints" ]] || fail "manual page of $name: $complaints"
  fi
  bash -n "$to/usr/share/bash-completion/completions/$name" || fail "bash completions of $name"
  if command -v zsh >/dev/null; then
    zsh -n "$to/usr/share/zsh/site-functions/_$name" || fail "zsh completions of $name"
  fi
  if command -v fish >/dev/null; then
    fish -n "$to/usr/share/fish/vendor_completions.d/$name.fish" || fail "fish completions of $name"
  fi
  # The number of shared objects is what starting costs; unlike time it is the same on every run.
  count="$(ldd "$binary" | wc -l)"
  echo "$name loads $count shared objects, at most $most allowed"
  ((count <= most)) || fail "$name loads $count shared objects instead of at most $most"
  ! ldd "$binary" | grep libswift || fail "$name needs the Swift runtime"
  if [[ -n "$forbidden" ]] && ldd "$binary" | grep -E "$forbidden"; then
    fail "$name loads what it must not ($forbidden)"
  fi
done <Tests/Installation/loaded-objects.txt

make uninstall DESTDIR="$to" PREFIX=/usr
left="$(find "$to" -type f)"
[[ -z "$left" ]] || fail "uninstall left $left"
exit "$failed"
