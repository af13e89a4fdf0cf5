#!/usr/bin/env bash
# Runs a command in a small QEMU guest that has the real V4L2 drivers: vivid, v4l2loopback, uvcvideo.
#
#   guest.sh [--out FOLDER] [--timeout SECONDS] [--log FILE] [--accel auto|kvm|tcg] [--] COMMAND ARGUMENT…
#   guest.sh --prepare           only get and build what the guest needs
#
# The guest sees this machine's files as they are; what it writes is lost, except below --out. The command
# runs as root in the caller's folder. Its output comes out as it is written, its status is returned; 124:
# it ran longer than --timeout (300 s); 125: the guest failed. README.md says more.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
cache="${V4L2_GUEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/camera-intrinsics/v4l2-guest}"
# Users' search paths leave out where depmod and modprobe are.
PATH="$PATH:/usr/sbin:/sbin"

say() { echo "guest.sh: $*" >&2; }
die() {
  say "$*"
  exit 125
}
# shellcheck source=prepare.bash
source "$here/prepare.bash"

out='' timeout=300 log='' accel=auto only_prepare=
while (($#)); do
  case "$1" in
  --prepare) only_prepare=1 && shift ;;
  --out | --timeout | --log | --accel)
    (($# > 1)) || die "$1 needs a value"
    printf -v "${1#--}" %s "$2"
    shift 2
    ;;
  --) shift && break ;;
  -*) die "$1 is not an option" ;;
  *) break ;;
  esac
done
[[ "$timeout" =~ ^[0-9]+$ ]] || die "--timeout takes whole seconds, not '$timeout'"
[[ -n "$only_prepare" ]] || (($#)) || die "which command?"

prepare
[[ "$accel" != auto ]] || { kvm_works && accel=kvm || accel=tcg; }
[[ -z "$only_prepare" ]] || exit 0

run="$(mktemp -d "${TMPDIR:-/tmp}/v4l2-guest.XXXXXX")"
machine='' readers=()
# shellcheck disable=SC2329  # called by the trap
clean_up() {
  trap '' INT TERM
  [[ -z "$machine" ]] || kill -9 "$machine" 2>/dev/null || true
  ((${#readers[@]} == 0)) || kill "${readers[@]}" 2>/dev/null || true
  rm -rf "$run"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$run/control"
cp "$here/boot/session" "$run/control/"
if [[ -n "$out" ]]; then mkdir -p "$out" && out="$(cd "$out" && pwd -P)"; fi
printf '%s=%q\n' OUT "$out" FOLDER "$PWD" TIMEOUT "$timeout" >"$run/control/session.conf"
printf '%s\0' "$@" >"$run/control/arguments"
for name in PATH HOME LANG LC_ALL TZ CI LD_LIBRARY_PATH; do
  [[ -z "${!name+x}" ]] || printf '%s\0' "$name=${!name}"
done >"$run/control/environment"
printf '%s\0' "V4L2_GUEST_CACHE=$cache" ${out:+"V4L2_GUEST_OUT=$out"} >>"$run/control/environment"

mkfifo "$run/stdout" "$run/stderr"
# The second cat keeps the guest going where our own reader has gone away.
{ cat; cat >/dev/null; } <"$run/stdout" & readers+=($!)
{ cat >&2; cat >/dev/null; } <"$run/stderr" & readers+=($!)

# Emulated, "rep movsb" and AVX are slow: without them the kernel and the C library choose quicker code.
if [[ "$accel" == kvm ]]; then
  processor=(-accel kvm -cpu host)
else
  processor=(-accel "tcg,thread=multi,tb-size=512"
    -cpu "max,erms=off,fsrm=off,avx=off,avx2=off,f16c=off,fma=off")
fi
share() { # TAG FOLDER [OPTION]: a folder of this machine, as QEMU's options in $shares
  shares+=(-fsdev "local,id=$1,path=${2//,/,,},security_model=none${3:-}"
    -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}
port() { # NAME FILE: a serial port whose other end is a file, as QEMU's options in $ports
  ports+=(-chardev "file,id=$1,path=$2,append=on" -device "virtserialport,chardev=$1,name=$1")
}
shares=() ports=(-device virtio-serial-pci)
share host / ",readonly=on,multidevs=remap"
share control "$run/control"
[[ -z "$out" ]] || share out "$out" ",multidevs=remap"
port stdout "$run/stdout"
port stderr "$run/stderr"

qemu-system-x86_64 -name v4l2-guest -machine q35,usb=off,vmport=off "${processor[@]}" -smp 2 -m 2048 \
  -nodefaults -no-user-config -display none -no-reboot -rtc base=utc -serial "file:$run/console" \
  -kernel "$cache/kernel/vmlinux" -initrd "$cache/initramfs" \
  -append "console=ttyS0 quiet loglevel=4 panic=-1 nokaslr mitigations=off random.trust_cpu=on audit=0 \
apparmor=0 nowatchdog no_timer_check cgroup_disable=memory" \
  "${shares[@]}" "${ports[@]}" </dev/null >"$run/qemu" 2>&1 &
machine=$!

# The guest ends itself; this is for one that hangs. Booting has 120 s.
limit=$((SECONDS + timeout + 120))
while kill -0 "$machine" 2>/dev/null; do
  if ((SECONDS >= limit)); then
    say "the guest hangs and is ended"
    kill -9 "$machine"
    break
  fi
  sleep 0.1
done
wait "$machine" 2>/dev/null || true
machine=''
wait "${readers[@]}" 2>/dev/null || true
readers=()
if [[ -n "$log" ]]; then
  for file in qemu console control/dmesg; do
    [[ ! -s "$run/$file" ]] || { echo "== ${file##*/}" && tr -d '\r' <"$run/$file"; }
  done >"$log"
fi
if [[ ! -s "$run/control/status" ]]; then
  tail -n 15 "$run/qemu" "$run/console" >&2 || true
  ((SECONDS < limit)) || exit 124
  die "the guest ended without a result"
fi
exit "$(cat "$run/control/status")"
