"""Small skeletons, poses, tracks and clips, and hypothesis strategies for them."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rigview.animation import quat
from rigview.animation.clip import Clip
from rigview.animation.pose import Pose
from rigview.animation.skeleton import Skeleton
from rigview.animation.track import Track

JOINTS, VALUES = 4, 4  # of the poses of `clips`
WIDTH = {"translation": 3, "rotation": 4, "scale": 3, "values": 2}


def f32(*rows):
    return np.array(rows, np.float32)


def about(axis, degrees):
    """The quaternion of a rotation about an axis."""
    half = np.radians(degrees) / 2
    return np.array([*(np.sin(half) * np.asarray(axis, float)), np.cos(half)], np.float32)


def rest_pose(count, values=0):
    return Pose(
        np.zeros((count, 3), np.float32),
        np.tile(f32(0, 0, 0, 1), (count, 1)),
        np.ones((count, 3), np.float32),
        np.zeros(values, np.float32),
    )


def make_skeleton(parents, rest=None):
    """A skeleton with these parents, which are sorted by depth."""
    count = len(parents)
    return Skeleton(
        tuple(f"Joint {k}" for k in range(count)),
        np.array(parents, np.int32),
        np.arange(count, dtype=np.int32),
        rest_pose(count) if rest is None else rest,
    )


def make_track(path, interpolation, times, values, tangents=None, target=0, start=0):
    """A track from lists."""
    return Track(
        target,
        path,
        interpolation,
        np.array(times, np.float32),
        np.array(values, np.float32),
        None if tangents is None else np.array(tangents, np.float32),
        start,
    )


def random_pose(rng, count, batch=(), values=0):
    return Pose(
        rng.normal(size=(*batch, count, 3)).astype(np.float32),
        quat.normalize(rng.normal(size=(*batch, count, 4)).astype(np.float32)),
        rng.uniform(0.5, 2, size=(*batch, count, 3)).astype(np.float32),
        rng.normal(size=(*batch, values)).astype(np.float32),
    )


def rotation_matrix(q):
    """The rotation matrix of a unit quaternion in float64, by v' = q v q*."""
    x, y, z, w = (float(c) for c in q)
    u, identity = np.array([x, y, z]), np.eye(3)
    return np.stack(
        [e + 2 * w * np.cross(u, e) + 2 * np.cross(u, np.cross(u, e)) for e in identity], axis=1
    )


def same_rotation(a, b, atol=1e-6):
    """Return whether quaternions are the same rotation; q and -q are."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    near = np.minimum(np.abs(a - b).max(axis=-1), np.abs(a + b).max(axis=-1))
    return bool((near <= atol).all())


finite = st.floats(-100, 100, width=32)
fractions = st.floats(0, 1, width=32)


@st.composite
def unit_quaternions(draw, count=None):
    """Unit quaternions [4] or [count, 4]."""
    shape = (4,) if count is None else (count, 4)
    raw = draw(hnp.arrays(np.float32, shape, elements=st.floats(-1, 1, width=32)))
    return quat.normalize(raw)


@st.composite
def tracks(draw, path=None, target=0, start=0):
    """Tracks of any path and interpolation, some with equal key times or a single key."""
    path = path or draw(st.sampled_from(sorted(WIDTH)))
    interpolation = draw(st.sampled_from(["STEP", "LINEAR", "CUBICSPLINE"]))
    count, width = draw(st.integers(1, 5)), WIDTH[path]
    times = draw(
        hnp.arrays(np.float32, count, elements=st.sampled_from([0, 0.25, 0.5, 1, 1.5, 2, 4]))
    )
    elements = st.floats(-2, 2, width=32)
    if path == "rotation" and interpolation != "CUBICSPLINE":
        values = draw(unit_quaternions(count))
    else:
        values = draw(hnp.arrays(np.float32, (count, width), elements=elements))
    tangents = None
    if interpolation == "CUBICSPLINE":
        tangents = draw(hnp.arrays(np.float32, (count, 2, width), elements=elements))
    return Track(target, path, interpolation, np.sort(times), values, tangents, start)


def sliding_clip(name, *times):
    """A clip that moves joint 0 along x at 1 m/s, with keys at the given times."""
    values = np.zeros((len(times), 3), np.float32)
    values[:, 0] = times
    return Clip.of(name, [Track(0, "translation", "LINEAR", np.array(times, np.float32), values)])


@st.composite
def clips(draw):
    """Draw tracks for a random part of the pose: any path and interpolation, any key times."""
    drawn = []
    for path in ("translation", "rotation", "scale"):
        for joint in draw(st.sets(st.integers(0, JOINTS - 1))):
            drawn.append(draw(tracks(path=path, target=joint)))
    for channel in draw(st.sets(st.integers(0, 1))):
        drawn.append(draw(tracks(path="values", target=channel, start=2 * channel)))
    if draw(st.booleans()):
        drawn = [_retimed(track) for track in drawn]
    return Clip.of("Clip", draw(st.permutations(drawn)))


def _retimed(track):
    """Return the same keys at times that tracks of equal length share."""
    times = np.arange(len(track.times), dtype=np.float32)
    return Track(
        track.target,
        track.path,
        track.interpolation,
        times,
        track.values,
        track.tangents,
        track.start,
    )
