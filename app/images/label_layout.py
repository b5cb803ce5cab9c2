"""Places of labels beside points: over no other label, and farther away where there is no room."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from .label_boxes import Box, overlaps

_RINGS = 12  # distances that are tried
_WAYS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))  # right first


class Label(NamedTuple):
    """The box of a label, and whether it is away from its point, which then needs a line."""

    box: Box
    moved: bool


def place_labels(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    gap: float,
    picture: tuple[float, float],
    free: Collection[Box] = (),
) -> list[Label | None]:
    """Return the places of labels in a picture, None where there is no room; the first come first.

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
    """
    taken = list(free)
    placed: list[Label | None] = []
    for point, size in zip(points, sizes, strict=True):
        label = next(
            (each for each in _candidates(point, size, gap) if _fits(each.box, picture, taken)),
            None,
        )
        placed.append(label)
        if label is not None:
            taken.append(label.box)
    return placed


def nearest_in_box(point: tuple[float, float], box: Box) -> tuple[float, float]:
    """Return the place in a box that is nearest to a point: the end of a leader line."""
    x, y = point
    left, top, right, bottom = box
    return min(max(x, left), right), min(max(y, top), bottom)


def _candidates(
    point: tuple[float, float], size: tuple[float, float], gap: float
) -> Iterator[Label]:
    (x, y), (width, height) = point, size
    for ring in range(_RINGS):
        away = gap * (0.6 + 1.1 * ring)
        for across, down in _WAYS if ring else _WAYS[:4]:
            left = x - width / 2 + across * (away + width / 2)
            top = y - height / 2 + down * (away + height / 2)
            yield Label((left, top, left + width, top + height), ring > 0)


def _fits(box: Box, picture: tuple[float, float], taken: Collection[Box]) -> bool:
    left, top, right, bottom = box
    inside = left >= 0 and top >= 0 and right <= picture[0] and bottom <= picture[1]
    return inside and not overlaps(box, taken)
