"""Comparison of evaluated poses as numbers: arrays of `rigview.model.pose_arrays`.

Positions are compared in millimetres, rotations as angles (q and -q are equal), everything else
by value. Unknown arrays are compared by value too; new arrays are no difference.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..animation.types import F64

Arrays = Mapping[str, NDArray[Any]]
JointNames = Sequence[Sequence[str]]  # of each skin

MM = 0.01  # tolerance of positions, for a character up to 1.8 m tall
DEG = 0.01
REFERENCE_HEIGHT = 1.8  # metres: for taller characters the tolerance of positions grows
PART = 1e-4  # tolerance of scales, weights and other numbers, relative for numbers above 1
_TIME = 1e-6  # seconds
_NAMED = 6  # names in one sentence


@dataclass(frozen=True, slots=True)
class Limits:
    """Tolerances of two poses: millimetres and degrees."""

    mm: float = MM
    deg: float = DEG


@dataclass(frozen=True, slots=True, eq=False)
class _Amount:
    """Differences of two arrays: a number for each time and each node or element."""

    what: str  # "moved by {}", formatted with the greatest amount
    of: F64  # [T, K]
    most: float  # tolerance
    unit: str


def differences(
    expected: Arrays,
    actual: Arrays,
    limits: Limits | None = None,
    joint_names: JointNames = (),
) -> list[str]:
    """Return the differences as sentences with the worst element, time and amount; [] for none.

    Arrays that only `actual` has are not compared: a motion file adds some without changing a pose.

    Parameters
    ----------
    expected, actual
        ``times`` [T], ``node_names`` [N], ``node_local`` [T, N, 10] and so on, as `rigview pose`
        writes them, or some of them; metres, scene space.
    limits
        Tolerances; None: 0.01 mm (proportional for characters taller than 1.8 m) and 0.01°.
    joint_names
        For each skin the names of its joints, for the differences of its palette.
    """
    limits = limits or Limits()
    unlike = list(_names(expected, actual)) or list(_shapes(expected, actual))
    if unlike:
        return unlike
    extent = _extent(expected)
    limits = Limits(limits.mm * max(1.0, extent / REFERENCE_HEIGHT), limits.deg)
    sentences = []
    for key in sorted(
        expected, key=lambda key: key != "node_local"
    ):  # the other arrays derive from it
        one, other = np.atleast_1d(expected[key]), np.atleast_1d(actual[key])
        if not np.issubdtype(one.dtype, np.number):
            sentences += [f"{key} differs"] if (one != other).any() else []
        elif one.size:
            with np.errstate(all="ignore"):  # NaN counts as an infinite difference
                for amount in _amounts(key, one, other, limits, extent):
                    sentences += _sentence(key, amount, expected, joint_names)
    return sentences


def _names(expected: Arrays, actual: Arrays) -> Iterator[str]:
    """Yield sentences about missing arrays, and about nodes that only one of the two has."""
    yield from _listed("missing arrays", list(expected), actual)
    if "node_names" not in expected or "node_names" not in actual:
        return
    old, new = ([*map(str, arrays["node_names"])] for arrays in (expected, actual))
    unlike = [*_listed("missing nodes", old, set(new)), *_listed("new nodes", new, set(old))]
    if not (unlike or old == new):
        pairs = zip(old, new, strict=False)
        place, was, now = next((at, *pair) for at, pair in enumerate(pairs) if len({*pair}) > 1)
        unlike = [f"nodes in a different order: number {place} was {was!r} and is {now!r}"]
    yield from unlike


def _listed(what: str, names: list[str], others: Container[str]) -> Iterator[str]:
    """Yield a sentence with the names that are not among the others, if there are any."""
    apart = [name for name in names if name not in others]
    if apart:
        more = f" and {len(apart) - _NAMED} more" if apart[_NAMED:] else ""
        yield f"{what}: {', '.join(map(repr, apart[:_NAMED]))}{more}"


def _shapes(expected: Arrays, actual: Arrays) -> Iterator[str]:
    for key in expected:
        old, new = np.shape(expected[key]), np.shape(actual[key])
        if old != new:
            yield f"{key} is {list(new)}, not {list(old)}"


def _extent(arrays: Arrays) -> float:
    """Return the size of the character, metres: the longest side of the bounds of its nodes."""
    if "node_global" not in arrays or not arrays["node_global"].size:
        return REFERENCE_HEIGHT
    places = np.asarray(arrays["node_global"], np.float64)[..., :3, 3]
    sides = places.max(axis=-2) - places.min(axis=-2)
    return float(np.nan_to_num(sides.max()))


def _amounts(
    key: str, one: NDArray[Any], other: NDArray[Any], limits: Limits, extent: float
) -> Iterator[_Amount]:
    """Yield the differences of two arrays of the same name, in the units of its kind."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    if key == "node_local":
        yield _Amount("moved by {} (local)", _mm(one[..., :3], other[..., :3]), limits.mm, " mm")
        turned = _turned(one[..., 3:7], other[..., 3:7])
        yield _Amount("rotated by {} (local)", turned, limits.deg, "°")
        scaled = _relative(one[..., 7:], other[..., 7:]).max(axis=-1)
        yield _Amount("scaled by {} (local)", scaled, PART, "")
    elif key in ("node_global", "world") or key.startswith("palette_"):
        one, other = (array.reshape(len(array), -1, 4, 4) for array in (one, other))
        yield from _matrices(key, one, other, limits, extent)
    elif key.startswith("vertices_"):
        yield _Amount("{} off", _mm(one, other), limits.mm, " mm")
    else:
        rows = [array.reshape(len(array), -1) for array in (one, other)]
        seconds = key in ("times", "event_time")
        apart = np.abs(rows[0] - rows[1]) if seconds else _relative(*rows)
        yield _Amount("{} off", apart, _TIME if seconds else PART, " s" if seconds else "")


def _matrices(key: str, one: F64, other: F64, limits: Limits, extent: float) -> Iterator[_Amount]:
    """Yield the differences of matrices [T, K, 4, 4]: position, direction and length of axes."""
    lever = 1e3 * extent * np.radians(limits.deg)  # a palette rotates about the origin
    most = limits.mm + (lever if key.startswith("palette_") else 0.0)
    yield _Amount("{} off", _mm(one[..., :3, 3], other[..., :3, 3]), most, " mm")
    axes = [np.swapaxes(array[..., :3, :3], -1, -2) for array in (one, other)]
    lengths = [np.linalg.norm(matrix_axes, axis=-1) for matrix_axes in axes]
    upright = [
        matrix_axes / np.maximum(long, 1e-30)[..., None]
        for matrix_axes, long in zip(axes, lengths, strict=True)
    ]
    yield _Amount("rotated by {}", np.degrees(_between(*upright)).max(axis=-1), limits.deg, "°")
    yield _Amount("scaled by {}", _relative(*lengths).max(axis=-1), PART, "")


def _mm(one: F64, other: F64) -> F64:
    """Return the distances, millimetres, of points [..., 3] in metres."""
    return 1e3 * np.linalg.norm(other - one, axis=-1)


def _turned(one: F64, other: F64) -> F64:
    """Return the angle between rotations [..., 4], degrees; q and -q are equal."""
    half = np.minimum(_between(one, other), _between(one, -other))
    return np.degrees(2.0 * half)


def _between(one: F64, other: F64) -> F64:
    """Return the angle between unit vectors [..., N], radians; exact for small ones (W. Kahan)."""
    apart, along = np.linalg.norm(other - one, axis=-1), np.linalg.norm(other + one, axis=-1)
    return 2.0 * np.arctan2(apart, along)


def _relative(one: F64, other: F64) -> F64:
    """Return the difference of numbers, relative for numbers above 1."""
    return np.abs(other - one) / np.maximum(1.0, np.abs(one))


def _sentence(key: str, amount: _Amount, arrays: Arrays, joint_names: JointNames) -> Iterator[str]:
    """Yield a sentence about differences beyond the tolerance, if there are any."""
    of = np.where(np.isnan(amount.of), np.inf, amount.of)
    wrong = of > amount.most
    if not wrong.any():
        return
    first, element = np.unravel_index(np.argmax(of), of.shape)
    worst = f"{of.max():.4g}{amount.unit}"
    times, when = arrays.get("times", ()), ""
    if len(times) == len(of) and key != "times" and not key.startswith("event_"):
        when = f" at {float(times[first]):.4g} s"
    others = int(wrong.any(axis=0).sum()) - 1
    name = _element_name(key, int(element), int(first), arrays, joint_names)
    yield (
        f"{key}: {name} {amount.what.format(worst)}{when} "
        f"(at most {amount.most:.4g}{amount.unit})" + (f", and {others} more" if others else "")
    )


def _element_name(key: str, element: int, row: int, arrays: Arrays, joint_names: JointNames) -> str:
    """Return the name of an element of an array."""
    names = [str(name) for name in arrays.get("node_names", ())]
    if key in ("node_local", "node_global") and element < len(names):
        return repr(names[element])
    if key in ("times", "world") or key.startswith("event_"):
        return f"number {row}"
    kind, _, numbers = key.partition("_")
    number = int(numbers.partition("_")[0]) if numbers[:1].isdigit() else -1
    node = f" of {names[number]!r}" if 0 <= number < len(names) else ""
    joints = joint_names[number] if 0 <= number < len(joint_names) else ()
    joint = f"joint {joints[element]!r}" if element < len(joints) else f"joint {element}"
    return {
        "palette": f"{joint} of skin {number}",
        "vertices": f"vertex {element}{node}",
        "weights": f"morph weight {element}{node}",
    }.get(kind, f"element {element}")
