"""Values that the channels of a clip animate, and warnings about their targets."""

import numpy as np

from rigview.animation.pose import Pose


def sampled_values(model, time, clip=0):
    """The other values of a clip at a time, by pointer."""
    pose = Pose.like(model.skeleton.rest, (1,))
    model.clips[clip].sample(np.array([time]), pose)
    return {each.pointer: pose.values[0, each.slice] for each in model.channels}


def target_warnings(b):
    """Place and message of each warning about a channel's target."""
    return [
        w.partition(": ")[2].removesuffix("; the channel is ignored")
        for w in b.load().warnings
        if "/target" in w
    ]
