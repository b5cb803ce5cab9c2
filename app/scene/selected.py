"""A surface at a pixel, and what is selected: a joint, a part of a mesh, or a vertex."""

from typing import NamedTuple

import numpy as np

from ..animation.types import F32, F64, Index
from ..errors import UsageError
from ..model.lookup import find_joint
from ..model.mesh_parts import carried_mesh, find_part
from ..model.model import Model, Primitive
from ..model.skin_joints import joint_reference
from ..model.skinned_vertices import vertex_block
from ..wording import counted
from .character import Character

PART, VERTEX = "mesh:", "vertex:"  # prefixes of references
FORM = "JOINT, mesh:NODE/PART or vertex:NODE/PART/NUMBER"


class MeshPart(NamedTuple):
    """A primitive of a mesh at a node of a character."""

    instance: int  # index among the visible ones; 0 of a crowd
    member: int  # character of a crowd; 0 without one
    node: int  # joint that carries the mesh
    primitive: int  # index in `Mesh.primitives`


class Hit(NamedTuple):
    """A surface at a pixel; `triangle` is the index of a point or line of those topologies."""

    part: MeshPart
    triangle: int
    depth: float  # -1 near, 1 far
    pixel: tuple[int, int]  # from the top left


class Selected(NamedTuple):
    """A selected joint, part of a mesh, or vertex of the active character."""

    joint: int  # of a part: the joint (node) that carries the mesh
    primitive: int = -1  # index in the mesh; -1: the joint itself
    vertex: int = -1  # index in the primitive; -1: the whole part
    member: int = 0  # character of a crowd


def find_selected(model: Model, text: str) -> Selected:
    """Return what a reference names; see `FORM`. PART and NUMBER are indices, from 0.

    Raises
    ------
    UsageError
        The model has no such joint, mesh, part or vertex.
    """
    if not text.startswith((PART, VERTEX)):
        return Selected(find_joint(model, text).index)
    name, *numbers = (
        _split(text.removeprefix(PART), 1)
        if text.startswith(PART)
        else _split(text.removeprefix(VERTEX), 2)
    )
    found = Selected(*find_part(model, name, numbers[0]), *numbers[1:])
    part = primitive_of(model, found)
    count = 0 if part is None else len(part.positions)
    if len(numbers) > 1 and not 0 <= found.vertex < count:
        vertices = counted(count, "vertex", "vertices")
        raise UsageError(f"no vertex {found.vertex}: the part has {vertices}")
    return found


def _split(text: str, most: int) -> tuple[str, *tuple[int, ...]]:
    """Return a name and the numbers after it; a part without number is the first."""
    name, *numbers = text.rsplit("/", most)
    if most == 1 and not numbers:
        return name, 0
    try:
        if len(numbers) < most:
            raise ValueError
        return name, *(int(number) for number in numbers)
    except ValueError:
        raise UsageError(f"{text!r} is not {FORM}") from None


def reference(model: Model, chosen: Selected) -> str:
    """Return the text by which `find_selected` finds a selection."""
    name = joint_reference(model, chosen.joint)
    if chosen.primitive < 0:
        return name
    if chosen.vertex < 0:
        return f"{PART}{name}/{chosen.primitive}"
    return f"{VERTEX}{name}/{chosen.primitive}/{chosen.vertex}"


def primitive_of(model: Model, chosen: Selected) -> Primitive | None:
    """Return the primitive of a selected part or vertex, None if the model lacks it."""
    instance = carried_mesh(model, chosen.joint)
    parts = () if instance is None else model.drawn_mesh(instance).primitives
    return parts[chosen.primitive] if 0 <= chosen.primitive < len(parts) else None


def name_of(model: Model, chosen: Selected) -> str:
    """Return a name for people: of the joint; of node and material; number of the vertex."""
    if chosen.primitive < 0:
        return model.skeleton.names[chosen.joint]
    name = _part_name(model, chosen)
    return name if chosen.vertex < 0 else f"vertex {chosen.vertex} of {name}"


def _part_name(model: Model, chosen: Selected) -> str:
    """Return the name of a part: of its node, with the material if the mesh has several parts."""
    node, instance = model.skeleton.names[chosen.joint], carried_mesh(model, chosen.joint)
    parts = () if instance is None else model.meshes[instance.mesh].primitives
    if not 0 <= chosen.primitive < len(parts) or len(parts) == 1:
        return node
    number = parts[chosen.primitive].material
    material = model.materials[number].name if number >= 0 else ""
    return f"{node}, {material or f'part {chosen.primitive}'}"


def vertex_positions(character: Character, chosen: Selected, rows: Index) -> F64:
    """Return the positions [N, 3] of vertices of a part in the current pose, world space.

    Parameters
    ----------
    rows
        [N] indices of the vertices in the primitive.
    """
    pose = character.pose.values
    placed = placed_vertices(character.model, chosen, rows, character.matrices, pose)
    return placed @ character.world[:3, :3].T + character.world[:3, 3]


def placed_vertices(model: Model, chosen: Selected, rows: Index, matrices: F32, values: F32) -> F64:
    """Return the positions [N, 3] of vertices of a part in any pose, model space.

    Parameters
    ----------
    rows
        [N] indices of the vertices in the primitive.
    matrices, values
        [J, 4, 4] model-space matrices, and [P] other values of the pose.
    """
    found, instance = primitive_of(model, chosen), carried_mesh(model, chosen.joint)
    if found is None or instance is None:
        return np.zeros((0, 3))
    block = vertex_block(model, instance, found, rows)
    return block.skinned(block.palette(matrices.astype(np.float64)), block.morphed(values))
