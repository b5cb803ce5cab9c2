"""A synthetic benchmark character, equal on every machine, with the joints of a game character."""

import numpy as np

from ..animation import quat
from ..animation.clip import Clip
from ..animation.pose import Pose
from ..animation.skeleton import Skeleton
from ..animation.track import Track
from ..animation.types import F32

JOINTS = 65
KEYS = 31  # of each track, 30 per second
CLIPS = 4
_BRANCHES = 4  # children of a joint


def benchmark_character() -> tuple[Skeleton, tuple[Clip, ...]]:
    """Return a skeleton and clips with LINEAR TRS keys of all joints."""
    rng = np.random.default_rng(JOINTS)
    parents = (np.arange(JOINTS, dtype=np.int32) - 1) // _BRANCHES
    rest = Pose(
        rng.normal(0, 0.1, (JOINTS, 3)).astype(np.float32),
        quat.normalize(rng.normal(size=(JOINTS, 4)).astype(np.float32)),
        np.ones((JOINTS, 3), np.float32),
        np.zeros(0, np.float32),
    )
    names = tuple(f"Joint {joint}" for joint in range(JOINTS))
    skeleton = Skeleton(names, parents, np.arange(JOINTS, dtype=np.int32), rest)
    times = (np.arange(KEYS) / 30).astype(np.float32)
    return skeleton, tuple(_clip(f"Clip {k}", rest, times, rng) for k in range(CLIPS))


def _clip(name: str, rest: Pose, times: F32, rng: np.random.Generator) -> Clip:
    """Return a clip that swings every joint about its rest pose, by up to about 60 degrees."""
    phase, turn = rng.uniform(0, 2 * np.pi, JOINTS), rng.normal(0, 0.2, (JOINTS, 4))
    swing = np.sin(2 * np.pi * times[:, None] + phase)[..., None]  # [K, J, 1]
    moves = (rest.translation + 0.02 * swing).astype(np.float32)
    turns = quat.normalize((rest.rotation + swing * turn).astype(np.float32))
    sizes = (rest.scale + 0.05 * swing).astype(np.float32)
    tracks = []
    for joint in range(JOINTS):
        tracks += [
            Track(joint, "translation", "LINEAR", times, moves[:, joint]),
            Track(joint, "rotation", "LINEAR", times, turns[:, joint]),
            Track(joint, "scale", "LINEAR", times, sizes[:, joint]),
        ]
    return Clip.of(name, tracks, rest.rotation)
