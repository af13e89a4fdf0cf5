# A node that this user may not open: status 77 and the group that may, with every program.
source "$LIB"

# Runs a command as the user whose files these are, as nobody else may reach all of them; without the
# rights of root, should it be root.
run_as_user() { # SECONDS GROUPS-OPTION COMMAND…
  local seconds="$1" groups="$2" user
  user="$(stat -c %u "$LIB")"
  shift 2
  run "$seconds" setpriv --reuid="$user" --regid="$user" "$groups" --bounding-set=-all --inh-caps=-all \
    env HOME=/tmp "$@"
}

usb_camera 0 "$boards/still-320x240" -f YUYV -s S-1
equal "udev gave the node to group video" "$(stat -c '%G %a' "$camera")" "video 660"
cp -r "$boards/store" store
show-intrinsics prepared --attach "$camera" --store store
chmod 777 "$scratch"
chmod -R a+rwX .
chown 12345 "$camera" # neither this user's nor root's

run_as_user 30 --clear-groups calibrate --board 9x6 "$camera" --store new
equal "calibrate: status" "$status" 77
contains "calibrate: names the group" "$errors" "group video"
run_as_user 30 --clear-groups frame-pipeline --device "$camera" --size 320x240 --store store --frames 1 pictures
equal "the article's program: status" "$status" 77
contains "the article's program: names the group" "$errors" "group video"
run_as_user 30 --clear-groups list-cameras
equal "list-cameras lists it nevertheless" "$status" 0
contains "list-cameras: says what is wrong with it" "$output" "group video"
run_as_user 60 "--groups=$(getent group video | cut -d : -f 3)" camera-probe "$camera" YUYV 320x240 2
equal "who is in group video may" "$status" 0
end_camera
