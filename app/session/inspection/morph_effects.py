"""How far morph targets move what is selected."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...animation.types import F32, F64, Index
from ...animation.vectors import length
from ...memo import Memo
from ...model.mesh_parts import carried_mesh
from ...model.model import MeshInstance, Model, Primitive
from ...model.morph_weights import morph_weights
from ...model.skinned_vertices import vertex_block
from ...scene.character import Character
from ...scene.selected import Selected, primitive_of
from ...wording import measure

_LEAST = 1e-6  # metres: targets that move less are left out


class MorphEffect(NamedTuple):
    """A morph target that moves the selection."""

    value: int  # index in Pose.values
    target: str
    reach: float  # metres that it moves the selection at most, at weight 1


@Memo
@np.errstate(all="ignore")  # extreme values of a file may overflow
def morph_effects(character: Character, chosen: Selected | None) -> list[MorphEffect]:
    """Return the morph targets that move a vertex, a part, or the vertices of a joint.

    They are in file order, measured in the rest pose. Without a selection all vertices count.
    """
    model = character.model
    reaches = np.zeros(model.skeleton.rest.values.shape[-1])
    matrices = character.still_matrices("rest").astype(np.float64)
    for instance, part, rows in _selected_rows(model, chosen):
        if part.morph is None or instance.channel < 0 or not len(rows):
            continue
        block = vertex_block(model, instance, part, rows[:1])
        blended = np.tensordot(block.weights[0].astype(np.float64), block.palette(matrices), 1)
        metre = float(np.cbrt(abs(np.linalg.det(blended[:, :3]))))
        moved = length(part.morph.positions[:, rows].astype(np.float64)).max(axis=1) * metre
        own = reaches[model.channels[instance.channel].slice]
        np.fmax(own, moved[: len(own)], out=own)
    return [
        MorphEffect(weight.value, weight.target, float(reaches[weight.value]))
        for weight in morph_weights(model)
        if reaches[weight.value] > _LEAST
    ]


def by_effect(effects: Sequence[MorphEffect], values: F32 | F64) -> list[MorphEffect]:
    """Return morph targets by how far they move at weights [P], then by how far at weight 1."""
    return sorted(effects, key=lambda each: (-each.reach * abs(values[each.value]), -each.reach))


def moved_text(reach: float, weight: float) -> str:
    """Return how far a target moves the selection at a weight: ``1.75 mm at 0.54``."""
    return f"{measure(round(reach * weight * 1000, 3), 'mm')} at {weight:.2f}"


def _selected_rows(
    model: Model, chosen: Selected | None
) -> Iterator[tuple[MeshInstance, Primitive, Index]]:
    """Yield the primitives that a selection has vertices of, and their rows."""
    if chosen is not None and chosen.primitive >= 0:
        part, carried = primitive_of(model, chosen), carried_mesh(model, chosen.joint)
        if part is not None and carried is not None:
            one = chosen.vertex >= 0
            yield carried, part, np.array([chosen.vertex]) if one else _all_rows(part)
        return
    for instance in model.instances:
        for part in model.meshes[instance.mesh].primitives:
            if chosen is None:
                yield instance, part, _all_rows(part)
            else:
                yield instance, part, _rows_of_joint(model, instance, part, chosen.joint)


def _all_rows(part: Primitive) -> Index:
    return np.arange(len(part.positions))


def _rows_of_joint(model: Model, instance: MeshInstance, part: Primitive, joint: int) -> Index:
    """Return the vertices that a joint moves; all of a mesh without a skin on its node."""
    if instance.skin < 0 or part.joints is None or part.weights is None:
        return _all_rows(part) if instance.joint == joint else np.zeros(0, np.intp)
    own = model.skins[instance.skin].joints[part.joints] == joint
    return np.flatnonzero((own & (part.weights > 0)).any(axis=1))
