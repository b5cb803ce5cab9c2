"""Fades of one joint, and the way through them."""

import numpy as np

from rigview.blending.cross_fade import FadeSource
from rigview.blending.skeleton_channels import Rig
from tests.support.clips import make_skeleton, rest_pose
from tests.support.function_sources import Moving

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
EASES = ("cubic", "linear")
KINDS = ("smooth", "frozen")
ROTATIONS = ("nlerp", "slerp")
TICK = 1 / 120


def one_joint(values=0, step=(), rotations=()):
    skeleton = make_skeleton([-1], rest_pose(1, values))
    stepped = np.isin(np.arange(values), step)
    return Rig(skeleton, np.zeros(values, np.int32), stepped, rotations)


def run(fade, tau, count=None):
    """Advance from the start to `tau` in steps of 1/120 s, or in `count` steps."""
    count = count or max(round((tau - fade.tau0) / TICK), 1)
    times = np.linspace(fade.tau0, tau, count + 1)
    for begin, end in zip(times.tolist(), times[1:].tolist(), strict=False):
        fade.advance(begin, end)


def fade_of(old, new, seconds=1.0, rig=None, **settings):
    rig = rig or one_joint()
    return FadeSource(Moving(old), Moving(new), 0.0, seconds, rig, **settings)
