"""Rule about clips in which the tracks of a left and of a right joint are exchanged.

The values of a joint are compared with its own in the other clips and at rest, and with those of
its mirror image there. Where the axes of both sides are alike, as of legs that only swing, an
exchanged clip is a sound one half a step later: the file does not say which.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from ...animation import quat
from ...animation.clip import Clip
from ...animation.track import Path, Track
from ...animation.types import F64, Index
from ...model.mirror_image import mirror_images
from ...wording import counted, measure, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, rule
from ..key_groups import unit_lengths
from ..visible_size import greatest, size_of_amount, surface

PATHS: tuple[tuple[Path, str, str], ...] = (
    ("rotation", "degrees", "°"),
    ("translation", "mm", "mm"),
)
SAMPLES = 6  # values of a track that are compared
NEAREST = 0.25  # of the other clips, the nearest: the distance of that one counts
# Of the distance of left from right elsewhere:
NEARER = 0.3  # how much nearer the values of an exchanged pair are to those of the other side
EACH = 0.2  # the same of each of the two
FIT = 0.4  # and how far from those at most
APART = 1.5  # times the distance of a side from clip to clip: that of left from right is greater
MOMENTS = 9  # of a clip, at which the surface is measured


def side_pairs(context: CheckContext) -> dict[int, int]:
    """Return the mirror image of each joint that has one, by name; call it by `context.cached`."""
    return mirror_images(context.model.skeleton)


class _Exchange(NamedTuple):
    """A pair of joints whose tracks of a path are exchanged in a clip."""

    clip: int
    joint: int
    other: int
    path: Path
    unit: str
    own: float  # mm or degrees, from the joint's values elsewhere
    across: float  # from those of the other joint
    size: float  # metres, about how far the joint moves the surface


@rule(
    "sides-exchanged",
    "size",
    "the tracks of a left and of a right joint are exchanged in a clip: each has values that "
    "the other one has in the other clips and at rest",
    "exchange the targets of their tracks, or map the joints of the source to the right side",
    Limit("degrees", 15.0, "°", "rotations of left and right that differ by less are alike"),
    Limit("mm", 10.0, "mm", "so are translations", scaled=True),
)
def _exchanged(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    names, found = context.model.skeleton.names, _all_exchanges(context, limits)
    for c in context.clips:
        pairs = [each for each in found if each.clip == c]
        size = _size(context, c, pairs) if pairs else 0.0
        if not size > 0:
            continue
        worst = max(pairs, key=lambda each: each.size)
        clip, joints = context.clip(c).name, {(each.joint, each.other) for each in pairs}
        joint, other, more = names[worst.joint], names[worst.other], len(joints) - 1
        where = "in the other clips" if len(context.model.clips) > 1 else "at rest"
        yield Finding(
            f"{quoted(joint)} and {quoted(other)} are exchanged in {quoted(clip)}: the "
            f"{worst.path} of {quoted(joint)} is {measure(worst.own, worst.unit)} from those of "
            f"the joint {where}, but {measure(worst.across, worst.unit)} from those of "
            f"{quoted(other)}" + (f"; so are {counted(more, 'other pair')}" if more else ""),
            worst.own,
            worst.unit,
            clip=clip,
            joint=joint,
            size=size,
            touches=2 * len(joints),
        )


def _all_exchanges(context: CheckContext, limits: Limits) -> list[_Exchange]:
    found: list[_Exchange] = []
    tracks = {
        (c, track.path, track.target): track
        for c, clip in enumerate(context.model.clips)
        for track in clip.tracks
    }
    pairs = [(a, b) for a, b in context.cached(side_pairs).items() if a < b]
    for path, limit, unit in PATHS:
        for joint, other in pairs:
            clips = [
                c
                for c in range(len(context.model.clips))
                if (c, path, joint) in tracks and (c, path, other) in tracks
            ]
            if not clips:
                continue
            values = [
                np.stack([_rest(context, path, j), *(_some(tracks[c, path, j]) for c in clips)])
                for j in (joint, other)
            ]
            apart = _distances(context, path, (joint, other), values)
            for row in _exchanged_rows(apart, limits[limit]):
                (own, _), (across, _) = _elsewhere(apart, row)
                size = size_of_amount(context, joint, own, unit)
                clip = clips[row - 1]
                found.append(_Exchange(clip, joint, other, path, unit, own, across, size))
    return found


def _some(track: Track) -> F64:
    """Return some values [SAMPLES, C] of a track, evenly spread."""
    return track.values[even_keys(len(track.times), SAMPLES)].astype(np.float64)


@cache
def even_keys(count: int, most: int) -> Index:
    """Return `most` of a number of keys, evenly spread, from the first to the last."""
    return np.linspace(0, count - 1, most).round().astype(np.intp)


def _rest(context: CheckContext, path: Path, joint: int) -> F64:
    value = getattr(context.model.skeleton.rest, path)[joint].astype(np.float64)
    return np.tile(value, (SAMPLES, 1))


def _distances(
    context: CheckContext, path: Path, joints: tuple[int, int], values: Sequence[F64]
) -> F64:
    """Return the distances [2, 2, C, C] of two joints in each of C clips, mm or degrees.

    That of joint 0 in clip 3 from joint 1 in clip 5 is the mean, over the values [C, N, 3 or 4] of
    joint 0 in clip 3, of the distance from the nearest value of joint 1 in clip 5.
    """
    count = 2 * len(values[0])
    if path == "rotation":
        flat = quat.normalize(np.concatenate(values))  # [2 C, N, 4]
        nearest = np.abs(_products(flat)).reshape(count, SAMPLES, SAMPLES, count).max(axis=2)
        nearest = np.degrees(2 * np.arccos(np.minimum(nearest, 1)))
    else:
        sizes = context.cached(unit_lengths)[list(joints)] * 1000
        flat = np.concatenate([value * size for value, size in zip(values, sizes, strict=True)])
        squares = (flat**2).sum(axis=2)
        apart = squares.reshape(-1, 1) + squares.T.ravel() - 2 * _products(flat)
        nearest = apart.reshape(count, SAMPLES, SAMPLES, count).min(axis=2)
        nearest = np.sqrt(np.maximum(nearest, 0))
    table = nearest.mean(axis=1).reshape(2, count // 2, 2, count // 2)
    return np.asarray(np.where(np.isfinite(table), table, 0.0).swapaxes(1, 2).round(3))


def _products(values: F64) -> F64:
    """Return the scalar products [C N, N C] of vectors [C, N, k] with all of them."""
    width = values.shape[-1]
    return np.asarray(values.reshape(-1, width) @ values.swapaxes(0, 1).reshape(-1, width).T)


def _exchanged_rows(apart: F64, limit: float) -> list[int]:
    """Return the rows of clips in which both joints have the other one's values; row 0 is rest."""
    count, found = apart.shape[-1], []
    for row in range(1, count):
        own, across = _elsewhere(apart, row)
        nearer = [a - b for a, b in zip(own, across, strict=True)]
        if min(nearer) <= EACH * limit:
            continue
        sides, varies = _between(apart, row)
        fits = sum(across) < 2 * FIT * sides and sum(nearer) > 2 * NEARER * sides
        if fits and sides > max(limit, APART * varies) and min(nearer) > EACH * sides:
            found.append(row)
    return found


def _elsewhere(apart: F64, row: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return how far both joints are in a clip from what is usual elsewhere.

    Returns
    -------
    own
        Their distances from their own values in the other clips and at rest, mm or degrees.
    across
        From the values of the other joint there.
    """
    others = np.arange(apart.shape[-1]) != row
    near = _nearest(apart[:, :, row, others])
    return (float(near[0, 0]), float(near[1, 1])), (float(near[0, 1]), float(near[1, 0]))


def _between(apart: F64, row: int) -> tuple[float, float]:
    """Return how far left is from right in the other clips than one, and a side from itself."""
    others: Index = np.flatnonzero(np.arange(apart.shape[-1]) != row)
    if len(others) == 1:
        return float(apart[0, 1, others[0], others[0]]), 0.0
    table = apart[:, :, others][..., others]
    table[..., np.arange(len(others)), np.arange(len(others))] = np.inf
    near = np.sort(table, axis=-1)[..., int(NEAREST * (len(others) - 2))]  # [2, 2, C - 1]
    across, same = np.minimum(near[0, 1], near[1, 0]), np.maximum(near[0, 0], near[1, 1])
    return float(np.median(across)), float(np.median(same))


def _nearest(distances: F64) -> F64:
    """Return the distances [...] of the nearest quarter of clips, of distances [..., C]."""
    return np.sort(distances, axis=-1)[..., int(NEAREST * (distances.shape[-1] - 1))]


def _size(context: CheckContext, c: int, pairs: list[_Exchange]) -> float:
    """Return how far the surface moves at most when the pairs are exchanged back, metres."""
    clip = context.clip(c)
    moved = {(each.joint, each.path): each.other for each in pairs}
    moved |= {(each.other, each.path): each.joint for each in pairs}
    tracks = [
        replace(track, target=moved.get((track.target, track.path), track.target))
        for track in clip.tracks
    ]
    times = np.linspace(clip.start, clip.end, MOMENTS)
    before, after = (
        context.posed(each, times).matrices
        for each in (clip, Clip.of(clip.name, tracks, rest=clip.rest))
    )
    values = context.model.skeleton.rest.values
    moments = zip(before, after, strict=True)
    return max(
        greatest(surface(context, b, values) - surface(context, a, values)) for a, b in moments
    )
