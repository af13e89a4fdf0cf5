# A board with known intrinsics, played through v4l2loopback: `calibrate` stores them, under the right id
# and size; the frames that it kept give the same result as photographs.
source "$LIB"
export CAMERA_CALIBRATIONS="$scratch/store"

loopback_camera 12 "$boards/held-320x240" -f YUYV -H 2
run 280 calibrate --board 9x6 "$camera" --views 9 --keep-frames kept
echo "$errors"
equal "calibrate ends well" "$status" 0
run 20 show-intrinsics "name:loop-three" --size 320x240 --format json
equal "the record is filed under the label" "$status" 0
near_truth "the matrix is near the truth" stdout "$boards/held-320x240/truth.json"
cp stdout record.json
equal "nine frames were kept" "$(ls kept | wc -l)" 9
run 120 calibrate --board 9x6 --dry-run --json kept
equal "they give the same matrix" "$(jq -c .intrinsics stdout)" "$(jq -c .intrinsics record.json)"
end_camera
