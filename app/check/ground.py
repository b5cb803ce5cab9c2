"""Bodies that sink into the floor."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from app.animation.sole import furthest
from app.animation.types import F32, Index
from app.check.feet import feet, floor
from app.check.rule import Hit, Limit, Limits, Rule
from app.check.subject import Sampled, Subject
from app.check.words import number, quoted
from app.figure import Piece

RATE = 30.0  # samples a second that are looked at
AT_ONCE = 256  # moments, which bounds the memory


class Lowest(NamedTuple):
    """The lowest vertex of a clip."""

    height: float  # metres, model space; infinite where nothing is drawn
    time: float  # seconds
    joint: int  # the heaviest of that vertex


def lowest(subject: Subject, index: int) -> Lowest:
    """Return the lowest vertex of a clip; use it by `Subject.once`.

    Which moment that is, the vertices tell that reach out furthest of what each joint moves; at
    that moment all are looked at.
    """
    shown = subject.sampled(index)
    stride = max(1, round(1 / RATE / shown.step)) if shown.step > 0 else 1
    rows = np.unique(np.append(np.arange(0, len(shown.times), stride), len(shown.times) - 1))
    found = Lowest(np.inf, 0.0, -1)
    for piece, few in zip(subject.pieces, subject.once(_outer), strict=True):
        heights = _heights(few, shown, rows)
        t = int(rows[int(np.argmin(heights))])
        if not heights.min() < found.height:
            continue
        placed = piece.place(piece.palette(shown.matrices[t]), piece.shape(shown.values[t]))
        v = int(placed[:, 1].argmin())
        joint = int(piece.joints[int(piece.weights[v].argmax())])
        found = Lowest(float(placed[v, 1]), float(shown.times[t]), joint)
    return found


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


def _heights(piece: Piece, shown: Sampled, rows: Index) -> F32:
    """Return how low the vertices get [T] at some samples, metres, without morphs."""
    points = np.concatenate([piece.points.T, np.ones((1, len(piece.points)))]).astype(np.float32)
    out = []
    for few in np.split(rows, range(AT_ONCE, len(rows), AT_ONCE)):
        up = (shown.matrices[few][:, piece.joints, 1:2, :] @ piece.bind)[:, :, 0]  # [T, S, 4]
        blended = up.astype(np.float32).transpose(2, 0, 1) @ piece.weights.T  # [4, T, V]
        out.append(np.einsum("atv,av->tv", blended, points).min(axis=1))
    return np.concatenate(out)


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
