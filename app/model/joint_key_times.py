"""The key times of joints: of their tracks, and of the other values that they own."""

from collections.abc import Collection

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F64
from .model import Model


def joint_key_times(model: Model, clip: Clip, joint: int) -> F64:
    """Return the sorted key times [K] of a joint's tracks and of the values that it owns."""
    return branch_key_times(model, clip, {joint}).get(joint, np.zeros(0))


def branch_key_times(model: Model, clip: Clip, joints: Collection[int]) -> dict[int, F64]:
    """Return the sorted key times [K] of those of some joints that have keys, by joint."""
    found: dict[int, list[F64]] = {}
    for track in clip.tracks:
        owner = model.channels[track.target].joint if track.path == "values" else track.target
        if owner in joints:
            found.setdefault(owner, []).append(track.times.astype(np.float64))
    return {joint: np.unique(np.concatenate(found[joint])) for joint in sorted(found)}
