"""Tracks that never change, and whether they equal the rest pose."""

import numpy as np

from ..animation.track import Track
from .check_context import CheckContext

SAME = 1e-6  # tolerance of equal keys
SAME_AS_REST = 1e-5  # tolerance of keys equal to the rest pose


def is_constant(track: Track) -> bool:
    """Return whether all keys of a track are equal."""
    if track.tangents is not None and bool((np.abs(track.tangents) > SAME).any()):
        return False
    if not len(track.times):
        return True
    values, first = track.values, track.values[:1]
    difference = np.abs(values - first).max(initial=0.0)
    if track.path == "rotation" and difference > SAME:  # q and -q are the same rotation
        difference = np.minimum(np.abs(values - first), np.abs(values + first)).max(initial=0.0)
    return bool(difference <= SAME * max(1.0, float(np.abs(first).max(initial=0.0))))


def starts_in_rest_pose(context: CheckContext, track: Track) -> bool:
    """Return whether the first key of a track equals the rest pose."""
    rest = context.model.skeleton.rest
    value = track.values[0]
    if track.path == "values":
        own = rest.values[track.start : track.start + len(value)]
    else:
        own = getattr(rest, track.path)[track.target]
    difference = np.abs(value - own).max(initial=0.0)
    if track.path == "rotation":
        difference = min(difference, np.abs(value + own).max(initial=0.0))
    return bool(difference <= SAME_AS_REST * max(1.0, float(np.abs(own).max(initial=0.0))))
