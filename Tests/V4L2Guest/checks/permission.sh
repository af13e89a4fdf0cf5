# A node that this user may not open: status 77 and the group that may, with every program.
source "$LIB"

# Runs a command as the user nobody, who is in no group that may.
run_as_nobody() { # SECONDS COMMAND…
  local seconds="$1"
  shift
  run "$seconds" setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp "$@"
}

usb_camera 0 "$boards/still-320x240" -f YUYV -s S-1
chmod 755 "$scratch"
run_as_nobody 30 calibrate --board 9x6 "$camera" --store /tmp/store
equal "calibrate: status" "$status" 77
contains "calibrate: names the group" "$errors" "group video"
cp -r "$boards/store" store
show-intrinsics prepared --attach "$camera" --store store
chmod -R a+rX store
run_as_nobody 30 frame-pipeline --device "$camera" --size 320x240 --store "$scratch/store" --frames 1 /tmp/pictures
equal "the article's program: status" "$status" 77
contains "the article's program: names the group" "$errors" "group video"
equal "udev gave the node to group video" "$(stat -c %G "$camera")" video
run 60 setpriv --reuid=65534 --regid=65534 --groups="$(getent group video | cut -d : -f 3)" \
  camera-probe "$camera" YUYV 320x240 2
equal "who is in group video may" "$status" 0
end_camera
