"""The key times of a joint: of its tracks, and of the other values that it owns."""

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F64
from .model import Model


def joint_key_times(model: Model, clip: Clip, joint: int) -> F64:
    """Return the sorted key times [K] of a joint's tracks and of the values that it owns."""
    lines = [
        track.times
        for track in clip.tracks
        if (model.channels[track.target].joint if track.path == "values" else track.target) == joint
    ]
    return np.unique(np.concatenate([np.zeros(0), *lines]))
