"""What the inspector shows of a vertex: stored, at rest and in the current pose."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...animation.types import F64
from ...memo import Memo
from ...model.mesh_parts import carried_mesh
from ...model.skin_joints import vertex_influences
from ...model.skinned_vertices import VertexBlock, turned_normals, vertex_block
from ...scene.character import Character
from ...scene.selected import Selected, primitive_of


@dataclass(frozen=True, slots=True, eq=False)
class VertexFacts:
    """What is known of a vertex.

    Attributes
    ----------
    stored, normal
        [3] position and normal in the file, mesh space; no normal: None.
    rest
        [3] position in the rest pose, model space.
    influences
        Joints and weights, the heaviest first.
    stored_sum
        Sum of the weights in the file; the weights are normalized.
    skinned
        Whether joints of a skin move it; if not, that of its node does.
    block
        The vertex with the joints that move it.
    bends
        [M, 3] displacements of the normal by morph targets, None without them.
    morphs
        Slice of `Pose.values` with the weights of these targets.
    """

    stored: F64
    normal: F64 | None
    rest: F64
    influences: list[tuple[int, float]]
    stored_sum: float
    skinned: bool
    block: VertexBlock
    bends: F64 | None
    morphs: slice


class PosedVertex(NamedTuple):
    """A vertex in the current pose; [3] each, unit normals, None if the file has no normals."""

    model: F64  # position in model space
    world: F64
    normal: F64 | None  # in model space
    world_normal: F64 | None


@Memo
def vertex_facts(character: Character, chosen: Selected) -> VertexFacts | None:
    """Return what is known of a selected vertex, None if the model lacks it."""
    model = character.model
    found, instance = primitive_of(model, chosen), carried_mesh(model, chosen.joint)
    if found is None or instance is None:
        return None
    block = vertex_block(model, instance, found, np.array([chosen.vertex]))
    palette = block.palette(character.still_matrices("rest").astype(np.float64))
    bends, morphs = None, slice(0)
    if found.morph is not None and found.morph.normals is not None and instance.channel >= 0:
        bends = found.morph.normals[:, chosen.vertex].astype(np.float64)
        morphs = model.channels[instance.channel].slice
    sums = found.weight_sums
    return VertexFacts(
        stored=found.positions[chosen.vertex].astype(np.float64),
        normal=None if found.normals is None else found.normals[chosen.vertex].astype(np.float64),
        rest=block.skinned(palette, block.morphed(model.skeleton.rest.values))[0],
        influences=vertex_influences(model, instance, found, chosen.vertex),
        stored_sum=1.0 if sums is None else float(sums[chosen.vertex]),
        skinned=instance.skin >= 0 and found.joints is not None,
        block=block,
        bends=bends,
        morphs=morphs,
    )


@np.errstate(all="ignore")  # extreme values of a file may overflow
def posed_vertex(character: Character, facts: VertexFacts) -> PosedVertex:
    """Return a vertex in the current pose, in model and world space."""
    block, values, world = facts.block, character.pose.values, character.world
    palette = block.palette(character.matrices.astype(np.float64))
    place = block.skinned(palette, block.morphed(values))[0]
    moved = world[:3, :3] @ place + world[:3, 3]
    if facts.normal is None:
        return PosedVertex(place, moved, None, None)
    normal = facts.normal
    if facts.bends is not None:
        normal = normal + values[facts.morphs].astype(np.float64) @ facts.bends
    normal = block.skinned_normals(palette, normal[None])[0]
    return PosedVertex(place, moved, normal, turned_normals(world[:3, :3], normal))
