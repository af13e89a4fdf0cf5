# A camera that is pulled out in mid-stream: the session ends and says so; or, where it is to, it goes on
# when the camera is back, known by its identity, though its node is another one.
source "$LIB"
store="$scratch/store"
cp -r "$boards/store" "$store"

frames() { # COUNT
  [[ "$(grep -c ^frame out)" -ge $1 ]]
}

usb_camera 0 "$boards/still-320x240" -f YUYV -r 10 -s S-1
first="$camera"
show-intrinsics prepared --attach "$camera" --store "$store"
begin frame-pipeline --device "$camera" --size 320x240 --store "$store" --every 1 --hex pictures
within 60 frames 3
tell unplug
end
equal "by default unplugging ends the program, with the status for cameras that are gone" "$status" 69
contains "it says why" "$(cat error)" unplugged
within 20 is_gone "$first"
tell plug
within 20 find_usb_camera 0
first="$camera"

begin frame-pipeline --device "$camera" --size 320x240 --store "$store" --every 1 --hex --resume pictures
holds "frames come" within 60 frames 3
tell unplug
holds "unplugging is told" within 30 grep -qi plug error
holds "the program goes on" kill -0 "$program"
within 20 is_gone "$first"

# Another camera takes the next node.
usb_camera 1 "$boards/still-320x240" -f YUYV -s S-2
before="$(grep -c ^frame out)"
pipe="$scratch/usb0.pipe"
tell plug
within 20 find_usb_camera 0
lacks "the camera has another node" "$camera" "$first"
holds "frames come again" within 60 frames $((before + 3))
equal "only the new node is open" "$(ls -l "/proc/$program/fd" | grep -o '/dev/video.*')" "$camera"
equal "they carry the same matrix" "$(sed -n 's/^frame [0-9]* //p' out | sort -u | wc -l)" 1
kill -INT "$program"
end
equal "Ctrl-C ends the program" "$status" 130
lacks "nothing has crashed" "$(cat error)" "Fatal"
