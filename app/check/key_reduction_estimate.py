"""Fast estimate of how many keys `rigview bake` would keep."""

from collections.abc import Sequence

import numpy as np

from ..animation import quat
from ..animation.model_space import to_model_transforms
from ..animation.track import Track
from ..animation.types import F32, F64, Bool, Index
from ..gltf.bake import DEGREES, METRES, METRES_PER_HEIGHT
from .check_context import REFERENCE_HEIGHT, CheckContext

SHARE = 0.5  # of a tolerance, for one track: errors add up along the hierarchy
WEIGHT = 1e-3  # tolerance of a morph weight


def tolerance(context: CheckContext) -> float:
    """Return the tolerance of vertex positions, metres: the default of `rigview bake`."""
    return min(METRES, METRES_PER_HEIGHT * context.scale * REFERENCE_HEIGHT)


def needed_keys(context: CheckContext, index: int) -> Index:
    """Return for each track of a clip an upper bound of the keys that are needed.

    Runs of 2, 4, 8, … steps are merged while all their keys are near the straight line. Bake
    keeps fewer. CUBICSPLINE and STEP tracks keep their keys. Call it by `context.cached`.
    """
    clip = context.clip(index)
    counts = np.array([len(track.times) for track in clip.tracks], np.intp)
    groups: dict[tuple[int, str, int], list[int]] = {}
    for k, track in enumerate(clip.tracks):
        if track.interpolation == "LINEAR" and len(track.times) > 1:
            key = (id(track.times), str(track.path), track.values.shape[1])
            groups.setdefault(key, []).append(k)
    reach = context.cached(_reach)
    for members in groups.values():
        few = [clip.tracks[k] for k in members]
        counts[members] = _needed(few, _limits(context, few, reach))
    return counts


def _limits(context: CheckContext, tracks: Sequence[Track], reach: F64) -> F64:
    """Return the tolerance of each track, in the units of its values."""
    metres, half = tolerance(context) * SHARE, np.radians(DEGREES) * SHARE / 2
    path = tracks[0].path
    if path == "values":
        return np.full(len(tracks), WEIGHT)
    if path == "translation":
        return np.full(len(tracks), metres)
    far = np.maximum(reach[[track.target for track in tracks]], 1e-12)
    return np.minimum(half, metres / 2 / far) if path == "rotation" else metres / far


def _needed(tracks: Sequence[Track], limits: F64) -> Index:
    """Return the number of keys [n] that tracks with the same times need."""
    values = np.stack([track.values for track in tracks], axis=1)  # [K, n, C]
    if tracks[0].path == "rotation":
        values = quat.align_signs(values)
    times, last = tracks[0].times.astype(np.float64), len(values) - 1
    still = np.abs(values - values[0]).max(axis=(0, 2)) <= limits
    held = np.ones((last, len(tracks)), bool)  # runs of one step are always straight
    segments: Index = np.zeros(len(tracks), np.intp)
    step = 1
    while True:
        wider = _straight(values, times, step * 2, limits)
        wider &= held[: len(wider) * 2 : 2] & _or_none(held[1::2], len(wider))
        taken = np.repeat(wider, 2, axis=0)[: len(held)]
        segments += np.count_nonzero(held & ~taken, axis=0)
        if not wider.any() or len(wider) == 1:
            segments += np.count_nonzero(wider, axis=0)
            break
        held, step = wider, step * 2
    return np.where(still, 1, segments + 1)


def _or_none(odd: Bool, count: int) -> Bool:
    """Return rows padded with True to `count`: a last run without a partner counts as straight."""
    missing = count - len(odd)
    return np.concatenate([odd, np.ones((missing, odd.shape[1]), bool)]) if missing else odd


def _straight(values: F32, times: F64, step: int, limits: F64) -> Bool:
    """Return [S, n] which runs of `step` steps are straight lines within the limits."""
    last = len(values) - 1
    key = np.arange(last + 1)
    a = np.minimum(key // step * step, last)
    b = np.minimum(a + step, last)
    span = times[b] - times[a]
    fraction = (times - times[a]) / np.where(span > 0, span, 1)
    u = fraction.astype(np.float32)[:, None, None]
    off = values - (values[a] * (1 - u) + values[b] * u)
    far = np.einsum("knc,knc->kn", off, off) <= limits**2
    return np.asarray(np.logical_and.reduceat(far, np.arange(0, last, step), axis=0))


def _reach(context: CheckContext, _: int) -> F64:
    """Return the distance [J] from each joint to its furthest descendant vertex at rest, metres."""
    skeleton = context.model.skeleton
    matrices, _rotations = to_model_transforms(skeleton, skeleton.rest)
    places, extent = matrices[:, :3, 3], np.zeros(skeleton.count)
    for block in context.blocks:
        palette = block.palette(matrices)
        corners = np.einsum("sab,skb->ska", palette[..., :3], block.boxes) + palette[:, None, :, 3]
        far = np.linalg.norm(corners - places[block.joints][:, None], axis=-1).max(axis=1)
        np.maximum.at(extent, block.joints, far)
    reach = extent.copy()
    for joint in range(skeleton.count):
        above = int(skeleton.parents[joint])
        while above >= 0:
            far = float(np.linalg.norm(places[joint] - places[above])) + extent[joint]
            reach[above] = max(reach[above], far)
            above = int(skeleton.parents[above])
    return reach
