"""Boxes of labels, placed where they overlap no other label."""

from collections.abc import Collection, Iterable

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
