"""Rules about stored normals, tangents and vertex colours (glTF 2.0, section 3.7.2.1)."""

from collections.abc import Callable, Iterator

import numpy as np

from ...animation.types import F64
from ...animation.vectors import length
from ...wording import counted, number, quoted
from ..check_context import CheckContext
from ..finding import Finding, Limit, Limits, Rule
from ..stored_meshes import StoredMeshes
from .mesh_geometry import distinct_vertices


def _lengths(context: CheckContext, limits: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return by how much the lengths of normals or tangents differ from 1 [V]."""
        found = np.abs(length(stored.accessors.floats(index)[:, :3]).astype(np.float64) - 1)
        kind = stored.accessors.raw(index).dtype
        step = 1 / np.iinfo(kind).max if kind.kind in "iu" else 0.0  # of quantized normals
        return np.where(found > max(limits["off"], step), found, 0)

    for name, word in (("NORMAL", "normal"), ("TANGENT", "tangent")):
        for mesh, place, bad, worst in _worst(context, name, off):
            yield _finding(
                context,
                mesh,
                f"{counted(bad, word)} of mesh {{}} {'is' if bad == 1 else 'are'} not of unit "
                f"length, but off by {number(worst)} at worst",
                worst,
                limits["off"],
                place,
            )


def _signs(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return how far the signs of tangents are from 1 and -1 [V]."""
        return np.abs(np.abs(stored.accessors.floats(index)[:, 3].astype(np.float64)) - 1)

    for mesh, place, bad, worst in _worst(context, "TANGENT", off):
        yield _finding(
            context,
            mesh,
            f"{counted(bad, 'tangent')} of mesh {{}} {'has' if bad == 1 else 'have'} a w that is "
            "neither 1 nor -1: normal maps are inverted or flat there",
            worst,
            None,
            place,
        )


def _colors(context: CheckContext, _: Limits) -> Iterator[Finding]:
    def off(stored: StoredMeshes, index: int) -> F64:
        """Return how far colours are outside 0 to 1 [V]."""
        colors = stored.accessors.floats(index).astype(np.float64)
        return np.maximum(colors - 1, -colors).max(axis=1, initial=0)

    for mesh, place, bad, worst in _worst(context, "COLOR_0", off):
        yield _finding(
            context,
            mesh,
            f"{counted(bad, 'vertex colour')} of mesh {{}} {'is' if bad == 1 else 'are'} outside "
            f"0 to 1, by {number(worst)} at worst",
            worst,
            None,
            place,
        )


def _worst(
    context: CheckContext, name: str, off: Callable[[StoredMeshes, int], F64]
) -> Iterator[tuple[int, str, int, float]]:
    """Yield meshes with bad values: mesh, first place, number of bad vertices, greatest amount."""
    stored = context.stored
    if stored is None:
        return
    for mesh, primitives in distinct_vertices(stored).items():
        bad, worst, place = 0, 0.0, ""
        for primitive in primitives:
            index = primitive.attributes.get(name)
            if index is None or not _is_vector(stored, index, name):
                continue
            amounts = off(stored, index)
            amounts = np.where(np.isfinite(amounts), amounts, 0)  # others have another rule
            if amounts.any():
                bad += int(np.count_nonzero(amounts))
                worst = max(worst, float(amounts.max()))
                place = place or f"{primitive.place}/attributes/{name}"
        if bad:
            yield mesh, place, bad, worst


def _is_vector(stored: StoredMeshes, index: int, name: str) -> bool:
    wide = {"NORMAL": 3, "TANGENT": 4, "COLOR_0": 3}[name]
    return stored.accessors.raw(index).shape[1] >= wide


def _finding(
    context: CheckContext, mesh: int, message: str, amount: float, limit: float | None, place: str
) -> Finding:
    called = context.model.meshes[mesh].name
    return Finding(
        message.format(quoted(called)), amount=amount, limit=limit, place=place, item=called
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "mesh-unit-length",
        "error",
        "a normal or tangent is not of unit length",
        "recompute the normals (Blender: Mesh > Normals > Reset Vectors) after deleting faces "
        "without area, and export again",
        _lengths,
        (Limit("off", 0.00674, "", "deviation of a length from 1"),),
    ),
    Rule(
        "mesh-tangent-sign",
        "error",
        "the w of a tangent is neither 1 nor -1",
        "export with tangents, computed as for baking the map (MikkTSpace)",
        _signs,
    ),
    Rule(
        "mesh-color-range",
        "error",
        "a vertex colour is below 0 or above 1",
        "clamp the colours; light beyond white belongs in the material's emission",
        _colors,
    ),
)
