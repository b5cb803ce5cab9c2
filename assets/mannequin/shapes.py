"""Signed distance fields: negative inside, approximately metres outside.

A field maps points [N, 3] to [N]. Limbs are lofts: ellipses of varying width and depth along a
line. They are blended by a soft minimum.
"""

from collections.abc import Callable, Sequence

import numpy as np

from .bones import F64

Field = Callable[[F64], F64]

UP = np.array((0.0, 1.0, 0.0))
AHEAD = np.array((0.0, 0.0, 1.0))
ASIDE = np.array((1.0, 0.0, 0.0))


def at(*place: float) -> F64:
    """Return a point."""
    return np.array(place, np.float64)


def smooth(value: F64, low: float, high: float) -> F64:
    """Return 0 below low, 1 above high, and a smooth step between."""
    u = np.clip((value - low) / (high - low), 0.0, 1.0)
    return u * u * (3.0 - 2.0 * u)


def length(vectors: F64) -> F64:
    """Return the lengths [...] of vectors [..., 3]."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.sqrt(x * x + y * y + z * z)


def curve(knots: F64, values: F64) -> Callable[[F64], F64]:
    """Return a cubic Hermite curve [N] -> [C, N] through values [C, K] at knots [K]."""
    widths, rises = np.diff(knots), np.diff(values)
    steps = rises / widths
    level = np.zeros_like(steps[:, :1])  # so that a limb runs smoothly into its rounded ends
    slopes = np.concatenate((level, 0.5 * (steps[:, 1:] + steps[:, :-1]), level), axis=1)
    tables = (values[:, :-1], rises, slopes[:, 1:] * widths, slopes[:, :-1] * widths)

    def hermite(where: F64) -> F64:
        i = np.clip(np.searchsorted(knots, where, side="right") - 1, 0, len(widths) - 1)
        u = np.clip((where - knots[i]) / widths[i], 0.0, 1.0)
        start, rise, out, into = (table.take(i, axis=1) for table in tables)
        bend = u * u * (u - 1.0) * out + u * (u - 1.0) ** 2 * into
        return start + u * u * (3.0 - 2.0 * u) * rise + bend

    return hermite


def rounded(scaled: F64, radii: F64, power: float) -> F64:
    """Return an approximate distance [N] to a superellipsoid: `scaled` and `radii` are [A, N]."""
    size = np.abs(scaled)
    near = np.maximum((size**power).sum(axis=0), 1e-12) ** (1.0 / power)
    steep = np.sqrt(((size ** (power - 1.0) / radii) ** 2).sum(axis=0)) / near ** (power - 1.0)
    return (near - 1.0) / np.maximum(steep, 1e-6)


def ellipsoid(centre: F64, radii: F64, axes: F64 | None = None, power: float = 2.0) -> Field:
    """Return the field of an ellipsoid; the rows of `axes` are its axes."""

    def field(points: F64) -> F64:
        away = points - centre if axes is None else (points - centre) @ axes.T
        return rounded(away.T / radii[:, None], radii[:, None], power)

    return field


def ball(centre: F64, radius: float) -> Field:
    """Return the field of a ball."""
    return lambda points: length(points - centre) - radius


def limb(a: F64, b: F64, radii: tuple[float, float]) -> Field:
    """Return the field of a round limb from a to b."""
    axis = b - a

    def field(points: F64) -> F64:
        along = np.clip((points - a) @ axis / (axis @ axis), 0.0, 1.0)
        radius = radii[0] + (radii[1] - radii[0]) * along
        return length(points - a - along[:, None] * axis) - radius

    return field


def loft(
    start: F64,
    frame: tuple[F64, F64, F64],
    stations: Sequence[Sequence[float]],
    power: float = 2.0,
    caps: tuple[float, float] = (0.7, 0.7),
) -> Field:
    """Return the field of ellipses along a line.

    `frame` are the directions along it, of u and of v. A station is: metres along from `start`; the
    lowest and highest u and v there. The ends are rounded, with `caps` times the radius.
    """
    along, to_u, to_v = frame
    table = np.array(stations, np.float64)
    knots = table[:, 0]
    lowest, highest = table[:, 1::2].T, table[:, 2::2].T
    outline = curve(knots, np.concatenate((lowest + highest, highest - lowest)) / 2.0)

    def field(points: F64) -> F64:
        away = points - start
        t = away @ along
        inside = np.clip(t, knots[0], knots[-1])
        middle_u, middle_v, *half = outline(inside)
        radius_u, radius_v = np.maximum(half, 1e-4)
        cap = np.where(t < inside, caps[0], caps[1]) * np.minimum(radius_u, radius_v)
        whole = np.stack((away @ to_u - middle_u, away @ to_v - middle_v, t - inside))
        radii = np.stack((radius_u, radius_v, cap))
        return rounded(whole / radii, radii, power)

    return field


def union(fields: Sequence[Field], soft: float) -> Field:
    """Return the smooth union of fields, blended over about `soft` metres."""

    def field(points: F64) -> F64:
        every = np.stack([one(points) for one in fields])
        least = every.min(axis=0)
        return least - soft * np.log(np.exp((least - every) / soft).sum(axis=0))

    return field


def carved(body: Field, cut: Field, soft: float) -> Field:
    """Return the difference of a body and another field."""
    both = union([lambda points: -body(points), cut], soft)
    return lambda points: -both(points)


def near(field: Field, centre: F64, reach: float) -> Field:
    """Return a field evaluated only within `reach` of a point; beyond it is a lower bound."""

    def bounded(points: F64) -> F64:
        away = length(points - centre) - reach
        values = np.maximum(away, 0.0) + 0.1
        close = away < 0.0
        if close.any():
            values[close] = field(points[close])
        return values

    return bounded


def gradient(field: Field, points: F64, step: float = 1e-4) -> F64:
    """Return the gradient [N, 3] of the field."""
    columns = []
    for axis in np.eye(3) * step:
        columns.append((field(points + axis) - field(points - axis)) / (2.0 * step))
    return np.stack(columns, axis=1)
