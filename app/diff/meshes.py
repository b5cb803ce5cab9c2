"""Matching of the meshes of two versions, and the differences of their primitives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model.model import Mesh, MeshInstance, Model, Primitive
from .difference import Change, changed
from .joints import JointMatch
from .name_matching import match_objects, renamed
from .primitives import PrimitivePair, primitive_changes
from .vertices import correspond


@dataclass(frozen=True, slots=True, eq=False)
class MeshPair:
    """Matching meshes of two versions, by index."""

    a: int
    b: int
    name: str
    primitives: tuple[PrimitivePair, ...]
    numbers: tuple[tuple[int, int], ...]  # indices of the primitives in the two meshes


@dataclass(frozen=True, slots=True, eq=False)
class InstancePair:
    """Matching mesh instances of two versions."""

    a: MeshInstance
    b: MeshInstance
    mesh: MeshPair


def match_meshes(a: Model, b: Model, match: JointMatch, scale: float) -> list[MeshPair]:
    """Return the matching meshes: by name, by content, or by their node."""
    pairs = match_objects(a.meshes, b.meshes, _same_content)
    left = set(range(len(a.meshes))) - {one for one, _ in pairs}
    right = set(range(len(b.meshes))) - {two for _, two in pairs}
    carriers = {instance.joint: instance.mesh for instance in b.instances}
    for instance in a.instances:
        other = carriers.get(int(match.to[instance.joint]), -1)
        if instance.mesh in left and other in right:
            pairs.append((instance.mesh, other))
            left.discard(instance.mesh)
            right.discard(other)
    return [_pair(a, b, one, two, scale) for one, two in sorted(pairs)]


def match_instances(
    a: Model, b: Model, match: JointMatch, meshes: Sequence[MeshPair]
) -> list[InstancePair]:
    """Return the matching mesh instances."""
    known = {pair.a: pair for pair in meshes}
    places: dict[tuple[int, int], list[MeshInstance]] = {}
    for two in reversed(b.instances):
        places.setdefault((two.joint, two.mesh), []).append(two)
    found = []
    for one in a.instances:
        pair = known.get(one.mesh)
        there = places.get((int(match.to[one.joint]), pair.b)) if pair is not None else None
        if pair is not None and there:
            found.append(InstancePair(one, there.pop(), pair))
    return found


def mesh_changes(
    a: Model,
    b: Model,
    pairs: Sequence[MeshPair],
    instances: Sequence[InstancePair],
    materials: Mapping[int, int],
) -> list[Change]:
    """Return meshes removed, added and renamed, and changes of the others.

    Distances are those of the first matching instance at rest, model space. `materials` are the
    matching materials of B by those of A.
    """
    carriers = {id(pair.mesh): pair.a for pair in reversed(instances)}
    removed = set(range(len(a.meshes))) - {pair.a for pair in pairs}
    added = set(range(len(b.meshes))) - {pair.b for pair in pairs}
    found = [
        Change("mesh", "removed", a.meshes[k].name, note=_size(a.meshes[k]))
        for k in sorted(removed)
    ]
    found += [
        Change("mesh", "added", b.meshes[k].name, note=_size(b.meshes[k])) for k in sorted(added)
    ]
    for pair in pairs:
        one, two = a.meshes[pair.a], b.meshes[pair.b]
        if renamed(one.name, two.name):
            how = "same content" if _same_content(one, two) else "at the same node"
            found.append(Change("mesh", "renamed", one.name, now=two.name, note=how))
        found += _counted(one, two)
        several = max(len(one.primitives), len(two.primitives)) > 1
        for (number, _), both in zip(pair.numbers, pair.primitives, strict=True):
            name = f"{one.name}, primitive {number}" if several else one.name
            found += primitive_changes(name, both, a, b, carriers.get(id(pair)), materials)
    return found


def _size(mesh: Mesh) -> str:
    return f"{sum(len(primitive.positions) for primitive in mesh.primitives)} vertices"


def _same_content(one: Mesh, two: Mesh) -> bool:
    return len(one.primitives) == len(two.primitives) and all(
        p.topology == q.topology and np.array_equal(p.positions, q.positions)
        for p, q in zip(one.primitives, two.primitives, strict=True)
    )


def _pair(a: Model, b: Model, one: int, two: int, scale: float) -> MeshPair:
    mine, theirs = a.meshes[one].primitives, b.meshes[two].primitives
    found: dict[int, tuple[int, PrimitivePair]] = {}
    free = set(range(len(theirs)))
    for wanted in ("same place", "any", "left"):
        for p, primitive in enumerate(mine):
            options = [p] if wanted == "same place" else sorted(free)
            for q in (q for q in options if q in free and p not in found):
                other = _as_large(primitive, theirs[q], scale)
                rows = correspond(primitive, other)
                if rows is not None or wanted == "left":
                    found[p] = q, PrimitivePair(primitive, other, rows)
                    free.discard(q)
                    break
    ordered = sorted(found.items())
    return MeshPair(
        one,
        two,
        a.meshes[one].name,
        tuple(pair for _, (_, pair) in ordered),
        tuple((p, q) for p, (q, _) in ordered),
    )


def _as_large(a: Primitive, b: Primitive, scale: float) -> Primitive:
    """Return B's primitive scaled to A, if the mesh has the scale difference of the model."""
    if scale == 1.0 or not len(a.positions) or not len(b.positions):
        return b
    sizes = [float(np.ptp(primitive.positions, axis=0).max()) for primitive in (a, b)]
    if min(sizes) <= 0 or not abs(np.log(sizes[1] / sizes[0] / scale)) < abs(
        np.log(sizes[1] / sizes[0])
    ):
        return b
    morph = b.morph
    if morph is not None:
        morph = replace(morph, positions=(morph.positions / np.float32(scale)).astype(np.float32))
    positions = (b.positions / np.float32(scale)).astype(np.float32)
    return replace(b, positions=positions, morph=morph)


def _counted(one: Mesh, two: Mesh) -> Iterator[Change]:
    """Yield differences of the counts of a mesh."""
    for field, counts in (
        ("primitives", [len(mesh.primitives) for mesh in (one, two)]),
        ("vertices", [sum(len(p.positions) for p in mesh.primitives) for mesh in (one, two)]),
        ("triangles", [sum(p.triangle_count for p in mesh.primitives) for mesh in (one, two)]),
    ):
        if counts[0] != counts[1]:
            stored = field == "vertices" and _only_split(one, two)
            yield changed("mesh", one.name, field, counts, stored=stored)


def _only_split(one: Mesh, two: Mesh) -> bool:
    """Return whether two meshes have the same vertex positions, split at different seams."""
    if len(one.primitives) != len(two.primitives):
        return False
    both = zip(one.primitives, two.primitives, strict=True)
    return all(correspond(p, q) is not None for p, q in both)
