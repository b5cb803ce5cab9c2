"""Rule about the bounds of accessors: `min` and `max` (glTF 2.0, section 3.6.2.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...animation.types import F64
from ...animation.vectors import extent
from ...gltf.accessor import Accessors
from ...gltf.accessor_layout import COMPONENTS, WIDTHS
from ...wording import number
from ..accessor_uses import Fault, Use, accessor_uses, found_faults
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule

Json = dict[str, Any]
_NUMBERS = frozenset({int, float})
_SMALL = 1 << 16  # values: smaller accessors are evaluated together
_WORDS = {"min": ("minimum", "least"), "max": ("maximum", "greatest")}


def _faults(context: CheckContext, limits: Limits) -> Iterator[Fault]:
    percent = limits["percent"]
    stored, uses = context.stored, context.cached(accessor_uses)
    rows = stored.accessors.rows
    for use in uses:
        if not _needs_bounds(use) or not rows[use.accessor]["count"]:
            continue
        missing = [key for key in _WORDS if rows[use.accessor].get(key) is None]
        if missing:
            words = " and ".join(_WORDS[key][0] for key in missing)
            yield Fault(use, Finding(f"must have a declared {words}"))
    readable = {use.accessor: use for use in reversed(uses) if _is_stored(rows, use)}
    groups: dict[tuple[str, int], list[Use]] = {}
    for index, use in readable.items():
        row = rows[index]
        groups.setdefault((row["type"], row["componentType"]), []).append(use)
    wrong: dict[int, Fault] = {}
    for (kind, code), group in groups.items():
        found = _of(stored.accessors, group, WIDTHS[kind], COMPONENTS[code].kind == "f")
        wrong |= {fault.use.accessor: fault for fault in found}
    for use in uses:
        if (fault := wrong.get(use.accessor)) is not None:
            finding = fault.finding
            if finding.unit:
                small = (finding.amount or 0.0) <= percent
                finding = replace(finding, limit=percent, severity="info" if small else "")
            yield Fault(use, finding)


def _needs_bounds(use: Use) -> bool:
    """Return whether glTF requires bounds: for key times and positions, of morph targets too."""
    return use.kind == "times" or use.name == "POSITION"


def _is_stored(rows: Sequence[Json], use: Use) -> bool:
    """Return whether an accessor declares bounds, and its values are in a buffer view."""
    row = rows[use.accessor]
    if row.get("bufferView") is None and not row.get("sparse"):
        return False
    declared = row.get("min") is not None or row.get("max") is not None
    return bool(declared and row["count"] and not use.stream)


def _of(accessors: Accessors, uses: list[Use], width: int, floats: bool) -> Iterator[Fault]:
    """Yield the faults of accessors of one type."""
    indices = [use.accessor for use in uses]
    actual = _extremes(accessors, indices, width)  # [n, 2, width]
    declared = np.full(actual.shape, np.nan)
    for k, index in enumerate(indices):
        for side, key in enumerate(_WORDS):
            given = accessors.rows[index].get(key)
            if given is None:
                continue
            found = _numbers(given, width)
            if found is None:
                words = f"must have {width} numbers in {key}"
                yield Fault(uses[k], Finding(words, severity="error"))
            else:
                declared[k, side] = found
    if floats:
        declared = declared.astype(np.float32).astype(np.float64)
    finite = np.isfinite(actual)
    off = np.abs(np.where(finite, declared - actual, 0))
    size = np.fmax(np.abs(declared), np.where(finite, np.abs(actual), 0)).max(axis=(1, 2))
    for k in np.flatnonzero((off > 0).any(axis=(1, 2))).tolist():
        side, part = divmod(int(np.nanargmax(off[k])), width)
        word, extreme = list(_WORDS.values())[side]
        said, read = float(declared[k, side, part]), float(actual[k, side, part])
        of = f" of component {part + 1}" if width > 1 else ""
        yield Fault(
            uses[k],
            Finding(
                f"has a declared {word}{of} of {_shown(said, read)}, but the {extreme} value is "
                f"{_shown(read, said)}",
                100 * float(off[k, side, part] / size[k]),
                "%",
            ),
        )


def _extremes(accessors: Accessors, indices: list[int], width: int) -> F64:
    """Return the least and greatest values of accessors [n, 2, width]; NaN passes through."""
    out = np.zeros((len(indices), 2, width))
    arrays = [accessors.raw(index) for index in indices]
    small = []
    for k, array in enumerate(arrays):
        if array.size > _SMALL:
            out[k] = extent(array)
        else:
            small.append(k)
    if small:
        starts = np.cumsum([0, *[len(arrays[k]) for k in small[:-1]]])
        values = np.concatenate([arrays[k] for k in small])
        out[small, 0] = np.minimum.reduceat(values, starts, axis=0)
        out[small, 1] = np.maximum.reduceat(values, starts, axis=0)
    return out


def _numbers(value: Any, width: int) -> list[float] | None:  # noqa: ANN401 - any JSON
    """Return declared bounds [width]; None if they are not numbers."""
    if not isinstance(value, list) or len(value) != width:
        return None
    try:
        return [float(part) for part in value] if _NUMBERS.issuperset(map(type, value)) else None
    except OverflowError:  # of a huge integer
        return None


def _shown(amount: float, other: float) -> str:
    """Return an amount with as many digits as set it apart from another."""
    return number(amount) if number(amount) != number(other) else f"{amount:.9g}"


RULES: tuple[Rule, ...] = (
    Rule(
        "accessor-bounds",
        "warning",
        "the declared minimum or maximum of an accessor differs from its values (info, if only by "
        "rounding) or is invalid (an error), or glTF requires it and it is missing",
        "export again with a current exporter: engines cull meshes by the bounds of positions, and "
        "take the length of clips from those of key times",
        partial(found_faults, _faults),
        (Limit("percent", 0.001, "%", "smaller differences are rounding"),),
    ),
)
