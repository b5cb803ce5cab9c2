"""Places of labels beside points: over no other label, and farther away where there is no room."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..animation.types import F64, Bool

_RINGS = 9  # distances that are tried
_STEPS = 0.6, 1.1  # of a letter: distance of the first ring, and from ring to ring
_WAYS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))  # right first
_BESIDE = 4  # the first candidates, which need no line
_CANDIDATES: F64 = np.array(  # [C, 3] direction right and down, distance in letters
    [
        (across, down, _STEPS[0] + _STEPS[1] * ring)
        for ring in range(_RINGS)
        for across, down in (_WAYS if ring else _WAYS[:_BESIDE])
    ]
)
Box = tuple[float, float, float, float]  # left, top, right, bottom


def overlaps(box: Box, taken: Iterable[Box], gap: float = 0.0) -> bool:
    """Return whether a box overlaps another one, or is closer than `gap` beside it."""
    left, top, right, bottom = box
    return any(
        left - gap < other[2] and other[0] < right + gap and top < other[3] and other[1] < bottom
        for other in taken
    )


def first_free(boxes: Iterable[Box], taken: Collection[Box], gap: float = 0.0) -> Box | None:
    """Return the first of several boxes that overlaps no taken one; None: all do."""
    return next((box for box in boxes if not overlaps(box, taken, gap)), None)


class Label(NamedTuple):
    """The box of a label, and whether it is away from its point, which then needs a line."""

    box: Box
    moved: bool


class LabelLayout:
    """Places labels, and keeps them where they were beside their points while there is room."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, int] = {}  # candidate by key
        self._asked: tuple[object, ...] = ()  # for what the last places were
        self._placed: list[Label | None] = []

    def place(
        self,
        points: Sequence[tuple[float, float]],
        sizes: Sequence[tuple[float, float]],
        gap: float,
        picture: tuple[float, float],
        free: Collection[Box] = (),
        *,
        keys: Sequence[Hashable] = (),
    ) -> list[Label | None]:
        """Return the places of labels in a picture, None without room; the first come first.

        Parameters
        ----------
        points
            x and y of what is labelled, pixels.
        sizes
            Width and height of each label.
        gap
            Size of a letter: the distance from point to label is a part of it.
        picture
            Width and height of the picture.
        free
            Boxes that labels do not cover.
        keys
            What each label is of, to find its last place.
        """
        asked = [*points], [*sizes], gap, picture, [*free], [*keys]
        if asked == self._asked:
            return self._placed
        boxes = _candidates(points, sizes, gap)
        inside = _inside(boxes, picture)
        taken = np.full((len(free) + len(points), 4), np.nan)  # overlaps nothing
        taken[: len(free)] = np.reshape(list(free), (-1, 4))
        placed: list[Label | None] = []
        kept: dict[Hashable, int] = {}
        for n in range(len(points)):
            last = self._kept.get(keys[n], -1) if keys else -1
            used = len(free) + n
            chosen = _choose(boxes[n], inside[n], last, taken[:used])
            if chosen < 0:
                placed.append(None)
                continue
            taken[used] = boxes[n, chosen]
            left, top, right, bottom = taken[used].tolist()
            placed.append(Label((left, top, right, bottom), chosen >= _BESIDE))
            if keys:
                kept[keys[n]] = chosen
        self._kept, self._asked, self._placed = kept, asked, placed
        return placed


def nearest_in_box(point: tuple[float, float], box: Box) -> tuple[float, float]:
    """Return the place in a box that is nearest to a point: the end of a leader line."""
    x, y = point
    left, top, right, bottom = box
    return min(max(x, left), right), min(max(y, top), bottom)


def _candidates(
    points: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], gap: float
) -> F64:
    """Return the boxes [N, C, 4] where each label may be, the nearest first."""
    half = np.reshape(np.array(sizes, np.float64), (-1, 1, 2)) / 2
    away = _CANDIDATES[:, :2] * (_CANDIDATES[:, 2:] * gap + half)
    middle = np.reshape(np.array(points, np.float64), (-1, 1, 2)) + away
    return np.concatenate([middle - half, middle + half], axis=-1)


def _inside(boxes: F64, picture: tuple[float, float]) -> Bool:
    """Return which boxes [..., 4] are in the picture."""
    left, top, right, bottom = np.moveaxis(boxes, -1, 0)
    found: Bool = (left >= 0) & (top >= 0) & (right <= picture[0]) & (bottom <= picture[1])
    return found


def _choose(boxes: F64, inside: Bool, last: int, taken: F64) -> int:
    """Return the first of the candidates [C, 4] that fits, -1 without.

    Those beside the point come first, and among them, as among the others, the last one.
    """
    near = inside[:_BESIDE] & _free(boxes[:_BESIDE], taken)
    if near.any():
        return last if 0 <= last < _BESIDE and near[last] else int(near.argmax())
    if last >= 0 and inside[last] and _free(boxes[last : last + 1], taken)[0]:
        return last
    fits = inside & _free(boxes, taken)
    return int(fits.argmax()) if fits.any() else -1


def _free(boxes: F64, taken: F64) -> Bool:
    """Return which boxes overlap no taken one."""
    left, top, right, bottom = boxes.T[:, :, None]
    x, y, end, below = taken.T
    found: Bool = ~((left < end) & (x < right) & (top < below) & (y < bottom)).any(axis=-1)
    return found
