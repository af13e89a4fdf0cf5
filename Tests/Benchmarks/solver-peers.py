"""Peers that come as Python modules, on a set of bench-solver's.

usage: solver-peers.py opencv|deviations|mrcal FILE
"""

import sys
import time

import numpy as np


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    count, points, width, height, fisheye, _ = (int(n) for n in np.frombuffer(data, "<i4", 6))
    board = np.frombuffer(data, "<f8", 2 * points, 24).reshape(points, 2)
    pixels = np.frombuffer(data, "<f8", 2 * points * count, 24 + 16 * points)
    return pixels.reshape(count, points, 2), board, (width, height), bool(fisheye)


def report(name, views, fisheye, solve):
    """The median of some runs: solver, model, views, milliseconds of processor time, fx, RMS."""
    times, fx, rms = [], 0.0, 0.0
    while len(times) < 25 and (sum(times) < 1 or (len(times) < 3 and sum(times) < 5)):
        start = time.process_time()
        fx, rms = solve()
        times.append(time.process_time() - start)
    model = "fisheye" if fisheye else "pinhole"
    print(f"{name}\t{model}\t{views}\t{1e3 * np.median(times):.2f}\t{fx:.9f}\t{rms:.9f}", flush=True)


def opencv(path, deviations):
    import cv2

    cv2.setNumThreads(1)
    pixels, board, size, fisheye = read(path)
    count = len(pixels)
    kind = np.float64 if fisheye else np.float32
    grid = np.hstack([board, np.zeros((len(board), 1))]).astype(kind).reshape(1, -1, 3)
    grids = [grid] * count
    seen = [view.astype(kind).reshape(1, -1, 2) for view in pixels]
    until = cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS

    def solve():
        if fisheye:
            # OpenCV 5 has the flags elsewhere.
            flags = cv2.fisheye if hasattr(cv2.fisheye, "CALIB_FIX_SKEW") else cv2
            rms, matrix, *_ = cv2.fisheye.calibrate(
                grids, seen, size, np.eye(3), np.zeros((4, 1)), None, None,
                flags.CALIB_RECOMPUTE_EXTRINSIC | flags.CALIB_FIX_SKEW, (until, 100, 2.3e-16))
        else:
            call = cv2.calibrateCameraExtended if deviations else cv2.calibrateCamera
            rms, matrix, *_ = call(grids, seen, size, None, None, criteria=(until, 30, 2.3e-16))
        return matrix[0, 0], rms

    if fisheye and deviations:
        return
    name = f"OpenCV {cv2.__version__}" + (", with deviations" if deviations else "")
    report(name, count, fisheye, solve)


def mrcal_peer(path):
    import mrcal

    pixels, board, (width, height), fisheye = read(path)
    if fisheye:
        return
    count = len(pixels)
    # Points come row by row.
    columns = int(np.argmax(np.diff(board[:, 0]) < 0)) + 1
    spacing = float(board[1, 0] - board[0, 0])
    seen = np.ones((count, len(board) // columns, columns, 3))
    seen[..., :2] = pixels.reshape(count, -1, columns, 2)
    sizes = np.array([[width, height]], dtype=np.int32)
    frames = np.zeros((count, 2), dtype=np.int32)
    frames[:, 0] = np.arange(count)
    indices = np.column_stack([np.arange(count), np.zeros(count), -np.ones(count)]).astype(np.int32)

    def solve():
        core, extrinsics, poses = mrcal.seed_stereographic(
            imagersizes=sizes, focal_estimate=0.75 * width, indices_frame_camera=frames,
            observations=seen, object_spacing=spacing)
        shared = dict(
            imagersizes=sizes, calibration_object_spacing=spacing, verbose=False,
            do_optimize_calobject_warp=False, do_apply_outlier_rejection=False,
            do_apply_regularization=False)
        for lens in ("poses", "core"):
            mrcal.optimize(
                core, extrinsics, poses, None, seen, indices, None, None,
                "LENSMODEL_STEREOGRAPHIC", do_optimize_intrinsics_core=lens == "core",
                do_optimize_intrinsics_distortions=False, **shared)
        intrinsics = np.hstack([core, np.full((1, 5), 1e-7)])
        stats = mrcal.optimize(
            intrinsics=intrinsics, extrinsics_rt_fromref=extrinsics, frames_rt_toref=poses,
            points=None, observations_board=seen,
            indices_frame_camintrinsics_camextrinsics=indices, observations_point=None,
            indices_point_camintrinsics_camextrinsics=None, lensmodel="LENSMODEL_OPENCV5",
            do_optimize_intrinsics_core=True, do_optimize_intrinsics_distortions=True,
            do_optimize_extrinsics=True, do_optimize_frames=True, **shared)
        residuals = stats["x"][: 2 * pixels.size // 2].reshape(-1, 2)
        return intrinsics[0, 0], float(np.sqrt((residuals**2).sum(1).mean()))

    report("mrcal, no rejection", count, fisheye, solve)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(64)
    if sys.argv[1] == "mrcal":
        mrcal_peer(sys.argv[2])
    else:
        opencv(sys.argv[2], sys.argv[1] == "deviations")
