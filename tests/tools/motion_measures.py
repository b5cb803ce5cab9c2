"""Measures of how a character's clips move: what turns by how much, and how late it answers.

`python -m tests.tools.motion_measures [FILE]` prints a row for every clip. Columns: ranges in
degrees (yaw/pitch/roll, model space) of hips, chest and head, and of the line of the shoulders
(yaw/roll); frames at 30 a second by which the yaw of chest and head comes after that of the hips
(the lag of the greatest correlation, opposite turns included; empty where one is still); the range
of the hips in centimetres (aside/up/ahead); the swing of the hands against their forearms and of
what the right hand holds, in degrees; millimetres that a planted toe slides on the ground; and the
greatest change of a joint's velocity, metres a second, where a loop begins again or, for other
clips, their velocity at an end. Below: the same change where strafing and turning steps join.
"""

import json
import sys
from pathlib import Path

import numpy as np

from rigview.animation import quat
from rigview.loading.load import load
from rigview.resources import asset_path
from tests.assets.clip_poses import joint_matrices
from tests.support.gltf_documents import split_glb

FRAME, FINE = 1.0 / 30.0, 8  # seconds; samples a frame
MOST = 6.0  # frames: the greatest delay that is looked for
STILL = 0.8  # degrees: what turns less has no delay
PLANTED = 0.0305  # metres: a toe's joint that is lower carries
TITLES = (
    "clip",
    "hips y/p/r",
    "chest y/p/r",
    "head y/p/r",
    "shoulders y/r",
    "late",
    "hips cm",
    "hands",
    "prop",
    "slide",
    "seam",
)
HAND_OVERS = (
    ("TurnStep", "StrafeLeft", "StrafeLeftBack", 0.75),
    ("TurnStepForward", "StrafeLeftBack", "StrafeLeft", 0.75),
    ("TurnStepRight", "StrafeRight", "StrafeRightBack", 0.25),
    ("TurnStepRightForward", "StrafeRightBack", "StrafeRight", 0.25),
)


def angles(turns):
    """Return yaw, pitch and roll [3, T] of rotations [T, 3, 3], degrees."""
    ahead, side = turns[..., 2], turns[..., 0]
    yaw = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    return np.degrees((yaw, -np.arcsin(ahead[:, 1].clip(-1, 1)), np.arcsin(side[:, 1].clip(-1, 1))))


def delay(one, two, *, loop):
    """Return by how many frames `two` [T] comes after `one` [T], or None."""
    if min(np.ptp(one), np.ptp(two)) < STILL:
        return None
    best = {}
    for lag in range(round(-MOST * FINE), round(MOST * FINE) + 1):
        if loop:
            a, b = one[:-1], np.roll(two[:-1], -lag)
        else:
            a, b = one[max(-lag, 0) : len(one) - max(lag, 0)], two[max(lag, 0) :][: len(one)]
            b = b[: len(a)]
        if min(np.ptp(a), np.ptp(b)) > 0.0:
            best[lag] = abs(float(np.corrcoef(a, b)[0, 1]))
    return max(best, key=lambda lag: (round(best[lag], 6), -abs(lag))) / FINE


def turned(turns):
    """Return the range of rotations [T, 3, 3]: the greatest angle between two of them, degrees."""
    q = quat.from_matrix(turns)
    return float(np.degrees(2.0 * np.arccos(np.abs(q @ q.T).clip(0.0, 1.0))).max())


def slide(at, names, times, speed, turn):
    """Return the furthest that a planted toe moves over the ground, millimetres."""
    worst = 0.0
    angle = np.radians(turn) * times
    half = np.sinc(angle / (2.0 * np.pi)) * times
    x, z = speed
    sine, cosine = np.sin(angle / 2.0), np.cos(angle / 2.0)
    gone = half[:, None] * np.stack((x * cosine + z * sine, z * cosine - x * sine), axis=1)
    sine, cosine = np.sin(angle), np.cos(angle)
    for side in ("Left", "Right"):
        toe = at[:, names.index(f"{side}ToeBase")]
        east = toe[:, 0] * cosine + toe[:, 2] * sine + gone[:, 0]
        north = toe[:, 2] * cosine - toe[:, 0] * sine + gone[:, 1]
        down = np.concatenate(([0], (toe[:, 1] < PLANTED).astype(int), [0]))
        for first, last in np.flatnonzero(np.diff(down)).reshape(-1, 2):
            worst = max(worst, *(float(np.ptp(way[first:last])) for way in (east, north)))
    return 1000.0 * worst


def velocity(model, clip, time, side):
    """Return the joints' velocities [J, 3] just after a time (side 1), or before it (-1), m/s."""
    step = side / 240.0
    at = joint_matrices(model, clip, time + step * np.arange(3))[..., :3, 3]
    return (4.0 * at[1] - 3.0 * at[0] - at[2]) / (2.0 * step)


def seam(model, clip, *, loop):
    """Return the greatest change of velocity at a loop's seam, or the velocity at an end, m/s."""
    first, last = velocity(model, clip, 0.0, 1.0), velocity(model, clip, clip.end, -1.0)
    speeds = (first - last,) if loop else (first, last)
    return max(float(np.linalg.norm(one, axis=1).max()) for one in speeds)


def hand_over(model, clips, step, before, after, phase):
    """Return the greatest changes of velocity where strafing goes over into a step and back."""
    found = []
    for gait, at, side in ((before, 0.0, 1.0), (after, clips[step].end, -1.0)):
        own = velocity(model, clips[step], at, side)
        other = velocity(model, clips[gait], phase * clips[gait].end, -side)
        found.append(float(np.linalg.norm(own - other, axis=1).max()))
    return found


def measures(model, clip, facts):
    """Return the cells of a clip's row."""
    names, loop = model.skeleton.names, facts["loop"]
    count = max(round(clip.end / FRAME * FINE), 8)
    times = np.linspace(0.0, clip.end, count + 1)
    found = joint_matrices(model, clip, times)
    rest = model.skeleton.to_model(model.skeleton.rest).astype(np.float64)

    def turns(name):
        j = names.index(name)
        return found[:, j, :3, :3] @ rest[j, :3, :3].T

    def place(name):
        return found[:, names.index(name), :3, 3]

    hips, chest, head = (angles(turns(name)) for name in ("Hips", "Spine2", "Head"))
    line = place("LeftArm") - place("RightArm")
    girdle = np.degrees((np.arctan2(-line[:, 2], line[:, 0]), np.arctan2(line[:, 1], line[:, 0])))
    lags = (delay(hips[0], part[0], loop=loop) for part in (chest, head))
    wrists = [
        turned(np.swapaxes(turns(f"{side}ForeArm"), 1, 2) @ turns(f"{side}Hand"))
        for side in ("Left", "Right")
    ]
    return (
        clip.name,
        *("/".join(f"{np.ptp(row):.1f}" for row in part) for part in (hips, chest, head, girdle)),
        " ".join("-" if lag is None else f"{lag:+.1f}" for lag in lags),
        "/".join(f"{100.0 * value:.1f}" for value in np.ptp(place("Hips"), axis=0)),
        " ".join(f"{value:.0f}" for value in wrists),
        f"{turned(turns('Prop')):.0f}",
        f"{slide(found[..., :3, 3], names, times, facts['speed'], facts['turn']):.1f}",
        f"{seam(model, clip, loop=loop):.2f}",
    )


def main():
    """Print the table of a character that is made by `assets/make_mannequin.py`."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else asset_path("mannequin.glb")
    model = load(path)
    text, _ = split_glb(path.read_bytes())
    facts = {clip["name"]: clip["extras"]["rigview"] for clip in json.loads(text)["animations"]}
    rows = [TITLES, *(measures(model, clip, facts[clip.name]) for clip in model.clips)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(TITLES))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
    clips = {clip.name: clip for clip in model.clips}
    for row in HAND_OVERS:
        first, last = hand_over(model, clips, *row)
        print(f"{row[1]} → {row[0]} {first:.2f} m/s, → {row[2]} {last:.2f} m/s")


if __name__ == "__main__":
    main()
