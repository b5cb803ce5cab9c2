"""Differences of matching meshes and of their primitives, with amounts at rest."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..animation.model_space import to_model_transforms
from ..animation.types import F32, F64, Bool, Index
from ..animation.vectors import length
from ..model.model import Mesh, MeshInstance, Model, Primitive
from ..model.skinned_vertices import BLOCK_SIZE, vertex_block
from .difference import Change
from .model_pair import ModelPair
from .objects import ComparedField, Matching, field_changes
from .vertices import PrimitivePair, correspond

UNMOVED = 1e-6  # metres, tolerance of positions
GRAIN = 1e-6  # of the mesh's size, tolerance of positions
_TURNED = 1e-2  # tolerance of normals and tangents
_SHIFTED = 1e-4  # tolerance of texture coordinates and colours
_LEAST_TURN = 0.5  # degrees; below, normals differ in length


def _vertex_count(mesh: Mesh) -> int:
    return sum(len(primitive.positions) for primitive in mesh.primitives)


def _attributes(primitive: Primitive) -> str:
    given = {
        "NORMAL": primitive.normals,
        "TANGENT": primitive.tangents,
        "COLOR_0": primitive.colors,
        "JOINTS": primitive.joints,
    }
    found = ["POSITION", *(name for name, values in given.items() if values is not None)]
    return " ".join(found + [f"TEXCOORD_{k}" for k in range(len(primitive.texcoords))])


_MESH: tuple[ComparedField[Mesh], ...] = (
    ComparedField("primitives", lambda mesh: len(mesh.primitives)),
    ComparedField("vertices", _vertex_count),
    ComparedField("triangles", lambda mesh: sum(part.triangle_count for part in mesh.primitives)),
)
_PRIMITIVE: tuple[ComparedField[Primitive], ...] = (
    ComparedField("topology", lambda primitive: primitive.topology),
    ComparedField("attributes", _attributes),
)
_MORPH_TARGETS: ComparedField[Primitive] = ComparedField(
    "morph targets",
    lambda primitive: () if primitive.morph is None else tuple(primitive.morph.names),
    shown=lambda names: ", ".join(names) or "none",
)


def mesh_changes(pair: ModelPair, materials: Matching) -> Iterator[Change]:
    """Yield meshes removed, added and renamed, and changes of the others.

    Distances are those of the first matching instance at rest, model space.
    """
    a, b = pair.a, pair.b
    instances = [a.instances[k] for k, _ in pair.instances]
    carriers = {instance.mesh: instance for instance in reversed(instances)}

    yield from pair.meshes.unmatched(
        "mesh",
        lambda k: f"{_vertex_count(a.meshes[k])} vertices",
        lambda n: f"{_vertex_count(b.meshes[n])} vertices",
    )
    for k, n in pair.meshes:
        one, two = a.meshes[k], b.meshes[n]
        yield from pair.meshes.renamed("mesh", k)
        for change in field_changes("mesh", one.name, _MESH, one, two):
            yield replace(change, stored=change.field == "vertices" and _only_split(one, two))
        several = max(len(one.primitives), len(two.primitives)) > 1
        for part in pair.parts[k]:
            name = f"{one.name}, primitive {part.numbers[0]}" if several else one.name
            yield from _primitive_changes(name, part, pair, carriers.get(k), materials)


def _only_split(one: Mesh, two: Mesh) -> bool:
    """Return whether two meshes have the same vertex positions, split at different seams."""
    if len(one.primitives) != len(two.primitives):
        return False
    both = zip(one.primitives, two.primitives, strict=True)
    return all(correspond(p, q) is not None for p, q in both)


def _primitive_changes(
    name: str,
    part: PrimitivePair,
    pair: ModelPair,
    carrier: MeshInstance | None,
    materials: Matching,
) -> Iterator[Change]:
    """Yield the differences of a primitive; `carrier` is its instance in A, None: not drawn."""
    one, two, rows = part.a, part.b, part.rows
    yield from field_changes("mesh", name, _PRIMITIVE, one, two)
    yield from materials.reference("mesh", name, "material", one.material, two.material)
    variants = _variants(pair.a, one), _variants(pair.b, two)
    for variant in dict.fromkeys([*variants[0], *variants[1]]):
        numbers = (of.get(variant, -1) for of in variants)
        yield from materials.reference("mesh", name, f"material of variant {variant}", *numbers)
    yield from field_changes("mesh", name, (_MORPH_TARGETS,), one, two)
    if rows is None:
        yield Change("mesh", "changed", name, field="vertices", note="they do not correspond")
        return
    yield from _moved(name, part, rows, pair.a, carrier)
    if one.triangle_count == two.triangle_count:
        note = _triangle_differences(one, two, rows)
        if note:
            yield Change("mesh", "changed", name, field="triangles", note=note)
    yield from _turned_by_morphs(name, one, two, rows)
    yield from _turned(name, "normals", one.normals, two.normals, rows)
    yield from _turned(name, "tangents", one.tangents, two.tangents, rows)
    yield from _shifted(name, "colours", one.colors, two.colors, rows, "of 1")
    for k, (p, q) in enumerate(zip(one.texcoords, two.texcoords, strict=False)):
        yield from _shifted(name, f"texture coordinates {k}", p, q, rows, "of the texture")


def _variants(model: Model, primitive: Primitive) -> dict[str, int]:
    """Return the materials of a primitive by the names of the variants."""
    materials, names = primitive.variants, model.variants
    return {names[v]: material for v, material in materials.items() if v < len(names)}


def _moved(
    name: str, part: PrimitivePair, rows: Index, model: Model, carrier: MeshInstance | None
) -> Iterator[Change]:
    """Yield the greatest displacement of vertices, and that of each morph target."""
    one, two = part.a, part.b
    least = GRAIN * float(np.ptp(one.positions, axis=0).max())
    way: F64 = two.positions.astype(np.float64) - one.positions[rows]
    far = _rest_lengths(way, least, rows, one, model, carrier)
    yield from _greatest(name, "positions", far * 1000, "mm", "vertices moved, at most this far")
    if one.morph is None or two.morph is None:
        return
    for k, target in enumerate(one.morph.names):
        if target not in two.morph.names:
            continue
        other = two.morph.positions[two.morph.names.index(target)]
        way = other.astype(np.float64) - one.morph.positions[k, rows]
        far = _rest_lengths(way, least, rows, one, model, carrier)
        yield from _greatest(name, f"morph target {target}", far * 1000, "mm")


def _greatest(
    name: str, field: str, amounts: F64, unit: str, words: str = "vertices, at most"
) -> Iterator[Change]:
    """Yield the greatest of the amounts [V] by which vertices differ, unless all are 0."""
    if amounts.any():
        note = f"{np.count_nonzero(amounts)} of {len(amounts)} {words}"
        yield Change("mesh", "changed", name, "", field, 0.0, float(amounts.max()), unit, note)


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
    return (block.weights @ palette.reshape(-1, 9)).reshape(-1, 3, 3)


def _turned(name: str, field: str, p: F32 | None, q: F32 | None, rows: Index) -> Iterator[Change]:
    """Yield the greatest angle between directions, and a change of handedness."""
    if p is None or q is None:
        return
    other = _differs(p[:, :3], q[:, :3], rows, _TURNED)
    if other.any():
        one, two = (
            v / np.maximum(length(v), 1e-30)[:, None]
            for v in (p[rows, :3].astype(float), q[:, :3].astype(float))
        )
        angle = np.degrees(2 * np.arcsin(np.minimum(length(two - one) / 2, 1)))
        angle = np.where(other, np.nan_to_num(angle, nan=0.0), 0.0)
        yield from _greatest(name, field, np.where(angle > _LEAST_TURN, angle, 0), "°")
        if not angle.max() > _LEAST_TURN:
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
        if _differs(before, after, rows, _TURNED).any():
            field, base = f"normals of morph target {target}", one.normals
            yield from _turned(name, field, base + before, base[rows] + after, rows)


def _shifted(
    name: str, field: str, p: F32 | None, q: F32 | None, rows: Index, unit: str
) -> Iterator[Change]:
    """Yield the greatest difference of a component."""
    if p is None or q is None:
        return
    apart = np.fmax.reduce(np.abs(p[rows].astype(float) - q), axis=1)
    yield from _greatest(name, field, np.where(apart > _SHIFTED, apart, 0), unit)


def _differs(a: F32, b: F32, rows: Index, atol: float) -> Bool:
    """Return which vertices [V] have an attribute [V, C] that differs by more than `atol`."""
    return np.asarray((np.abs(a[rows].astype(float) - b) > atol).any(axis=1))


def _triangle_differences(a: Primitive, b: Primitive, rows: Index) -> str:
    """Return how many triangles have other corners; "" if they are the same in any order."""
    one, two = _triples(a), rows[_triples(b)]
    if one.shape != two.shape:
        return "another number"
    if np.array_equal(_sorted(one), _sorted(two)):
        return ""
    _, numbers = np.unique(a.positions, axis=0, return_inverse=True)  # equal positions are equal
    one, two = (_sorted(numbers.reshape(-1)[corners]) for corners in (one, two))
    if np.array_equal(one, two):
        return ""
    every = np.concatenate([one, two, _sorted(two[:, ::-1])])
    kept, made, turned = np.split(np.unique(every, axis=0, return_inverse=True)[1].reshape(-1), 3)
    other = ~np.isin(made, kept)
    count = max(int(other.sum()), 1)  # at least one is there more often
    kind = "face the other way" if (np.isin(turned, kept) & other).sum() == count else "differ"
    return f"{count} of {len(one)} {kind}"


def _triples(primitive: Primitive) -> Index:
    corners = primitive.indices
    if corners is None:
        corners = np.arange(len(primitive.positions), dtype=np.uint32)
    width = {"points": 1, "lines": 2, "triangles": 3}[primitive.topology]
    return corners[: len(corners) // width * width].reshape(-1, width).astype(np.intp)


def _sorted(corners: Index) -> Index:
    """Return sorted triangles, each starting with its least index."""
    if not len(corners):
        return corners
    turn = np.argmin(corners, axis=1)[:, None]
    width = corners.shape[1]
    rolled = np.take_along_axis(corners, (turn + np.arange(width)) % width, axis=1)
    return rolled[np.lexsort(rolled.T[::-1])]
