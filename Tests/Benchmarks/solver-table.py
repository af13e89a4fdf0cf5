"""Our solver's figures on real photographs beside OpenCV's and mrcal's: a table in Markdown.

usage: solver-table.py CALIBRATE PHOTOGRAPHS > docs/solver.md

PHOTOGRAPHS is a folder with one folder for each set. Corners are found once, by CALIBRATE, and go to all
three: five coefficients, no bend, no rejection, no regularisation. Those of fisheye lenses go to OpenCV's
fisheye module, with four coefficients.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

SETS = [
    ("opencv-stereo-vga/left*.jpg", "9x6"),
    ("stereo-webcam-640x360/left*.jpg", "9x6"),
    ("gopro-wide-1280x960", "8x6"),
    ("ros-720p-pillarbox", "9x7"),
    ("webcam-1080p", "8x6"),
    ("carnd-720p", "9x6"),
    ("iphone6-960x540", "9x7"),
    ("sony-hx5v-vga", "6x4"),
    ("board-on-phone-vga", "10x10"),
]
FISHEYE_SETS = [
    ("fisheye-vga-published", "8x6"),
    ("fisheye-boofcv-640x720", "6x4"),
    ("fisheye-2304", "9x6"),
]
NAMES = ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3"]
FISHEYE_NAMES = ["fx", "fy", "cx", "cy", "k1", "k2", "k3", "k4"]


def ours(calibrate, source, board, lens, work):
    corners = os.path.join(work, "corners.json")
    run = subprocess.run(
        [calibrate, "--board", board, "--lens", lens, "--coefficients", "4" if lens == "fisheye" else "5",
         "--no-outliers", "--no-bend", "--json", "--quiet", "--store", os.path.join(work, "store"),
         "--dump-corners", corners]
        + (sorted(glob.glob(source)) if "*" in source else [source]),
        stdout=subprocess.PIPE, text=True)
    if run.returncode not in (0, 2):
        raise RuntimeError(f"calibrate ended with {run.returncode}")
    with open(corners) as file:
        points = json.load(file)
    return json.loads(run.stdout), points


def observations(record, points):
    """The pixels of the used views, their corners that count, and the board's points in squares.

    A corner that the detector doubts does not count.
    """
    columns, rows = points["corners"]["columns"], points["corners"]["rows"]
    used = {os.path.basename(view["source"]) for view in record["views"] if view["used"]}
    views = [view for view in points["views"] if os.path.basename(view["source"]) in used]
    seen = [np.array(view["pixels"], dtype=float).reshape(-1, 2) for view in views]
    counts = [
        np.array(view.get("used", [True] * len(pixels))) & np.isfinite(pixels[:, 0])
        for view, pixels in zip(views, seen)]
    grid = np.zeros((rows * columns, 3))
    grid[:, 0] = np.tile(np.arange(columns), rows)
    grid[:, 1] = np.repeat(np.arange(rows), columns)
    return seen, counts, grid, columns, rows


def start(record, names):
    k = record["intrinsics"]
    matrix = np.array([[k["fx"], 0, k["cx"]], [0, k["fy"], k["cy"]], [0, 0, 1]])
    return matrix, np.array([record["distortion"][name] for name in names[4:]])


UNTIL = (3, 200, 1e-15)  # passes and change: cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS


def opencv(record, seen, counts, grid, size):
    import cv2

    matrix, distortion = start(record, NAMES)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | (cv2.CALIB_FIX_K3 if "k3" in record["held"] else 0)
    rms, matrix, distortion, _, _, deviations, *_ = cv2.calibrateCameraExtended(
        [grid[used].astype(np.float32) for used in counts],
        [view[used].astype(np.float32).reshape(-1, 1, 2) for view, used in zip(seen, counts)], size,
        matrix, distortion, flags=flags, criteria=UNTIL)
    found = [matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]] + list(distortion.ravel()[:5])
    return rms, np.array(found), deviations.ravel()[:9]


def opencv_fisheye(record, seen, counts, grid, size):
    import cv2

    matrix, distortion = start(record, FISHEYE_NAMES)
    flags = (cv2.fisheye.CALIB_USE_INTRINSIC_GUESS | cv2.fisheye.CALIB_RECOMPUTE_EXTRINSIC
             | cv2.fisheye.CALIB_FIX_SKEW)
    rms, matrix, distortion, *_ = cv2.fisheye.calibrate(
        [grid[used][None] for used in counts],
        [view[used][None] for view, used in zip(seen, counts)], size, matrix, distortion,
        flags=flags, criteria=UNTIL)
    found = [matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]] + list(distortion.ravel())
    return rms, np.array(found), None


def mrcal_peer(record, seen, counts, columns, rows, size):
    import mrcal

    matrix, distortion = start(record, NAMES)
    frames = [
        view["pose"]["rotation"] + view["pose"]["translation"] for view in record["views"]
        if view["used"]]
    count = 4 if "k3" in record["held"] else 5
    pixels = np.ones((len(seen), rows, columns, 3))
    pixels[..., :2] = np.array(seen).reshape(len(seen), rows, columns, 2)
    # A weight below 0: left out.
    pixels[..., 2] = np.where(np.array(counts).reshape(len(seen), rows, columns), 1, -1)
    pixels[~np.isfinite(pixels)] = 0
    core = [matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]]
    # Not exactly 0, as mrcal takes that for a coefficient that is held.
    inputs = dict(
        intrinsics=np.array([core + list(distortion[:count] + 1e-9)]),
        extrinsics_rt_fromref=np.zeros((0, 6)), frames_rt_toref=np.array(frames), points=None,
        observations_board=pixels,
        indices_frame_camintrinsics_camextrinsics=np.array(
            [[view, 0, -1] for view in range(len(seen))], dtype=np.int32),
        observations_point=None, indices_point_camintrinsics_camextrinsics=None,
        lensmodel=f"LENSMODEL_OPENCV{count}", imagersizes=np.array([size], dtype=np.int32),
        calibration_object_spacing=1.0, do_optimize_intrinsics_core=True,
        do_optimize_intrinsics_distortions=True, do_optimize_extrinsics=False,
        do_optimize_frames=True, do_optimize_calobject_warp=False,
        do_apply_regularization=False)
    stats = mrcal.optimize(**inputs, do_apply_outlier_rejection=False)
    residuals = stats["x"][: pixels[..., 0].size * 2].reshape(-1, 2)[np.concatenate(counts)]
    jacobian = mrcal.optimizer_callback(**inputs, no_factorization=True)[2].toarray()
    free = jacobian.shape[1]
    variance = (residuals**2).sum() / (residuals.size - free)
    deviations = np.sqrt(variance * np.diag(np.linalg.inv(jacobian.T @ jacobian)))
    mrcal.unpack_state(deviations, **inputs)
    rms = np.sqrt((residuals**2).sum(1).mean())
    return rms, inputs["intrinsics"][0], deviations[: 4 + count]


def peer(solve):
    try:
        return solve()
    except Exception as error:
        print(f"SKIPPED: {error}", file=sys.stderr)
        return None


def main(calibrate, folder):
    print("# The solver on real photographs\n")
    print(
        "Made by `make solver-table`; do not edit. The same corners for all: five coefficients, no bend, no\n"
        "rejection, no regularisation. Pixels. Deviations of fx: *noise* as H⁻¹·s² gives it, *view to view* by\n"
        "the jackknife (ours alone); \"off\" is the largest difference of a parameter from ours in our own noise\n"
        "deviations. OpenCV and mrcal begin where ours ended, OpenCV without the poses. Where k3 would fold the\n"
        "image over it is held at 0, by all three. Fisheye lenses (the last sets): Kannala–Brandt with four\n"
        "coefficients, which mrcal does not have; OpenCV's fisheye module gives no deviations, and where corners\n"
        "are seen near 90° and beyond (the last two) it finds no poses to begin with: its RMS is where it stopped.\n"
        "`calibrate --solver opencv` ends in OpenCV's own answer on the same points, and says how far it is from ours.\n")
    print(
        "| set | views | RMS | sigma | held-out sigma | fx | noise | view to view | OpenCV RMS | off | noise "
        "| mrcal RMS | off | noise |")
    print("|---|" + "---:|" * 13)
    sets = [(*one, "pinhole") for one in SETS] + [(*one, "fisheye") for one in FISHEYE_SETS]
    for pattern, board, lens in sets:
        source = os.path.join(folder, pattern)
        if not glob.glob(source):
            print(f"SKIPPED: no {source}", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as work:
            record, points = ours(calibrate, source, board, lens, work)
        seen, counts, grid, columns, rows = observations(record, points)
        size = (record["resolution"]["width"], record["resolution"]["height"])
        order = record["covariance"]["parameters"]
        noise = np.sqrt(np.diag(np.array(record["covariance"]["noise"])))
        spread = record["covariance"].get("viewToView")
        values = {**record["intrinsics"], **record["distortion"]}
        error = record["reprojectionError"]
        row = [
            pattern.split("/")[0], f"{len(seen)}", f"{error['rms']:.4f}", f"{error['sigma']:.4f}",
            f"{error['heldOutSigma']:.4f}" if error.get("heldOutSigma") else "–",
            f"{values['fx']:.2f}", f"{noise[order.index('fx')]:.2f}",
            f"{np.sqrt(spread[order.index('fx')][order.index('fx')]):.2f}" if spread else "–"]
        if lens == "fisheye":
            names = FISHEYE_NAMES
            answers = (peer(lambda: opencv_fisheye(record, seen, counts, grid, size)), None)
        else:
            names = NAMES
            answers = (
                peer(lambda: opencv(record, seen, counts, grid, size)),
                peer(lambda: mrcal_peer(record, seen, counts, columns, rows, size)))
        for answer in answers:
            if answer is None:
                row += ["–", "–", "–"]
                continue
            rms, found, deviations = answer
            off = max(
                abs(found[names.index(name)] - values[name]) / noise[index]
                for index, name in enumerate(order) if name in names[:len(found)])
            row += [
                f"{rms:.4f}", f"{off:.1e}", "–" if deviations is None else f"{deviations[0]:.2f}"]
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(64)
    main(sys.argv[1], sys.argv[2])
