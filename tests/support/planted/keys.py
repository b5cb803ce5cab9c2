"""A wrong key of one joint, planted where the other keys of the track are on a smooth curve."""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from rigview.animation import quat
from rigview.animation.vectors import length
from rigview.checks.check_context import CheckContext
from rigview.checks.key_groups import FRAME, unit_lengths
from rigview.checks.rule_list import rule
from rigview.checks.rule_settings import Settings
from rigview.checks.visible_size import joint_reach
from tests.support.planted.fault_class import FaultClass
from tests.support.planted.siblings import changed, spread

SIZES = (0.5, 1.05, 2.0, 5.0, 10.0)
KEYS = 30  # of a track, at least
QUIET = 0.2  # of the limit: the greatest distance of a key from the middle of those beside it
LARGE = 0.15  # metres of a character 1.8 m tall: a joint turns more of the surface than this
MOST = 0.8  # of a turn by two right angles that the largest size needs
AXIS = np.array([0.6, 0.0, 0.8])


class Place(NamedTuple):
    """A key of a track."""

    clip: int
    joint: int
    path: str
    key: int
    cause: str  # name of the joint


def limit_of(context, path):
    """The limit of a key in metres of the surface; a translation's own limit is smaller."""
    limits = Settings().limits_of(rule("pop"), context.scale)
    return limits["mm" if path == "translation" else "surface"] / 1000


def reach_of(context, joint, path):
    """How far the surface moves by half a turn's chord, a unit of a scale or of a translation."""
    if path == "translation":
        return context.cached(unit_lengths)[joint] * (joint_reach(context, joint) > 0)
    return joint_reach(context, joint, AXIS if path == "rotation" else None)


def places(context, path):
    """Keys in the middle of smooth tracks of joints that move much of the surface."""
    found = []
    for c in context.clips:
        for track in context.clip(c).tracks:
            if track.path != path or track.interpolation == "STEP" or len(track.times) < KEYS:
                continue
            reach = reach_of(context, track.target, path)
            if path != "translation" and reach < LARGE * context.scale:
                continue
            if path == "rotation" and SIZES[-1] * limit_of(context, path) > 2 * MOST * reach:
                continue
            if reach > 0 and is_quiet(track, reach, QUIET * limit_of(context, path)):
                name = context.model.skeleton.names[track.target]
                key = len(track.times) // 3 + track.target % (len(track.times) // 3)
                found.append(Place(c, track.target, path, key, name))
    return spread(found)


def is_quiet(track, reach, most):
    """Whether keys of adjacent frames are on a smooth curve, within a displacement in metres."""
    values = track.values.astype(float)
    if track.path == "rotation":
        values = 2 * quat.align_signs(values)
    bends = length(values[1:-1] - (values[:-2] + values[2:]) / 2) * reach
    return np.diff(track.times).max() <= FRAME and bends.max() < most


def plant(context, place, size):
    """Displace a key so that the surface moves by `size` limits."""
    c, joint, path, key, _ = place
    share = size * limit_of(context, path) / reach_of(context, joint, path)

    def wrong(track):
        values = track.values.copy()
        if path == "rotation":
            half = np.arcsin(min(share / 2, 1))
            turn = np.append(AXIS * np.sin(half), np.cos(half))
            values[key] = quat.multiply(values[key].astype(float), turn)
        elif path == "scale":
            values[key] += share * length(context.model.skeleton.rest.scale[joint]) / np.sqrt(3)
        else:
            values[key] += AXIS * share
        return replace(track, values=values)

    tracks = [
        wrong(track) if (track.target, track.path) == (joint, path) else track
        for track in context.clip(c).tracks
    ]
    made = changed(context, c, tracks)
    return CheckContext(made.model, clips=(c,))


CLASSES = tuple(
    FaultClass(f"wrong {path} key of a joint", ("pop",), partial(places, path=path), plant, SIZES)
    for path in ("rotation", "translation", "scale")
)
