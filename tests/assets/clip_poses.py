"""Poses and joint matrices of a clip."""

import numpy as np

from rigview.animation.pose import Pose


def poses_at(model, clip, times):
    """Local poses of a clip; joints without tracks are at rest."""
    pose = Pose.like(model.skeleton.rest, np.shape(times))
    pose.assign(model.skeleton.rest)
    clip.sample(np.asarray(times, np.float64), pose)
    return pose


def joint_matrices(model, clip, times):
    """Joint matrices [T, J, 4, 4] in model space."""
    return model.skeleton.to_model(poses_at(model, clip, times)).astype(np.float64)


def frame_times(clip, rate=30.0):
    """Times from 0 to the end of a clip, `rate` to the second."""
    return np.linspace(0.0, clip.end, max(round(clip.end * rate), 2) + 1)
