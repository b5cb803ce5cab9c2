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


def curve(knots: F64, values: F64, where: F64) -> F64:
    """Return cubic Hermite values [N, C] at `where`, through values [K, C] at knots [K]."""
    steps = np.diff(values, axis=0) / np.diff(knots)[:, None]
    level = np.zeros_like(steps[:1])  # so that a limb runs smoothly into its rounded ends
    slopes = np.concatenate((level, 0.5 * (steps[1:] + steps[:-1]), level))
    i = np.clip(np.searchsorted(knots, where, side="right") - 1, 0, len(knots) - 2)
    width = (knots[i + 1] - knots[i])[:, None]
    u = np.clip((where - knots[i])[:, None] / width, 0.0, 1.0)
    one, two = values[i], values[i + 1]
    into, out = slopes[i] * width, slopes[i + 1] * width
    bend = u * u * (u - 1.0) * out + u * (u - 1.0) ** 2 * into
    return one + u * u * (3.0 - 2.0 * u) * (two - one) + bend


def _rounded(scaled: F64, radii: F64, power: float) -> F64:
    """Return an approximate distance to a superellipsoid: `scaled` and `radii` are [N, A]."""
    size = np.abs(scaled)
    near = np.maximum((size**power).sum(axis=1), 1e-12) ** (1.0 / power)
    steep = np.linalg.norm(size ** (power - 1.0) / radii, axis=1) / near ** (power - 1.0)
    return (near - 1.0) / np.maximum(steep, 1e-6)


def ellipsoid(centre: F64, radii: F64, axes: F64 | None = None, power: float = 2.0) -> Field:
    """Return the field of an ellipsoid; the rows of `axes` are its axes."""
    turn = np.eye(3) if axes is None else axes

    def field(points: F64) -> F64:
        scaled = ((points - centre) @ turn.T) / radii
        return _rounded(scaled, np.broadcast_to(radii, scaled.shape), power)

    return field


def ball(centre: F64, radius: float) -> Field:
    """Return the field of a ball."""
    return lambda points: np.linalg.norm(points - centre, axis=1) - radius


def limb(a: F64, b: F64, radii: tuple[float, float]) -> Field:
    """Return the field of a round limb from a to b."""
    axis = b - a

    def field(points: F64) -> F64:
        along = np.clip((points - a) @ axis / (axis @ axis), 0.0, 1.0)
        radius = radii[0] + (radii[1] - radii[0]) * along
        return np.linalg.norm(points - a - along[:, None] * axis, axis=1) - radius

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
    middle = np.stack((table[:, 1] + table[:, 2], table[:, 3] + table[:, 4]), axis=1) / 2.0
    half = np.stack((table[:, 2] - table[:, 1], table[:, 4] - table[:, 3]), axis=1) / 2.0
    values = np.concatenate((middle, half), axis=1)

    def field(points: F64) -> F64:
        away = points - start
        t = away @ along
        inside = np.clip(t, knots[0], knots[-1])
        found = curve(knots, values, inside)
        flat = np.stack((away @ to_u, away @ to_v), axis=1) - found[:, :2]
        radii = np.maximum(found[:, 2:], 1e-4)
        cap = np.where(t < inside, caps[0], caps[1]) * radii.min(axis=1)
        radii = np.concatenate((radii, cap[:, None]), axis=1)
        whole = np.concatenate((flat, (t - inside)[:, None]), axis=1)
        return _rounded(whole / radii, radii, power)

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
        away = np.linalg.norm(points - centre, axis=1) - reach
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
