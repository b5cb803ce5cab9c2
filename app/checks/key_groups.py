"""Tracks with keys on adjacent frames, in groups with equal times, and the noise of their keys."""

from typing import NamedTuple

import numpy as np

from ..animation import quat
from ..animation.track import Track
from ..animation.types import F64, Bool, Index
from ..animation.vectors import length
from .check_context import CheckContext

FRAME = 0.06  # seconds: the greatest time step between keys of adjacent frames
SHORT, LONG = 12, 30  # keys: noise of shorter tracks is not determined, or by second differences
UNITS = {"translation": "mm", "rotation": "°", "scale": "%"}  # of distances, by path
STRAY = 3.0  # times the median: greater differences count as that, so that a pop is no noise
KEPT = 0.85  # of noise that remains when its greatest differences are reduced so
# Greatest correlation of consecutive second and fourth differences; that of noise is -0.67, -0.8.
ALTERNATES_2, ALTERNATES_4 = -0.25, -0.6


class KeyGroup(NamedTuple):
    """Tracks [n] of the same path with the same K times."""

    times: F64  # [K]
    values: F64  # [K, n, C]; signs of consecutive quaternions aligned
    joints: Index  # [n]
    unit: str  # of distances: "mm", "°" or "%"
    sizes: F64  # [n] millimetres per unit of a translation, percent of a scale
    moves: F64  # [K - 1, n] from key to key, in the unit

    def only(self, tracks: Index) -> "KeyGroup":
        """Return some of the tracks."""
        return self._replace(
            values=self.values[:, tracks],
            joints=self.joints[tracks],
            sizes=self.sizes[tracks],
            moves=self.moves[:, tracks],
        )

    def distances(self, off: F64) -> F64:
        """Return the distances [..., n], in the unit, of differences [..., n, C] of values."""
        return distances(self.unit, self.sizes, off)


def key_groups(context: CheckContext, c: int) -> list[KeyGroup]:
    """Return the groups of a clip's tracks of joints; call it by `context.cached`."""
    members: dict[tuple[int, str], list[Track]] = {}
    for track in context.clip(c).tracks:
        smooth = track.interpolation != "STEP" and len(track.times) > 4
        if smooth and track.path in UNITS:
            members.setdefault((id(track.times), str(track.path)), []).append(track)
    found, scales = [], length(context.model.skeleton.rest.scale.astype(np.float64))
    for (_, path), tracks in members.items():
        times = tracks[0].times.astype(np.float64)
        values = np.stack([track.values for track in tracks], axis=1).astype(np.float64)
        if np.diff(times).min() > FRAME or not np.isfinite(values).all():
            continue
        joints = np.array([track.target for track in tracks], np.intp)
        unit, sizes = UNITS[path], context.cached(unit_lengths)[joints] * 1000
        if path == "rotation":
            values = quat.align_signs(quat.normalize(values))
        elif path == "scale":
            sizes = 100 / np.maximum(scales[joints], 1e-12)
        moves = distances(unit, sizes, values[1:] - values[:-1])
        found.append(KeyGroup(times, values, joints, unit, sizes, moves))
    return found


def distances(unit: str, sizes: F64, off: F64) -> F64:
    """Return the distances [..., n], in a unit, of differences [..., n, C] of values."""
    return distances_of(unit, sizes, length(off))


def distances_of(unit: str, sizes: F64, size: F64) -> F64:
    """Return the distances [..., n], in a unit, of differences with lengths `size`."""
    if unit == "°":
        return np.degrees(4 * np.arcsin(np.minimum(size / 2, 1)))
    return size * sizes


def key_noise(group: KeyGroup) -> tuple[F64, Bool]:
    """Return the noise of tracks, and whether their keys alternate as those of noise do.

    Returns
    -------
    noise
        [n] root mean square distance of the keys from a smooth curve, in the unit, from the
        fourth differences: those of smooth motion are small.
    alternates
        [n] whether the differences change direction from key to key. The second differences of
        smooth motion do not, and those of a sudden stop do so once. In long tracks the fourth
        differences show noise in fast motion too.
    """
    if len(group.times) < SHORT:
        return np.zeros(len(group.joints)), np.zeros(len(group.joints), bool)
    second, fourth = (_without_strays(np.diff(group.values, order, axis=0)) for order in (2, 4))
    alternates = _correlation(second) < ALTERNATES_2
    if len(group.times) >= LONG:
        alternates |= _correlation(fourth) < ALTERNATES_4
    squares = (fourth**2).sum(axis=2).mean(axis=0) / 70  # 70 = 1 + 16 + 36 + 16 + 1
    spread = np.sqrt(squares)[:, None] / KEPT
    return group.distances(spread), np.asarray(alternates)


def _correlation(differences: F64) -> F64:
    """Return the correlation [n] of consecutive differences [K, n, C]."""
    power = np.maximum((differences**2).sum(axis=(0, 2)), 1e-300)
    return np.asarray((differences[1:] * differences[:-1]).sum(axis=(0, 2)) / power)


def _without_strays(differences: F64) -> F64:
    """Return differences [K, n, C] with lengths limited to a multiple of their median."""
    size = length(differences)[..., None]
    most = STRAY * np.median(size, axis=0)
    return differences * np.minimum(1, most / np.maximum(size, 1e-300))


def unit_lengths(context: CheckContext) -> F64:
    """Return the length [J] of a unit of each joint's translation at rest, metres.

    Call it by `context.cached`.
    """
    skeleton = context.model.skeleton
    matrices = context.rest[0]
    own = np.cbrt(np.abs(np.linalg.det(matrices[:, :3, :3])))
    return np.where(skeleton.parents >= 0, own[skeleton.parents], 1.0)
