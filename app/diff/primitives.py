"""Differences of two matching primitives, with amounts at rest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..model.model import MeshInstance, Model, Primitive
from ..model.skinned_vertices import BLOCK_SIZE, vertex_block
from .difference import Change
from .vertices import differs, triangle_differences

UNMOVED = 1e-6  # metres, tolerance of positions
GRAIN = 1e-6  # of the mesh's size, tolerance of positions
_TURNED = 1e-2  # tolerance of normals and tangents
_SHIFTED = 1e-4  # tolerance of texture coordinates and colours
_LEAST_TURN = 0.5  # degrees; below, normals differ in length


@dataclass(frozen=True, slots=True, eq=False)
class PrimitivePair:
    """Matching primitives of two versions."""

    a: Primitive
    b: Primitive  # with positions scaled to A
    rows: Index | None  # [V of B] corresponding vertices of A; None: they do not correspond


def primitive_changes(
    name: str,
    pair: PrimitivePair,
    a: Model,
    b: Model,
    carrier: MeshInstance | None,
    materials: Mapping[int, int],
) -> Iterator[Change]:
    """Yield the differences of a primitive.

    Parameters
    ----------
    carrier
        Its instance in A, None if it is not drawn.
    materials
        The matching materials of B by those of A.
    """
    one, two, rows = pair.a, pair.b, pair.rows

    def change(field: str, before: str | int, after: str | int) -> Change:
        return Change("mesh", "changed", name, "", field, before, after)

    if one.topology != two.topology:
        yield change("topology", one.topology, two.topology)
    kinds = _attributes(one), _attributes(two)
    if kinds[0] != kinds[1]:
        yield change("attributes", " ".join(kinds[0]), " ".join(kinds[1]))
    same_material = materials.get(one.material, -1) == two.material
    if not same_material:
        yield change("material", _material(a, one.material), _material(b, two.material))
    yield from _variants(name, pair, a, b, materials)
    targets = [() if primitive.morph is None else primitive.morph.names for primitive in (one, two)]
    if targets[0] != targets[1]:
        yield change(
            "morph targets", ", ".join(targets[0]) or "none", ", ".join(targets[1]) or "none"
        )
    if rows is None:
        yield Change("mesh", "changed", name, field="vertices", note="they do not correspond")
        return
    yield from _moved(name, pair, rows, a, carrier)
    if one.triangle_count == two.triangle_count:
        note = triangle_differences(one, two, rows)
        if note:
            yield Change("mesh", "changed", name, field="triangles", note=note)
    yield from _turned_by_morphs(name, one, two, rows)
    yield from _turned(name, "normals", one.normals, two.normals, rows)
    yield from _turned(name, "tangents", one.tangents, two.tangents, rows)
    yield from _shifted(name, "colours", one.colors, two.colors, rows, "of 1")
    for k, (p, q) in enumerate(zip(one.texcoords, two.texcoords, strict=False)):
        yield from _shifted(name, f"texture coordinates {k}", p, q, rows, "of the texture")


def _attributes(primitive: Primitive) -> list[str]:
    given = {
        "NORMAL": primitive.normals,
        "TANGENT": primitive.tangents,
        "COLOR_0": primitive.colors,
        "JOINTS": primitive.joints,
    }
    found = ["POSITION", *(name for name, values in given.items() if values is not None)]
    return found + [f"TEXCOORD_{k}" for k in range(len(primitive.texcoords))]


def _material(model: Model, number: int) -> str:
    return model.materials[number].name if number >= 0 else "none"


def _variants(
    name: str, pair: PrimitivePair, a: Model, b: Model, materials: Mapping[int, int]
) -> Iterator[Change]:
    """Yield the variants, by name, in which the primitive has another material."""
    both = [
        {model.variants[v]: m for v, m in primitive.variants.items() if v < len(model.variants)}
        for model, primitive in ((a, pair.a), (b, pair.b))
    ]
    for variant in dict.fromkeys([*both[0], *both[1]]):
        one, two = (of.get(variant, -1) for of in both)
        if (materials.get(one, -1) if one >= 0 else -1) != two:
            words = _material(a, one), _material(b, two)
            yield Change("mesh", "changed", name, "", f"material of variant {variant}", *words)


def _moved(
    name: str, pair: PrimitivePair, rows: Index, model: Model, carrier: MeshInstance | None
) -> Iterator[Change]:
    """Yield the greatest displacement of vertices, and that of each morph target."""
    one, two = pair.a, pair.b
    least = GRAIN * float(np.ptp(one.positions, axis=0).max())
    way: F64 = two.positions.astype(np.float64) - one.positions[rows]
    far = _rest_lengths(way, least, rows, one, model, carrier)
    if far.any():
        note = f"{np.count_nonzero(far)} of {len(far)} vertices moved, at most this far"
        most = float(far.max()) * 1000
        yield Change("mesh", "changed", name, "", "positions", 0.0, most, "mm", note)
    if one.morph is None or two.morph is None:
        return
    for k, target in enumerate(one.morph.names):
        if target not in two.morph.names:
            continue
        other = two.morph.positions[two.morph.names.index(target)]
        way = other.astype(np.float64) - one.morph.positions[k, rows]
        far = _rest_lengths(way, least, rows, one, model, carrier)
        if far.any():
            field, most = f"morph target {target}", float(far.max()) * 1000
            note = f"{np.count_nonzero(far)} of {len(far)} vertices, at most"
            yield Change("mesh", "changed", name, "", field, 0.0, most, "mm", note)


def _rest_lengths(
    way: F64,
    least: float,
    rows: Index,
    primitive: Primitive,
    model: Model,
    carrier: MeshInstance | None,
) -> F64:
    """Return the lengths [V] of displacements at rest, model space, metres.

    Parameters
    ----------
    way
        [V, 3], mesh space
    least
        Shorter displacements are 0, mesh space; as are those below UNMOVED in model space.
    rows
        [V] the vertices of `primitive` that are displaced.
    """
    far = np.nan_to_num(length(way), nan=0.0)
    moved = np.flatnonzero(far > least)
    far[:] = 0
    for few in np.split(moved, range(BLOCK_SIZE, len(moved), BLOCK_SIZE)):
        axes = _rest_axes(primitive, rows[few], model, carrier)
        far[few] = length(np.einsum("vab,vb->va", axes, way[few]))
    far[far <= UNMOVED] = 0
    return far


def _rest_axes(
    primitive: Primitive, rows: Index, model: Model, carrier: MeshInstance | None
) -> F64:
    """Return the matrices [V, 3, 3] from mesh space to model space at rest."""
    if carrier is None:
        return np.broadcast_to(np.eye(3), (len(rows), 3, 3))
    block = vertex_block(model, carrier, primitive, rows)
    matrices, _ = to_model_transforms(model.skeleton, model.skeleton.rest)
    palette = block.palette(matrices)[..., :3]
    blended: F64 = (block.weights @ palette.reshape(-1, 9)).reshape(-1, 3, 3)
    return blended


def _turned(name: str, field: str, p: F32 | None, q: F32 | None, rows: Index) -> Iterator[Change]:
    """Yield the greatest angle between directions, and a change of handedness."""
    if p is None or q is None:
        return
    other = differs(p[:, :3], q[:, :3], rows, _TURNED)
    if other.any():
        one, two = (
            v / np.maximum(length(v), 1e-30)[:, None]
            for v in (p[rows, :3].astype(float), q[:, :3].astype(float))
        )
        angle = np.degrees(2 * np.arcsin(np.minimum(length(two - one) / 2, 1)))
        angle = np.where(other, np.nan_to_num(angle, nan=0.0), 0.0)
        if angle.max() > _LEAST_TURN:
            note = f"{np.count_nonzero(angle > _LEAST_TURN)} of {len(angle)} vertices, at most"
            yield Change("mesh", "changed", name, "", field, 0.0, float(angle.max()), "°", note)
        else:
            yield Change("mesh", "changed", name, field=field, note="only their lengths")
    if p.shape[1] > 3:
        count = np.count_nonzero(np.sign(p[rows, 3]) != np.sign(q[:, 3]))
        if count:
            note = f"{count} of {len(rows)} vertices"
            yield Change("mesh", "changed", name, field=f"handedness of {field}", note=note)


def _turned_by_morphs(name: str, one: Primitive, two: Primitive, rows: Index) -> Iterator[Change]:
    """Yield the greatest angle between normals at full weight of each morph target."""
    if one.morph is None or two.morph is None or one.normals is None:
        return
    none = np.zeros((1, 3), np.float32)
    p, q = one.morph.normals, two.morph.normals
    for k, target in enumerate(one.morph.names):
        if (p is None and q is None) or target not in two.morph.names:
            continue
        before = np.broadcast_to(none if p is None else p[k], one.normals.shape)
        after = np.broadcast_to(
            none if q is None else q[two.morph.names.index(target)], (len(rows), 3)
        )
        if differs(before, after, rows, _TURNED).any():
            field, base = f"normals of morph target {target}", one.normals
            yield from _turned(name, field, base + before, base[rows] + after, rows)


def _shifted(
    name: str, field: str, p: F32 | None, q: F32 | None, rows: Index, unit: str
) -> Iterator[Change]:
    """Yield the greatest difference of a component."""
    if p is None or q is None:
        return
    other: Bool = differs(p, q, rows, _SHIFTED)
    if other.any():
        most = float(np.nanmax(np.abs(p[rows].astype(float) - q)))
        note = f"{np.count_nonzero(other)} of {len(rows)} vertices, at most"
        yield Change("mesh", "changed", name, "", field, 0.0, most, unit, note)
