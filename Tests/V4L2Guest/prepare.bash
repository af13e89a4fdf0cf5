# Gets what the guest boots: Debian's stock kernel, unpacked and not installed, the few modules that are
# needed of it, v4l2loopback built for it, an initramfs and the feeders. Sourced by guest.sh; all is
# kept in $cache, which may be removed at any time (and has to be, to take a newer kernel).

# The guest's drivers, and the way from the initramfs to the host's files.
boot_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay)
camera_modules=(vivid v4l2loopback uvcvideo vhci-hcd)
packages=(qemu-system-x86 v4l-utils kmod cpio busybox-static udev gcc make libc6-dev libjpeg-dev jq
  xz-utils zstd)

as_root=()
[[ "$(id -u)" == 0 ]] || as_root=(sudo)

apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=300 -o APT::Sandbox::User=root "$@" >>"$cache/apt.log" 2>&1
}

install_packages() { # NAME…: those that are missing
  local name missing=()
  for name in "$@"; do
    [[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" == installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  ((${#as_root[@]} == 0)) || command -v sudo >/dev/null ||
    die "packages are missing and there is no sudo; run as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  apt_get install "${missing[@]}" || { apt_get update && apt_get install "${missing[@]}"; } || {
    tail -n 5 "$cache/apt.log" >&2
    die "cannot install ${missing[*]}; the whole log is $cache/apt.log"
  }
}

# The archive's newest stock kernel. Its headers have to be installed, as they name one another by
# absolute paths.
download_kernel() { # INTO: prints its version
  local version
  version="$(apt-cache depends linux-headers-amd64 2>/dev/null |
    sed -n 's/^ *Depends: linux-headers-//p' | head -n 1)"
  [[ -n "$version" ]] || return 1
  [[ -d "/usr/src/linux-headers-$version" ]] || apt_get install "linux-headers-$version" || return 1
  (cd "$1" && apt-get download -q -o APT::Sandbox::User=root "linux-image-$version" \
    v4l2loopback-dkms) >>"$cache/apt.log" 2>&1 || return 1
  echo "$version"
}

# The bare kernel out of a bzImage: unpacking itself would take an emulated guest seconds at each boot.
unpack_kernel() { # BZIMAGE INTO: the places are those of the kernel's Documentation/x86/boot.rst
  number() { od -An -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '; }
  local image="$1" start unpack
  start=$((($(number 0x1f1 1) + 1) * 512 + $(number 0x248 4)))
  case "$(od -An -tx1 -j "$start" -N4 "$image" | tr -d ' \n')" in
  fd377a58) unpack="xz -dc --single-stream" ;;
  28b52ffd) unpack="zstd -dc" ;;
  1f8b*) unpack="gzip -dc" ;;
  *) unpack=false ;;
  esac
  tail -c "+$((start + 1))" "$image" | head -c "$(number 0x24c 4)" | $unpack >"$2" 2>/dev/null || true
  # A kernel packed in some other way unpacks itself.
  [[ "$(od -An -tx1 -N4 "$2" | tr -d ' \n')" == 7f454c46 ]] || cp "$image" "$2"
}

prepare_kernel() {
  local new="$cache/kernel.new" version loopback modules name
  rm -rf "$new"
  mkdir -p "$new/packages" "$new/tree" "$new/modules"
  version="$(download_kernel "$new/packages" || { apt_get update && download_kernel "$new/packages"; })" ||
    die "cannot get Debian's kernel packages; the whole log is $cache/apt.log"
  say "preparing kernel $version"
  for name in "$new"/packages/*.deb; do dpkg-deb -x "$name" "$new/tree"; done
  loopback="$(echo "$new"/tree/usr/src/v4l2loopback-*)"
  make -C "/usr/src/linux-headers-$version" M="$loopback" modules >"$cache/v4l2loopback.log" 2>&1 ||
    die "v4l2loopback does not build; the whole log is $cache/v4l2loopback.log"
  modules="$new/tree/lib/modules/$version"
  mkdir -p "$modules/updates"
  cp "$loopback/v4l2loopback.ko" "$modules/updates/"
  # kmod looks in /usr/lib or in /lib, as it was built.
  [[ -e "$new/tree/usr/lib/modules" ]] ||
    { mkdir -p "$new/tree/usr/lib" && ln -s ../../lib/modules "$new/tree/usr/lib/modules"; }
  depmod -b "$new/tree" "$version"
  # Each module's file and, beside it, the names of what has to be loaded for it, in order.
  for name in "${boot_modules[@]}" "${camera_modules[@]}"; do
    modprobe -d "$new/tree" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p' |
      while read -r file; do
        cp -n "$file" "$new/modules/"
        basename "$file" .ko
      done >"$new/modules/$name"
    [[ -s "$new/modules/$name" ]] || die "kernel $version has no module $name"
  done
  for name in "${boot_modules[@]}"; do cat "$new/modules/$name"; done | awk '!seen[$0]++' \
    >"$new/modules/boot"
  unpack_kernel "$new/tree/boot/vmlinuz-$version" "$new/vmlinux"
  echo "$version" >"$new/version"
  rm -rf "$new/packages" "$new/tree" "$cache/kernel"
  mv "$new" "$cache/kernel"
}

prepare_initramfs() {
  local tree="$cache/initramfs.new"
  rm -rf "$tree"
  mkdir -p "$tree"/{bin,proc,sys,dev}
  cp "$(command -v busybox)" "$tree/bin/busybox"
  cp -r "$cache/kernel/modules" "$tree/modules"
  install -m 755 "$here/boot/init" "$tree/init"
  (cd "$tree" && find . -print0 | cpio --null -o -H newc --quiet) >"$cache/initramfs"
  rm -rf "$tree"
}

build_feeders() {
  local flags=(-std=gnu11 -O2 -Wall -Wextra -Werror) common=(pictures.c playing.c)
  (cd "$here/cameras" &&
    gcc "${flags[@]}" -o "$cache/loopback-camera" loopback-camera.c "${common[@]}" -ljpeg &&
    gcc "${flags[@]}" -o "$cache/usb-camera" usb-camera.c usb-descriptors.c usb-requests.c usb-link.c \
      "${common[@]}" -ljpeg) >&2 || die "the feeders do not build"
}

# Whether KVM runs this kernel, by trying: that /dev/kvm can be opened is not enough, as under a KVM
# without hardware support stock kernels hang. The answer is kept for this host's kernel.
kvm_works() {
  [[ -r /dev/kvm && -w /dev/kvm ]] || return 1
  local key answer=no
  key="$(uname -r) $(cat "$cache/kernel/version") $(sed -n '/^model name/{p;q}' /proc/cpuinfo)"
  if [[ "$(head -n 1 "$cache/kvm" 2>/dev/null)" != "$key" ]]; then
    say "trying KVM, for at most 12 s"
    if timeout -k 1 12 qemu-system-x86_64 -machine q35 -accel kvm -cpu host -m 512 -nodefaults \
      -display none -no-reboot -serial stdio -kernel "$cache/kernel/vmlinux" -initrd "$cache/initramfs" \
      -append 'console=ttyS0 quiet panic=-1 v4l2guest.trial' </dev/null 2>/dev/null |
      grep -q V4L2-GUEST-STARTED; then
      answer=yes
    fi
    printf '%s\n%s\n' "$key" "$answer" >"$cache/kvm"
  fi
  [[ "$(tail -n 1 "$cache/kvm")" == yes ]]
}

prepare() {
  [[ "$(dpkg --print-architecture 2>/dev/null)" == amd64 ]] ||
    die "the guest is made of Debian's packages for amd64, and this is no such system"
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock -w 600 9 || die "another run has prepared the guest for ten minutes; see $cache"
  : >"$cache/apt.log"
  install_packages "${packages[@]}"
  [[ -e "$cache/kernel/version" ]] || prepare_kernel
  local sources
  sources="$(cat "$here/prepare.bash" "$here/boot/init" "$here"/cameras/*.[ch] "$cache/kernel/version" |
    sha256sum)"
  if [[ "$(cat "$cache/built" 2>/dev/null)" != "$sources" ]]; then
    build_feeders
    prepare_initramfs
    echo "$sources" >"$cache/built"
  fi
  exec 9>&-
}
