"""Rules about accessors: bounds, layout and types (glTF 2.0, sections 3.6.2 and 3.7.2.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from ...animation.types import F64
from ...animation.vectors import extent
from ...gltf.accessor import Accessors
from ...gltf.accessor_layout import COMPONENTS, ELEMENTS, WIDTHS
from ...gltf.accessor_references import PARTS
from ...gltf.meshopt import compression
from ...wording import listed, number, quoted
from ..accessor_uses import (
    KEYS,
    VERTICES,
    Fault,
    Use,
    accessor_uses,
    described,
    per_owner,
    pointer_part,
)
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, rule

Json = dict[str, Any]
_NUMBERS = frozenset({int, float})
_SMALL = 1 << 16  # values: smaller accessors are evaluated together
_WORDS = {"min": ("minimum", "least"), "max": ("maximum", "greatest")}


@rule(
    "accessor-bounds",
    "warning",
    "the declared minimum or maximum of an accessor differs from its values (info, if only by "
    "rounding) or is invalid (an error), or glTF requires it and it is missing",
    "export again with a current exporter: engines cull meshes by the bounds of positions, and "
    "take the length of clips from those of key times",
    Limit("percent", 0.001, "%", "smaller differences are rounding"),
)
@per_owner
def _bad_bounds(context: CheckContext, limits: Limits) -> Iterator[Fault]:
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


_STEP = 4  # bytes: alignment of vertices and matrices
_MOST = 252  # bytes: the greatest stride
_REFUSED = 255  # bytes: WebGL refuses a greater one
_BUFFERS = {34962: "vertices", 34963: "indices"}  # by target
# What an accessor or a buffer view is used for, by the kind of use; each needs its own.
_ACCESSOR = dict.fromkeys(VERTICES, "vertices") | {
    kind: kind for kind in ("indices", "matrices", *KEYS)
}
_VIEW = _ACCESSOR | dict.fromkeys(KEYS, "keys")
_EXPORT = "export again with a current exporter"
_REWRITE = f"{_EXPORT}, or rewrite the file (gltf-transform copy)"


def _stored(context: CheckContext) -> list[tuple[Use, Json, int, Json]]:
    """Return the uses of accessors in uncompressed buffer views: use, accessor, view and its row.

    Call it by `context.cached`.
    """
    accessors, views = context.document.rows("accessors"), context.document.rows("bufferViews")
    plain = {v for v, view in enumerate(views) if compression(view) is None}
    found = []
    for use in context.cached(accessor_uses):
        row = accessors[use.accessor]
        v = row.get("bufferView")
        if v in plain and not use.stream:
            found.append((use, row, v, views[v]))
    return found


@rule(
    "accessor-alignment",
    "error",
    "an accessor does not begin at a multiple of its component size; or (info) vertices or "
    "matrices are not aligned to 4 bytes",
    f"{_REWRITE}: WebGL refuses unaligned data",
)
@per_owner
def _misaligned(context: CheckContext, _: Limits) -> Iterator[Fault]:
    for use, row, _view, view in context.cached(_stored):
        component = COMPONENTS[row["componentType"]].itemsize
        offset = row.get("byteOffset") or 0
        start = offset + (view.get("byteOffset") or 0)
        if offset % component or start % component:
            at = offset if offset % component else start
            of = "buffer view" if offset % component else "buffer"
            words = f"begins at byte {at} of its {of}, not at a multiple of {component}"
            yield Fault(use, Finding(words, at, "bytes"))
        elif offset % _STEP and (use.kind in VERTICES or row["type"].startswith("MAT")):
            words = f"begins at byte {offset} of its buffer view, not at a multiple of 4"
            yield Fault(use, Finding(words, offset, "bytes", severity="info"))
        elif use.kind in VERTICES and view.get("byteStride") is None:
            size = ELEMENTS[row["type"], row["componentType"]]
            if size % _STEP:
                words = f"has elements of {size} bytes, which are not padded to a multiple of 4"
                yield Fault(use, Finding(words, size, "bytes", severity="info"))


@rule(
    "accessor-stride",
    "info",
    "keys, inverse bind matrices or indices have a byteStride; or vertices have an invalid "
    "one (an error, if WebGL refuses it), or share a buffer view without one",
    _REWRITE,
    covers=("not allowed for animation keys",),
)
@per_owner
def _bad_strides(context: CheckContext, _: Limits) -> Iterator[Fault]:
    packed: dict[int, dict[int, list[Use]]] = {}  # vertex data without a stride: by view, accessor
    for use, row, v, view in context.cached(_stored):
        stride, place = view.get("byteStride"), f"/bufferViews/{v}"
        if stride is not None and use.kind not in VERTICES:
            words = "may not have a byteStride, which is for vertices only"
            yield Fault(use, Finding(words, stride, "bytes", place=f"{place}/byteStride"))
        elif stride is not None and (stride % _STEP or not _STEP <= stride <= _MOST):
            words = f"has a byteStride of {stride}, which is not a multiple of 4 from 4 to 252"
            refused = stride > _REFUSED or stride % COMPONENTS[row["componentType"]].itemsize
            yield Fault(
                use,
                Finding(
                    words,
                    stride,
                    "bytes",
                    place=f"{place}/byteStride",
                    severity="error" if refused else "",
                ),
            )
        elif stride is None and use.kind in VERTICES:
            packed.setdefault(v, {}).setdefault(use.accessor, []).append(use)
    for accessors in packed.values():
        if len(accessors) > 1:
            for use in (use for uses in accessors.values() for use in uses):
                words = "shares a buffer view with other attributes, which needs a byteStride"
                yield Fault(use, Finding(words))


@rule(
    "accessor-shared",
    "info",
    "vertices, indices (an error), keys or matrices are in the same accessor or buffer view, "
    "or in one with another target",
    _REWRITE,
)
@per_owner
def _mixed(context: CheckContext, _: Limits) -> Iterator[Fault]:
    """Yield the uses of an accessor or a buffer view that already has another purpose."""
    accessors: dict[int, Use] = {}
    views: dict[int, Use] = {}
    for use, _row, v, view in context.cached(_stored):
        first = accessors.setdefault(use.accessor, use)
        if _ACCESSOR[first.kind] != _ACCESSOR[use.kind]:
            words = f"has the same accessor as {described(context, first)}"
            yield Fault(use, Finding(words, severity=_mixed_severity(first, use)))
            continue
        other, target = views.setdefault(v, use), view.get("target")
        if _VIEW[other.kind] != _VIEW[use.kind]:
            words = f"is in the same buffer view as {described(context, other)}"
            yield Fault(use, Finding(words, severity=_mixed_severity(other, use)))
        elif isinstance(target, int) and _BUFFERS.get(target, _VIEW[use.kind]) != _VIEW[use.kind]:
            words = f"is in a buffer view with a target for {_BUFFERS[target]}"
            yield Fault(use, Finding(words))


def _mixed_severity(first: Use, second: Use) -> Literal["error", ""]:
    """Return whether an engine refuses two uses of the same data: WebGL binds no such buffer."""
    kinds = {first.kind, second.kind}
    return "error" if "indices" in kinds and kinds & set(VERTICES) else ""


@rule(
    "accessor-sparse",
    "info",
    "the indices of a sparse accessor are not in ascending order",
    _REWRITE,
)
@per_owner
def _bad_sparse(context: CheckContext, _: Limits) -> Iterator[Fault]:
    """Yield sparse accessors whose indices do not ascend, or whose parts have a stride."""
    stored, views = context.stored, context.document.rows("bufferViews")
    for use in context.cached(accessor_uses):
        sparse = stored.accessors.rows[use.accessor].get("sparse")
        if not sparse or not sparse["count"]:
            continue
        part = sparse["indices"]
        data = stored.accessors.view(part["bufferView"])
        start, dtype = part.get("byteOffset") or 0, COMPONENTS[part["componentType"]]
        indices = np.frombuffer(data, dtype, sparse["count"], start).astype(np.int64)
        wrong = int(np.count_nonzero(np.diff(indices) <= 0))
        if wrong:
            words = "has sparse indices that are not in ascending order"
            yield Fault(use, Finding(words, wrong, "indices"))
        elif any(views[sparse[name]["bufferView"]].get("byteStride") for name in PARTS):
            yield Fault(
                use, Finding("has sparse values with a byteStride, which is for vertices only")
            )


Component = tuple[int, bool]  # component type, normalized
_QUANTIZATION = "KHR_mesh_quantization"
_BYTE, _UBYTE, _SHORT, _USHORT, _UINT, _FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
_ONLY_FLOAT = frozenset({(_FLOAT, False)})
_UNSIGNED = _ONLY_FLOAT | {(_UBYTE, True), (_USHORT, True)}
_SIGNED = _ONLY_FLOAT | {(_BYTE, True), (_SHORT, True)}
_ANY = frozenset(
    (code, normalized) for code in (_BYTE, _UBYTE, _SHORT, _USHORT) for normalized in (False, True)
)


class DataFormat(NamedTuple):
    """The allowed formats of a kind of data, plain and with KHR_mesh_quantization."""

    types: tuple[str, ...]
    plain: frozenset[Component]
    quantized: frozenset[Component] = frozenset()


_COLOR = DataFormat(("VEC3", "VEC4"), _UNSIGNED)
_ATTRIBUTES = {
    "POSITION": DataFormat(("VEC3",), _ONLY_FLOAT, _ANY),
    "NORMAL": DataFormat(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TANGENT": DataFormat(("VEC4",), _ONLY_FLOAT, _SIGNED),
    "TEXCOORD": DataFormat(("VEC2",), _UNSIGNED, _ANY),
    "COLOR": _COLOR,
    "JOINTS": DataFormat(("VEC4",), frozenset({(_UBYTE, False), (_USHORT, False)})),
    "WEIGHTS": DataFormat(("VEC4",), _UNSIGNED),
}
_MOVED = frozenset({(_BYTE, False), (_SHORT, False)}) | _SIGNED
_TARGETS = {
    "POSITION": DataFormat(("VEC3",), _ONLY_FLOAT, _MOVED),
    "NORMAL": DataFormat(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TANGENT": DataFormat(("VEC3",), _ONLY_FLOAT, _SIGNED),
    "TEXCOORD": DataFormat(("VEC2",), _UNSIGNED | _SIGNED, _ANY),
    "COLOR": DataFormat(("VEC3", "VEC4"), _UNSIGNED | _SIGNED),
}
_KEYS = {
    "translation": DataFormat(("VEC3",), _ONLY_FLOAT),
    "rotation": DataFormat(("VEC4",), _UNSIGNED | _SIGNED),
    "scale": DataFormat(("VEC3",), _ONLY_FLOAT),
    "weights": DataFormat(("SCALAR",), _UNSIGNED | _SIGNED),
}
_OTHERS = {
    "times": DataFormat(("SCALAR",), _ONLY_FLOAT),
    "matrices": DataFormat(("MAT4",), _ONLY_FLOAT),
    "indices": DataFormat(
        ("SCALAR",), frozenset({(_UBYTE, False), (_USHORT, False), (_UINT, False)})
    ),
}
_NUMBERED = ("TEXCOORD", "COLOR", "JOINTS", "WEIGHTS")


@rule(
    "accessor-format",
    "error",
    "keys, matrices, indices or vertices have a type that glTF does not allow",
    f"{_EXPORT}; declare KHR_mesh_quantization if the vertices are quantized",
)
@per_owner
def _bad_formats(context: CheckContext, _: Limits) -> Iterator[Fault]:
    quantized = _QUANTIZATION in context.document.texts("extensionsUsed")
    rows = context.document.rows("accessors")
    for use in context.cached(accessor_uses):
        row = rows[use.accessor]
        component = (row["componentType"], bool(row.get("normalized")))
        allowed = _allowed(use)
        if allowed is None:
            if use.kind == "attribute" and component[0] == _UINT:
                yield Fault(use, Finding("may not be uint32: no vertex attribute may"))
            continue
        components = allowed.plain | (allowed.quantized if quantized else frozenset())
        if row["type"] not in allowed.types or component not in components:
            names = sorted({_named(each) for each in components})
            wanted = f"{' or '.join(allowed.types)} of {' or '.join(names)}"
            words = f"is {row['type']} of {_named(component)}, not {wanted}"
            if not quantized and component in allowed.quantized:
                words += f", without {_QUANTIZATION}"
            yield Fault(use, Finding(words))


def _allowed(use: Use) -> DataFormat | None:
    """Return the allowed formats; None if any is allowed."""
    name = use.name.partition("_")[0]
    if use.kind == "attribute":
        return _ATTRIBUTES.get(name)
    if use.kind == "target":
        return _TARGETS.get(name)
    return _KEYS.get(use.name) if use.kind == "keys" else _OTHERS[use.kind]


def _named(component: Component) -> str:
    return f"{'normalized ' if component[1] else ''}{COMPONENTS[component[0]].name}"


@rule(
    "mesh-attributes",
    "info",
    "a mesh has an attribute that glTF does not define, or gaps in the numbers of TEXCOORD_n, "
    "COLOR_n, JOINTS_n or WEIGHTS_n",
    "begin the names of attributes of your own with _, and number the others from 0",
)
def _attributes(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield meshes with attributes that glTF does not define, and gaps in their numbers."""
    for m, mesh in enumerate(context.document.rows("meshes")):
        bad: dict[str, str] = {}  # attribute: place
        for p, primitive in enumerate(mesh["primitives"]):
            place = f"/meshes/{m}/primitives/{p}/attributes"
            names = primitive["attributes"]
            bad |= {name: place for name in names if not _is_known(name, names)}
        if bad:
            called = context.model.meshes[m].name
            yield Finding(
                f"mesh {quoted(called)} has the {'attribute' if len(bad) == 1 else 'attributes'} "
                f"{listed(sorted(bad))}, which glTF does not define, or whose number does not "
                "follow from 0",
                amount=len(bad),
                unit="attributes",
                place=next(iter(bad.values())),
                item=called,
            )


def _is_known(name: str, names: Json) -> bool:
    """Return whether glTF defines an attribute, and the numbers below its own are there."""
    kind, _, number = name.partition("_")
    if name.startswith("_") or name in ("POSITION", "NORMAL", "TANGENT"):
        return True
    if kind not in _NUMBERED or not number.isdecimal() or str(int(number[:9])) != number:
        return False
    return number == "0" or f"{kind}_{int(number) - 1}" in names


@rule(
    "morph-attributes",
    "info",
    "morph targets have an attribute that the mesh does not have",
    "export normals or tangents for the mesh too, or for neither",
)
def _bases(context: CheckContext, _: Limits) -> Iterator[Finding]:
    """Yield meshes with morph targets of attributes that the primitive does not have."""
    for m, mesh in enumerate(context.document.rows("meshes")):
        lacking: dict[str, str] = {}  # attribute: place
        for p, primitive in enumerate(mesh["primitives"]):
            for t, target in enumerate(primitive.get("targets") or ()):
                place = f"/meshes/{m}/primitives/{p}/targets/{t}"
                for name in target.keys() - primitive["attributes"].keys():
                    lacking.setdefault(name, f"{place}/{pointer_part(name)}")
        if lacking:
            called = context.model.meshes[m].name
            yield Finding(
                f"morph targets of mesh {quoted(called)} have {listed(sorted(lacking))}, which "
                "the mesh itself does not have",
                amount=len(lacking),
                unit="attributes",
                place=lacking[min(lacking)],
                item=called,
            )
