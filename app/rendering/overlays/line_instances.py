"""Instances of lines and dots, as the overlay pass draws them."""

import numpy as np
from numpy.typing import ArrayLike

from ...animation.types import F32, F64

LINE = 14  # numbers of an instance
OUTLINE = (0.05, 0.05, 0.07, 0.75)
NO_LINES: F32 = np.zeros((0, LINE), np.float32)


def line_instances(
    start: F32 | F64,
    end: F32 | F64,
    color: ArrayLike,
    width: ArrayLike,
    dash: float = 0.0,
    *,
    shape: ArrayLike = 0.0,
    behind: ArrayLike = 1.0,
) -> F32:
    """Return lines [N, 14] from `start` [N, 3] to `end` [N, 3]; equal ends are dots.

    Parameters
    ----------
    color, width
        [4] or [N, 4] sRGB with straight alpha, and pixels at 1000 pixels of height.
    dash
        Length of a dash and its gap, pixels; 0: solid.
    shape
        Of the ends: 0 round, 1 square, 2 diamond.
    behind
        Opacity behind surfaces.
    """
    lines = np.empty((len(start), LINE), np.float32)
    lines[:, :3] = start
    lines[:, 3:6] = end
    lines[:, 6:10] = color
    lines[:, 10] = width
    lines[:, 11] = dash
    lines[:, 12] = shape
    lines[:, 13] = behind
    return lines


def placed(world: F32, points: F32) -> F32:
    """Return model-space points [N, 3] placed by a matrix [4, 4]."""
    return points @ world[:3, :3].T + world[:3, 3]
