# Several programs read from one v4l2loopback device at a time: none of ours disturbs the others, and ours
# bear it when another does.
source "$LIB"

goes_on() { # COUNT: more lines of the probe
  within 60 has_lines $(($(grep -c ^frame out) + $1))
}

has_grown() { # BYTES
  [[ -e frames && "$(stat -c %s frames)" -gt $1 ]]
}

loopback_camera 12 "$boards/still-320x240" -f YUYV -r 10

# A stranger reads for as long as it lives.
v4l2-ctl -d "$camera" --stream-mmap=4 --stream-to=frames >/dev/null 2>stranger.log &
stranger=$!
holds "another program reads" within 60 has_grown 0
for round in 1 2 3 4; do
  run 30 list-cameras
  equal "list-cameras ends well ($round)" "$status" 0
done
holds "another program goes on when list-cameras looks at the camera" within 30 has_grown "$(stat -c %s frames)"
kill "$stranger"
wait "$stranger" 2>/dev/null

start_probe YUYV 320x240
for round in 1 2 3 4; do
  run 30 list-cameras
  run 60 v4l2-ctl -d "$camera" --stream-mmap=4 --stream-count=2 # begins and ends
  equal "a second program reads, too ($round)" "$status" 0
  holds "the first one goes on ($round)" goes_on 2
done
kill "$program"
wait "$program"
equal "the first one has met no error" "$(cat error)" ""

# Ours is the first to end.
begin camera-probe "$camera" YUYV 320x240 25
rm frames
within 60 has_lines 3
v4l2-ctl -d "$camera" --stream-mmap=4 --stream-to=frames >/dev/null 2>stranger.log &
stranger=$!
within 60 has_grown 0
end
equal "one that ends before the other ends well" "$status" 0
holds "and the other goes on" within 30 has_grown "$(stat -c %s frames)"
kill "$stranger"
wait "$stranger" 2>/dev/null
end_camera
