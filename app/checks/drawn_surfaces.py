"""Surfaces that are drawn: meshes with their parts, and their shape in the rest pose."""

from dataclasses import dataclass

import numpy as np

from ..animation.types import F64, Index
from ..animation.vectors import length
from ..model.material import Material
from ..model.model import Mesh, MeshInstance, Primitive
from ..model.skinned_vertices import vertex_block
from .check_context import CheckContext
from .connected_parts import Parts, Triangles, parts_of, triangles_of

_NONE = 1e-300  # instead of a divisor of 0


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The triangles [T] of a drawn mesh, and their parts."""

    index: int  # of the mesh
    mesh: Mesh
    instance: MeshInstance  # the first one
    triangles: Triangles
    parts: Parts

    def first_vertex(self, primitive: int) -> int:
        """Return the number of the first vertex of a primitive, by position in the mesh."""
        return sum(len(each.positions) for each in self.mesh.primitives[:primitive])


@dataclass(frozen=True, slots=True, eq=False)
class PosedSurface:
    """A surface in the rest pose, model space, metres."""

    corners: F64  # [T, 3, 3]
    fronts: F64  # [T, 3] unit normals of the fronts


def drawn_surfaces(context: CheckContext, _: int = -1) -> list[Surface]:
    """Return all drawn meshes with triangles, each once; call it by `context.cached`."""
    model, found = context.model, dict[int, Surface]()
    for instance in model.instances:
        if instance.in_scene and instance.mesh not in found:
            mesh = model.meshes[instance.mesh]
            triangles = triangles_of(mesh)
            if triangles is not None and len(triangles.sizes):
                parts = parts_of(triangles)
                found[instance.mesh] = Surface(instance.mesh, mesh, instance, triangles, parts)
    return list(found.values())


def posed_surfaces(context: CheckContext, _: int = -1) -> list[PosedSurface]:
    """Return the drawn surfaces in the rest pose; call it by `context.cached`."""
    matrices = context.rest[0]
    return [_posed(context, surface, matrices) for surface in context.cached(drawn_surfaces)]


def _posed(context: CheckContext, surface: Surface, matrices: F64) -> PosedSurface:
    model, instance = context.model, surface.instance
    points = []
    for primitive in surface.mesh.primitives:
        block = vertex_block(model, instance, primitive, np.arange(len(primitive.positions)))
        shape = block.morphed(model.skeleton.rest.values)
        points.append(block.skinned(block.palette(matrices), shape))
    corners = np.concatenate(points)[surface.triangles.vertices]
    fronts = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    fronts /= np.maximum(length(fronts), _NONE)[:, None]
    whole = matrices[instance.joint]
    if instance.skin >= 0 and len(model.skins[instance.skin].joints):
        skin = model.skins[instance.skin]
        whole = matrices[skin.joints[0]] @ skin.inverse_bind[0]
    mirrored = np.linalg.det(whole[:3, :3]) < 0  # glTF 2.0, section 3.7.4
    return PosedSurface(corners, -fronts if mirrored else fronts)


def material_of(context: CheckContext, primitive: Primitive) -> Material:
    """Return the material of a primitive, glTF's default one if it has none."""
    return context.model.materials[primitive.material] if primitive.material >= 0 else Material()


def strongest_entries(surface: Surface) -> Index:
    """Return the entry [V] of the skin with the greatest weight of each vertex, -1: none."""
    found = []
    for primitive in surface.mesh.primitives:
        entries = np.full(len(primitive.positions), -1)
        if primitive.joints is not None and primitive.weights is not None:
            slots = primitive.weights.argmax(axis=1)
            entries = primitive.joints[np.arange(len(slots)), slots].astype(np.intp)
        found.append(entries)
    return np.concatenate(found)


def followed_joints(context: CheckContext, surface: Surface) -> Index:
    """Return the joint [T] that each triangle follows: the strongest one of its first vertex."""
    instance = surface.instance
    if instance.skin < 0:
        return np.full(len(surface.triangles.sizes), instance.joint)
    entries = strongest_entries(surface)[surface.triangles.vertices[:, 0]]
    joints = context.model.skins[instance.skin].joints.astype(np.intp)
    return np.where(entries < 0, instance.joint, joints[entries])
