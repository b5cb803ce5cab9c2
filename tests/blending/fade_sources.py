"""Cross-fades of a single joint, and advancing them in steps."""

import numpy as np

from rigview.blending.cross_fade import FadeSettings, FadeSource
from rigview.blending.pose_layout import PoseLayout
from tests.support.clips import make_skeleton, rest_pose
from tests.support.function_sources import FunctionSource

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
EASES = ("cubic", "linear")
KINDS = ("smooth", "frozen")
ROTATIONS = ("nlerp", "slerp")
STEP = 1 / 120


def one_joint_rig(values=0, step=(), rotations=()):
    skeleton = make_skeleton([-1], rest_pose(1, values))
    stepped = np.isin(np.arange(values), step)
    return PoseLayout(skeleton, np.zeros(values, np.int32), stepped, rotations)


def advance_fade(fade, tau, count=None):
    """Advance a fade from its start to `tau` in steps of 1/120 s, or in `count` steps."""
    count = count or max(round((tau - fade.tau0) / STEP), 1)
    times = np.linspace(fade.tau0, tau, count + 1)
    for begin, end in zip(times.tolist(), times[1:].tolist(), strict=False):
        fade.advance(begin, end)


def make_fade(old, new, seconds=1.0, rig=None, batch=(), **settings):
    rig = rig or one_joint_rig()
    settings = FadeSettings(seconds, **settings)
    return FadeSource(FunctionSource(old), FunctionSource(new), 0.0, settings, rig, batch)
