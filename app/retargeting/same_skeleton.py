"""Equal skeletons, whose tracks are copied: same names, and rest offsets within one per cent."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..animation.clip import Clip
from ..animation.skeleton import Skeleton
from ..animation.track import Track
from ..animation.types import I32
from ..animation.vectors import dot
from .joint_matching import MappedSkeleton
from .reference_pose import reference_pose_of

NEAR = 0.01  # of an offset's length
LITTLE = 1e-3  # of the skeleton's size: lower bound of the length of an offset
TURNED = np.radians(1.0)  # tolerance of the rotations above the two skeletons


def same_skeleton(
    source: MappedSkeleton, target: MappedSkeleton, hips: tuple[int, int], clips: Iterable[Clip]
) -> I32 | None:
    """Return the target joint of each source joint [J], -1 none; None if the skeletons differ.

    Every target joint needs a source joint of the same name, parent and rest offset, and the clips
    animate no other joints. The rest position of the hips is ignored, which is often that of a
    clip, and so is the scale of the ancestors, but not their rotation.
    """
    ours, theirs = source.skeleton, target.skeleton
    like = np.array([ours.find(theirs.names[j]) for j in target.joints], np.int32)
    if not len(like) or (like < 0).any() or ours.names[hips[0]] != theirs.names[hips[1]]:
        return None
    same = np.full(ours.count, -1, np.int32)
    same[like] = target.joints
    above, over = ours.parents[like], theirs.parents[target.joints]
    inner = np.isin(over, target.joints)
    if (same[above[inner]] != over[inner]).any() or np.isin(above[~inner], like).any():
        return None
    measured = inner & (target.joints != hips[1])
    a, b = ours.rest.translation[like], theirs.rest.translation[target.joints]
    longest = float(np.abs(b[measured]).max(initial=0))
    length = np.maximum(np.linalg.norm(b, axis=1), LITTLE * longest)
    if (np.linalg.norm(a - b, axis=1) > NEAR * length)[measured].any():
        return None
    if not turned_alike(ours, theirs, above[~inner], over[~inner]):
        return None
    for joint in (*source.plain.tolist(), *source.props.tolist()):
        if same[joint] < 0:
            same[joint] = theirs.find(ours.names[joint])
    moved = {track.target for clip in clips for track in clip.tracks if track.path != "values"}
    for joint in moved:
        if same[joint] < 0:
            same[joint] = theirs.find(ours.names[joint])
    return None if any(same[joint] < 0 for joint in moved) else same


def turned_alike(ours: Skeleton, theirs: Skeleton, above: I32, over: I32) -> bool:
    """Return whether the ancestors [n] of two skeletons, -1 none, have the same rest rotation."""
    none = np.array([0.0, 0.0, 0.0, 1.0])
    p, q = (reference_pose_of(body, body.rest).rotation for body in (ours, theirs))
    for one, two in zip(above.tolist(), over.tolist(), strict=True):
        cosine = dot(p[one] if one >= 0 else none, q[two] if two >= 0 else none)
        if abs(float(cosine)) < np.cos(TURNED / 2):
            return False
    return True


def copy_to(clip: Clip, same: I32, values: Sequence[Track]) -> Clip:
    """Return a clip with its tracks mapped to the joints of an equal skeleton, and value tracks.

    Tracks of joints without a target joint are left out.
    """
    tracks = [
        replace(track, target=int(same[track.target]))
        for track in clip.tracks
        if track.path != "values" and same[track.target] >= 0
    ]
    return replace(clip, tracks=(*tracks, *values))
