"""What the inspector shows of joints, parts of meshes, vertices, morph targets and materials.

The numbers are kept from frame to frame.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self, get_args

import numpy as np

from ..animation.clip import Clip
from ..animation.types import F32, F64, Index
from ..animation.vectors import length
from ..curves.curve_set import Chart, style_of
from ..curves.from_tracks import joint_curves, local_metre
from ..curves.spark_line import amplitude, spark_lines
from ..memo import Memo
from ..model.joint_transform import JointTransform
from ..model.material import TEXTURES, Material, TextureRef
from ..model.mesh_parts import carried_mesh, part_count
from ..model.model import CameraView, LightSource, MeshInstance, Model, Primitive
from ..model.morph_weights import morph_weights
from ..model.pointer_values import PointerValues
from ..model.skin_joints import greatest_weights, vertex_influences
from ..model.skinned_vertices import VertexBlock, turned_normals, vertex_block
from ..model.statistics import (
    Facts,
    material_facts,
    material_notes,
    part_facts,
    texture_facts,
)
from ..scene.character import Character
from ..scene.selected import Selected, primitive_of
from ..wording import measure

_LEAST = 1e-6  # metres: targets that move less are left out
ShownPose = Literal["current", "rest", "bind"]
Space = Literal["local", "model", "world"]
_greatest_weights = Memo(greatest_weights)


class MorphEffect(NamedTuple):
    """A morph target that moves the selection."""

    value: int  # index in Pose.values
    target: str
    reach: float  # metres that it moves the selection at most, at weight 1


def morph_effects(character: Character, chosen: Selected | None) -> list[MorphEffect]:
    """Return the morph targets that move a vertex, a part, or the vertices of a joint.

    They are in file order, measured in the rest pose. Without a selection all vertices count.
    """
    return _morph_effects(character, character.model, chosen)


@Memo
@np.errstate(all="ignore")  # extreme values of a file may overflow
def _morph_effects(
    character: Character, model: Model, chosen: Selected | None
) -> list[MorphEffect]:
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
        for part in model.drawn_mesh(instance).primitives:
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


def vertex_facts(character: Character, chosen: Selected) -> VertexFacts | None:
    """Return what is known of a selected vertex, None if the model lacks it."""
    return _vertex_facts(character, character.model, chosen)


@Memo
def _vertex_facts(character: Character, model: Model, chosen: Selected) -> VertexFacts | None:
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


@dataclass(frozen=True, slots=True, eq=False)
class JointFacts:
    """What does not move of a joint.

    Attributes
    ----------
    parent
        -1: none.
    skins
        Names of the skins that have it.
    greatest_weight
        For a vertex; 0 if it moves none.
    metre
        Metres of one unit of its local translation; NaN if axes differ in scale.
    parts
        Number of parts of the mesh on its node.
    """

    parent: int
    children: tuple[int, ...]
    skins: tuple[str, ...]
    greatest_weight: float
    metre: float
    parts: int
    cameras: tuple[CameraView, ...]
    lights: tuple[LightSource, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Spark:
    """A chart of a track in a small box.

    Attributes
    ----------
    reach
        Half the greatest difference between two values of a line, in words.
    words
        Heading and summary of the chart.
    lines
        Style index and points [n, 2] of each line; see `spark_lines`.
    """

    name: str
    reach: str
    words: str
    lines: list[tuple[int, F64]]

    @classmethod
    def of(cls, chart: Chart, begin: float, end: float) -> Self:
        """Return the box of a chart, from `begin` to `end` seconds."""
        still = chart.still
        reach = "constant" if still else f"± {measure(amplitude(chart) / 2, chart.unit)}"
        drawn = spark_lines(chart, begin, end)
        styles = [style_of(line.label, k) for k, line in enumerate(chart.lines)]
        lines = list(zip(styles, drawn, strict=True))
        return cls(chart.name, reach, f"{chart.heading}: {chart.summary}", lines)


@dataclass(frozen=True, slots=True, eq=False)
class PartFacts:
    """What is known of a part of a mesh: its statistics, and those of its material."""

    part: Facts
    number: int  # of the material, -1: glTF's default material
    material: Material | None
    textures: dict[str, Facts]  # by the label of the material


@dataclass(slots=True)
class Inspector:
    """State of the inspector.

    Attributes
    ----------
    pose, space, as_matrix
        Which transform of a joint is shown, and how.
    """

    pose: ShownPose = "current"
    space: Space = "local"
    as_matrix: bool = False
    clip: Clip | None = None  # whose tracks are shown
    _transforms: dict[
        ShownPose, Memo[[Character, int, ShownPose, Space, bytes], JointTransform]
    ] = field(default_factory=lambda: {pose: Memo(_transform) for pose in get_args(ShownPose)})

    def transform(self, character: Character, joint: int, pose: ShownPose) -> JointTransform:
        """Return the transform of a joint in a pose, in the chosen space."""
        data = _data(character, joint, pose, self.space)
        return self._transforms[pose](character, joint, pose, self.space, data)


def shown_part(character: Character, chosen: Selected) -> PartFacts | None:
    """Return what is known of a part of a mesh, None if the model lacks it."""
    return _part_facts(character.model, chosen.joint, chosen.primitive, character.variant)


def shown_material(character: Character, facts: PartFacts) -> "CurrentMaterial":
    """Return the material of a part, with animated values of the present time."""
    data = animated_data(character, facts.number)
    return _current_material(character, character.pointer_values, facts.number, data)


@Memo
def spark_boxes(model: Model, clip: Clip, joint: int, begin: float) -> list[Spark]:
    """Return a box for each track of a joint in a clip, from `begin` seconds."""
    curves = joint_curves(model, clip, joint, begin=begin)
    return [Spark.of(chart, curves.begin, curves.end) for chart in curves.charts]


def _transform(  # `_data` are the numbers on which it depends
    character: Character, joint: int, pose: ShownPose, space: Space, _data: bytes
) -> JointTransform:
    return joint_transform(character, joint, pose, space)


@np.errstate(all="ignore")  # extreme values of a file may overflow
def joint_transform(
    character: Character, joint: int, pose: ShownPose, space: Space
) -> JointTransform:
    """Return the transform of a joint in a pose, to its parent, to model or to world space.

    The world transform of the rest and the bind pose has the present placement and root motion.
    """
    if space == "local":
        shown = character.pose if pose == "current" else character.still_pose(pose)
        return JointTransform.of_pose(shown, joint)
    if pose == "current":
        placed = character.matrices[joint]
    else:
        placed = character.still_matrices(pose)[joint]
    if space == "world":
        return JointTransform.of_matrix(character.world @ placed.astype(np.float64))
    return JointTransform.of_matrix(placed)


def _data(character: Character, joint: int, pose: ShownPose, space: Space) -> bytes:
    """Return the numbers on which a transform depends."""
    if pose != "current":
        return character.world.tobytes() if space == "world" else b""
    if space == "local":
        shown = character.pose
        parts = shown.translation[joint], shown.rotation[joint], shown.scale[joint]
        return b"".join(part.tobytes() for part in parts)
    placed = character.matrices[joint].tobytes()
    return placed + character.world.tobytes() if space == "world" else placed


@Memo
def joint_facts(model: Model, joint: int) -> JointFacts:
    """Return what does not move of a joint."""
    skeleton = model.skeleton
    return JointFacts(
        parent=int(skeleton.parents[joint]),
        children=tuple(np.flatnonzero(skeleton.parents == joint).tolist()),
        skins=tuple(skin.name for skin in model.skins if bool((skin.joints == joint).any())),
        greatest_weight=float(_greatest_weights(model)[joint]),
        metre=local_metre(model, joint),
        parts=part_count(model, joint),
        cameras=tuple(camera for camera in model.cameras if camera.joint == joint),
        lights=tuple(light for light in model.lights if light.joint == joint),
    )


@Memo
def _part_facts(model: Model, joint: int, primitive: int, variant: int) -> PartFacts | None:
    found = primitive_of(model, Selected(joint, primitive))
    if found is None:
        return None
    facts = part_facts(model, joint, primitive)
    number = found.variants.get(variant, found.material)
    if number < 0:
        return PartFacts(facts, -1, None, {})
    material = model.materials[number]
    textures = {
        TEXTURES[name].label: texture_facts(model, ref.image)
        for name, ref in material.textures.items()
    }
    return PartFacts(facts, number, material, textures)


@dataclass(frozen=True, slots=True)
class CurrentMaterial:
    """What is shown of a material.

    Attributes
    ----------
    data
        The animated values that it has, as bytes.
    notes
        Its switches and extensions.
    material
        With its values.
    placements
        UV transforms that are not the identity, by the label of their texture.
    """

    data: bytes
    notes: str
    material: Material
    placements: dict[str, str]


def animated_data(character: Character, number: int) -> bytes:
    """Return the present values of the animated properties of a material, b"" without any."""
    values = character.pose.values
    channels = character.pointer_values.materials.get(number, ())
    return b"".join(values[channel.slice].tobytes() for _, channel in channels)


@Memo
def _current_material(
    character: Character, moving: PointerValues, number: int, data: bytes
) -> CurrentMaterial:
    """Return a material at the present values; `data` are those of `animated_data`."""
    material = moving.material(number, character.pose.values)
    notes = ", ".join(material_notes(material_facts(number, material))) or "none"
    return CurrentMaterial(data, notes, material, _placements(material))


def _placements(material: Material) -> dict[str, str]:
    placed = {TEXTURES[name].label: _words(ref) for name, ref in material.textures.items()}
    return {label: words for label, words in placed.items() if words}


def _words(ref: TextureRef) -> str:
    """Return the UV transform of a texture in words, "" for the identity."""
    parts = [f"offset {ref.offset[0]:.4g}, {ref.offset[1]:.4g}"] * any(ref.offset)
    parts += [f"rotation {math.degrees(ref.rotation):.4g}°"] * bool(ref.rotation)
    parts += [f"scale {ref.scale[0]:.4g}, {ref.scale[1]:.4g}"] * (ref.scale != (1.0, 1.0))
    return ", ".join(parts)
