"""Formulas of blending in float64, independent of the program, for expected values."""

import numpy as np
from scipy.spatial.transform import Rotation

Q = np.s_[..., 3:7]


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def mean(poses, weights):
    """The weighted mean of local transforms [N, 10].

    Quaternions are summed in the hemisphere of the heaviest pose and normalised.
    """
    weights = np.asarray(weights, np.float64) / np.sum(weights)
    heaviest = poses[int(np.argmax(weights))][Q]
    out = sum(w * p for w, p in zip(weights, poses, strict=True))
    same = [np.where(np.sum(p[Q] * heaviest, -1) < 0, -1, 1)[..., None] * p[Q] for p in poses]
    out[Q] = unit(sum(w * q for w, q in zip(weights, same, strict=True)))
    return out


def lerp(a, b, t):
    """Two poses blended on the shorter arc; t is a number or an array [N, 1]."""
    sign = np.where(np.sum(a[Q] * b[Q], -1, keepdims=True) < 0, -1, 1)
    out = a * (1 - t) + b * t
    out[Q] = unit(a[Q] * (1 - t) + sign * b[Q] * t)
    return out


def nlerp(a, b, t):
    """Two rotations (scipy) blended on the shorter arc."""
    a, b = a.as_quat(), b.as_quat()
    sign = np.where(np.sum(a * b, -1, keepdims=True) < 0, -1, 1)
    return Rotation.from_quat(a * (1 - t) + sign * b * t)


def ease(u):
    """The cubic ease of fades, from 0 to 1."""
    return 3 * u**2 - 2 * u**3


def rotations(pose):
    """The local rotations of a pose [N, 10]."""
    return Rotation.from_quat(pose[Q])


def world_rotations(world):
    """The rotations of matrices [..., 4, 4] without scale."""
    return Rotation.from_matrix(world[..., :3, :3])


def assert_close(found, expected, atol=2e-6):
    """Compare poses; q and -q are the same rotation."""
    found = np.array(found, np.float64)
    flip = np.sum(found[Q] * expected[Q], -1, keepdims=True) < 0
    found[Q] = np.where(flip, -found[Q], found[Q])
    np.testing.assert_allclose(found, expected, atol=atol)


def degrees_apart(found, expected):
    """Degrees between rotations (scipy)."""
    return np.degrees((found * expected.inv()).magnitude())


def degrees_between(a, b):
    """Degrees between directions [..., 3]."""
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return np.degrees(np.arctan2(across, np.sum(a * b, -1)))


def phase(rate, tau, steps=2000):
    """The integral of rate(tau) from 0 to tau, by the midpoint rule."""
    edges = np.linspace(0, tau, steps + 1)
    return float(np.sum([rate(t) for t in (edges[1:] + edges[:-1]) / 2]) * tau / steps)
