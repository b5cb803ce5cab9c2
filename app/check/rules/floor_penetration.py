"""Bodies that sink into the floor."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F32, F64, Index
from ...model.skinned_vertices import Piece
from ...retargeting.ground_contact import furthest
from ..feet import feet, floor
from ..finding_text import number, quoted
from ..rule import Hit, Limit, Limits, Rule
from ..subject import TALL, Sampled, Subject

RATE = 30.0  # samples a second that are looked at
DIPS = 0.02  # of the height: what gets so near to the floor may be below it between two samples
LOOKS, FINE = 4, 9  # dips of a clip that are looked at closely, and moments about each of them
MOST_KEYS = 400  # of those that are looked at
BLENDED = 0.1  # of the height: joints that share a vertex take it no further from one of them


class Lowest(NamedTuple):
    """The lowest vertex of a clip."""

    height: float  # metres, model space; infinite where nothing gets so low
    time: float  # seconds
    joint: int  # the heaviest of that vertex


def lowest(subject: Subject, index: int) -> Lowest:
    """Return the lowest vertex of a clip, where one may be below the floor.

    Which moment that is, the vertices tell that reach out furthest of what each joint moves; at
    that moment all are looked at. Use it by `Subject.once`.
    """
    shown, level = subject.sampled(index), subject.once(floor)
    stride = max(1, round(1 / RATE / shown.step)) if shown.step > 0 else 1
    rows = np.unique(np.append(np.arange(0, len(shown.times), stride), len(shown.times) - 1))
    tall = subject.scale * TALL
    lows, heights = [], np.full(len(rows), np.inf, np.float32)
    for few in subject.once(_outer):
        alone = _heights(few, shown, rows, 1).min(axis=0)
        lows.append(few.only(np.asarray(alone < level + BLENDED * tall)))
        own = _heights(lows[-1], shown, rows).min(axis=1, initial=np.inf)
        heights = np.fmin(heights, own)
    found = Lowest(np.inf, 0.0, -1)
    if not heights.min() < level + DIPS * tall:
        return found
    shown = subject.sampled_at(index, _dips(subject.clip(index), shown.times[rows], heights))
    rows = np.arange(len(shown.times))
    for piece, low in zip(subject.pieces, lows, strict=True):
        own = _heights(low, shown, rows).min(axis=1, initial=np.inf)
        if not own.min() < min(level, found.height):
            continue
        t = int(np.argmin(own))
        placed = piece.place(piece.palette(shown.matrices[t]), piece.shape(shown.values[t]))
        v = int(placed[:, 1].argmin())
        joint = int(piece.joints[int(piece.weights[v].argmax())])
        found = Lowest(float(placed[v, 1]), float(shown.times[t]), joint)
    return found


def _dips(clip: Clip, times: F64, heights: F32) -> F64:
    """Return moments about the lowest of those [T] with these heights, and the keys among them.

    A foot that stamps turns round at a key: between samples it gets much deeper than in them.
    """
    beside = np.pad(heights, 1, constant_values=np.inf)
    before, after = heights - beside[:-2], heights - beside[2:]
    dips = np.flatnonzero((before <= 0) & (after <= 0) & (before + after < 0))
    dips = dips if len(dips) else np.array([0])  # it stays where it is
    dips = dips[np.argsort(heights[dips], kind="stable")[:LOOKS]]
    begins, ends = times[np.maximum(dips - 1, 0)], times[np.minimum(dips + 1, len(times) - 1)]
    keys = clip.key_times
    keys = keys[((keys[:, None] >= begins) & (keys[:, None] <= ends)).any(axis=1)]
    keys = keys[:: max(1, len(keys) // MOST_KEYS)]
    return np.unique(np.concatenate([times[dips], np.linspace(begins, ends, FINE).ravel(), keys]))


def _outer(subject: Subject, _: int) -> list[Piece]:
    """Return the vertices of each piece that reach out furthest of what each joint moves."""
    out = []
    for piece in subject.pieces:
        heaviest = piece.weights.argmax(axis=1)
        kept = np.zeros(len(piece.points), bool)
        for column in np.unique(heaviest).tolist():
            own = np.flatnonzero(heaviest == column)
            kept[own[furthest(piece.points[own])]] = True
        out.append(piece.only(kept))
    return out


def _rows(piece: Piece, shown: Sampled, rows: Index) -> F64:
    """Return what gives the height of the points of each joint [T, S, 4]."""
    up: F64 = (shown.matrices[rows][:, piece.joints, 1:2, :] @ piece.bind)[:, :, 0]
    return up


def _heights(piece: Piece, shown: Sampled, rows: Index, most: int = 0) -> F32:
    """Return the heights of vertices [T, V] at some samples, metres, without morphs.

    `most` is how many joints of each count, the heaviest first; 0: all.
    """
    if not len(piece.points):
        return np.zeros((len(rows), 0), np.float32)
    points = np.concatenate([piece.points, np.ones((len(piece.points), 1))], axis=1)
    most = most or int(np.count_nonzero(piece.weights, axis=1).max())
    heaviest = np.argsort(-piece.weights, axis=1)[:, :most]  # [V, K]
    weights = np.take_along_axis(piece.weights, heaviest, axis=1)
    weights = weights / weights.sum(axis=1, keepdims=True)
    shares = (points * weights.T[..., None]).astype(np.float32)  # [K, V, 4]
    up = _rows(piece, shown, rows).astype(np.float32)
    out = np.zeros((len(rows), len(points)), np.float32)
    for own, share in zip(heaviest.T, shares, strict=True):
        out += np.einsum("tva,va->tv", up[:, own], share)
    return out


def _sinks(subject: Subject, limits: Limits) -> Iterator[Hit]:
    if len(subject.once(feet)) < 2:
        return  # what has no feet stands on no floor
    low = subject.once(floor)
    for c in subject.clips:
        found, clip = subject.once(lowest, c), subject.clip(c)
        depth = (low - found.height) * 1000
        if depth > limits["mm"] and np.isfinite(depth):
            name = subject.model.skeleton.names[found.joint]
            yield Hit(
                f"{quoted(clip.name)} sinks {number(depth)} mm into the floor at {quoted(name)}",
                depth,
                "mm",
                "mm",
                clip=clip.name,
                joint=name,
                time=found.time,
            )


RULES: tuple[Rule, ...] = (
    Rule(
        "floor",
        "warning",
        "a character with feet sinks into the floor: into y = 0, or into the height that it "
        "stands at at rest where that is far from 0",
        "raise what sinks in, or the hips, at that moment",
        _sinks,
        (Limit("mm", 25.0, "mm", "below the floor", scaled=True),),
    ),
)
