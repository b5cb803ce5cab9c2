"""Rules about the layout of accessors in buffer views (glTF 2.0, sections 3.6.2 and 3.7.2.1)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...gltf.accessor_layout import COMPONENTS, ELEMENTS
from ...gltf.accessor_references import PARTS
from ...gltf.meshopt import compression
from ..accessor_uses import KEYS, VERTICES, Fault, Use, accessor_uses, described, matches
from ..check_context import CheckContext
from ..finding import Finding, Limits, Rule

Json = dict[str, Any]
_STEP = 4  # bytes: alignment of vertices and matrices
_MOST = 252  # bytes: the greatest stride
_TARGETS = {34962: "vertices", 34963: "indices"}
# What an accessor or a buffer view is used for, by the kind of use; each needs its own.
_ACCESSOR = dict.fromkeys(VERTICES, "vertices") | {
    kind: kind for kind in ("indices", "matrices", *KEYS)
}
_VIEW = _ACCESSOR | dict.fromkeys(KEYS, "keys")
_EXPORT = "export again with a current exporter, or rewrite the file (gltf-transform copy)"


def _stored(context: CheckContext, _: int = -1) -> list[tuple[Use, Json, int, Json]]:
    """Return the uses of accessors in uncompressed buffer views: use, accessor, view and its row.

    Call it by `context.cached`.
    """
    document = context.document
    if document is None:
        return []
    accessors, views = document.rows("accessors"), document.rows("bufferViews")
    plain = {v for v, view in enumerate(views) if compression(view) is None}
    found = []
    for use in context.cached(accessor_uses):
        row = accessors[use.accessor]
        v = row.get("bufferView")
        if v in plain and not use.stream:
            found.append((use, row, v, views[v]))
    return found


def _alignment(context: CheckContext, _: Limits) -> Iterator[Finding]:
    return matches(context, _misaligned(context))


def _misaligned(context: CheckContext) -> Iterator[Fault]:
    for use, row, _, view in context.cached(_stored):
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
            yield Fault(use, Finding(words, offset, "bytes"))
        elif use.kind in VERTICES and view.get("byteStride") is None:
            size = ELEMENTS[row["type"], row["componentType"]]
            if size % _STEP:
                words = f"has elements of {size} bytes, which are not padded to a multiple of 4"
                yield Fault(use, Finding(words, size, "bytes"))


def _strides(context: CheckContext, _: Limits) -> Iterator[Finding]:
    return matches(context, _bad_strides(context))


def _bad_strides(context: CheckContext) -> Iterator[Fault]:
    packed: dict[int, dict[int, list[Use]]] = {}  # vertex data without a stride: by view, accessor
    for use, _, v, view in context.cached(_stored):
        stride, place = view.get("byteStride"), f"/bufferViews/{v}"
        if stride is not None and use.kind not in VERTICES:
            words = "may not have a byteStride, which is for vertices only"
            yield Fault(use, Finding(words, stride, "bytes", place=f"{place}/byteStride"))
        elif stride is not None and (stride % _STEP or not _STEP <= stride <= _MOST):
            words = f"has a byteStride of {stride}, which is not a multiple of 4 from 4 to 252"
            yield Fault(use, Finding(words, stride, "bytes", place=f"{place}/byteStride"))
        elif stride is None and use.kind in VERTICES:
            packed.setdefault(v, {}).setdefault(use.accessor, []).append(use)
    for accessors in packed.values():
        if len(accessors) > 1:
            for use in (use for uses in accessors.values() for use in uses):
                words = "shares a buffer view with other attributes, which needs a byteStride"
                yield Fault(
                    use,
                    Finding(
                        words,
                    ),
                )


def _shared(context: CheckContext, _: Limits) -> Iterator[Finding]:
    return matches(context, _mixed(context))


def _mixed(context: CheckContext) -> Iterator[Fault]:
    """Yield the uses of an accessor or a buffer view that already has another purpose."""
    accessors: dict[int, Use] = {}
    views: dict[int, Use] = {}
    for use, _, v, view in context.cached(_stored):
        first = accessors.setdefault(use.accessor, use)
        if _ACCESSOR[first.kind] != _ACCESSOR[use.kind]:
            words = f"has the same accessor as {described(context, first)}"
            yield Fault(
                use,
                Finding(
                    words,
                ),
            )
            continue
        other, target = views.setdefault(v, use), view.get("target")
        if _VIEW[other.kind] != _VIEW[use.kind]:
            words = f"is in the same buffer view as {described(context, other)}"
            yield Fault(
                use,
                Finding(
                    words,
                ),
            )
        elif isinstance(target, int) and _TARGETS.get(target, _VIEW[use.kind]) != _VIEW[use.kind]:
            words = f"is in a buffer view with a target for {_TARGETS[target]}"
            yield Fault(
                use,
                Finding(
                    words,
                ),
            )


def _sparse(context: CheckContext, _: Limits) -> Iterator[Finding]:
    return matches(context, _bad_sparse(context))


def _bad_sparse(context: CheckContext) -> Iterator[Fault]:
    """Yield sparse accessors whose indices do not ascend, or whose parts have a stride."""
    stored, document = context.stored, context.document
    if stored is None or document is None:
        return
    views = document.rows("bufferViews")
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


RULES: tuple[Rule, ...] = (
    Rule(
        "accessor-alignment",
        "error",
        "an accessor does not begin at a multiple of its component size; or vertices or matrices "
        "are not aligned to 4 bytes",
        f"{_EXPORT}: WebGL refuses unaligned data",
        _alignment,
    ),
    Rule(
        "accessor-stride",
        "error",
        "keys, inverse bind matrices or indices have a byteStride; or vertices have an invalid "
        "one, or share a buffer view without one",
        _EXPORT,
        _strides,
        covers=("not allowed for animation keys",),
    ),
    Rule(
        "accessor-shared",
        "error",
        "vertices, indices, keys or matrices are in the same accessor or buffer view, or in one "
        "with another target",
        _EXPORT,
        _shared,
    ),
    Rule(
        "accessor-sparse",
        "error",
        "the indices of a sparse accessor are not in ascending order",
        _EXPORT,
        _sparse,
    ),
)
