"""Facing: the horizontal direction that a character faces, from its sides, feet and eyes."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ..animation.model_space import unit
from ..animation.skeleton import Skeleton
from ..animation.types import F64
from ..animation.vectors import length
from .joint_aliases import BodyPart
from .reference_pose import ReferencePose

Side = tuple[str, str, int]  # side, body part or word, number
Pair = tuple[int, int]  # left and right joint
LEVEL = 0.3  # smallest horizontal part of a unit vector that has a heading
AGREE = np.cos(np.pi / 4)  # cosine of the largest angle of a cue to the mean of all
_FRONT = ("upperleg", "upperarm", "shoulder")  # body parts that define left and right


def mirrored_pairs(named: Mapping[int, Side]) -> tuple[Pair, ...]:
    """Return the left and right joints with one name; only hips and shoulders if there are any.

    `named` is side, body part or word, and number of each joint with a side.
    """
    joints = {side: joint for joint, side in named.items()}
    front = any(word in _FRONT for _, word, _ in joints)
    return tuple(
        (joint, joints["right", word, number])
        for (side, word, number), joint in joints.items()
        if side == "left" and ("right", word, number) in joints and (not front or word in _FRONT)
    )


def yaw_of_sides(position: F64, pairs: Iterable[Pair]) -> float | None:
    """Return the heading of joints [J, 3] whose left ones are on the left; None if unclear.

    Headings are radians about +Y, 0 for +Z.
    """
    ends = np.array(list(pairs), np.intp).reshape(-1, 2)
    across = unit(position[ends[:, 0]] - position[ends[:, 1]]).sum(axis=0)
    if not len(ends) or np.hypot(across[0], across[2]) < LEVEL * len(ends):
        return None
    return float(np.arctan2(across[0], across[2])) - np.pi / 2


def yaw_of_feet(
    rest: ReferencePose,
    skeleton: Skeleton,
    parts: Mapping[int, BodyPart],
    mesh_offset: Callable[[int], F64 | None],
) -> float | None:
    """Return the heading from the ankles to the toes; None if unclear.

    `mesh_offset` returns the horizontal offset [3] from an ankle to the middle of the foot's mesh,
    or None; it is used for feet without toe joints.
    """
    ahead = []
    for foot in (joint for joint, part in parts.items() if part.part == "foot"):
        children = np.flatnonzero(skeleton.parents == foot).tolist()
        toes = [joint for joint in children if joint in parts] or children
        way = _level(rest.position[toes].mean(axis=0) - rest.position[foot]) if toes else None
        if way is None:
            offset = mesh_offset(foot)
            way = None if offset is None else _level(offset)
        if way is not None:
            ahead.append(way)
    return _heading(ahead)


def yaw_of_eyes(rest: ReferencePose, parts: Mapping[int, BodyPart]) -> float | None:
    """Return the heading from the head joint to the two eyes; None if unclear."""
    head = [joint for joint, part in parts.items() if part.part == "head"]
    eyes = [joint for joint, part in parts.items() if part.part == "eye"]
    if not head or len(eyes) != 2:
        return None
    way = _level(rest.position[eyes].mean(axis=0) - rest.position[head[0]])
    return _heading([] if way is None else [way])


def agreed_yaw(cues: Iterable[float | None]) -> float | None:
    """Return the quarter turn nearest to the mean heading, radians, greater than -pi.

    None unless there are two headings that agree, and none that differs.
    """
    known = np.array([cue for cue in cues if cue is not None])
    ways = np.stack([np.sin(known), np.cos(known)], axis=-1)
    mean = ways.sum(axis=0)
    if len(known) < 2 or (ways @ mean <= AGREE * np.hypot(*mean)).any():
        return None
    quarters = round(float(np.arctan2(mean[0], mean[1])) / (np.pi / 2))
    return ((quarters + 1) % 4 - 1) * (np.pi / 2)


def _level(way: F64) -> F64 | None:
    """Return the horizontal unit vector [3] of a direction, None if it is nearly vertical."""
    flat = way * [1.0, 0.0, 1.0]
    across = float(length(flat))
    return flat / across if across > max(LEVEL * float(length(way)), 1e-30) else None


def _heading(ways: list[F64]) -> float | None:
    mean = np.sum(ways, axis=0) if ways else np.zeros(3)
    if np.hypot(mean[0], mean[2]) <= LEVEL * len(ways):
        return None
    return float(np.arctan2(mean[0], mean[2]))
