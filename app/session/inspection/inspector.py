"""The inspector's state, and the numbers that it shows, which are kept from frame to frame."""

import math
from dataclasses import dataclass, field
from typing import Literal, Self, get_args

import numpy as np

from ...animation.clip import Clip
from ...animation.types import F64
from ...curves.curve_set import Chart, style_of
from ...curves.from_tracks import joint_curves
from ...curves.model_space_curves import local_metre
from ...curves.spark_line import amplitude, spark_lines
from ...memo import Memo
from ...model.joint_transform import JointTransform
from ...model.material import TEXTURES, Material, TextureRef
from ...model.mesh_parts import part_count
from ...model.model import CameraView, LightSource, Model
from ...model.skin_joints import greatest_weights
from ...model.statistics import (
    Facts,
    factor_words,
    material_facts,
    material_notes,
    part_facts,
    texture_facts,
)
from ...scene.character import Character
from ...scene.selected import Selected, primitive_of
from ...wording import measure

ShownPose = Literal["current", "rest", "bind"]
Space = Literal["local", "model", "world"]


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
    return _current_material(character, facts.number, animated_data(character, facts.number))


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


_greatest_weights = Memo(greatest_weights)


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
    factors
        Its factors by their labels.
    placements
        UV transforms that are not the identity, by the label of their texture.
    """

    data: bytes
    notes: str
    factors: dict[str, str]
    placements: dict[str, str]


def animated_data(character: Character, number: int) -> bytes:
    """Return the present values of the animated properties of a material, b"" without any."""
    values = character.pose.values
    channels = character.pointer_values.materials.get(number, ())
    return b"".join(values[channel.slice].tobytes() for _, channel in channels)


@Memo
def _current_material(character: Character, number: int, data: bytes) -> CurrentMaterial:
    """Return a material at the present values; `data` are those of `animated_data`."""
    material = character.pointer_values.material(number, character.pose.values)
    notes = ", ".join(material_notes(material_facts(number, material))) or "none"
    return CurrentMaterial(data, notes, factor_words(material), _placements(material))


def _placements(material: Material) -> dict[str, str]:
    placed = {TEXTURES[name].label: _words(ref) for name, ref in material.textures.items()}
    return {label: words for label, words in placed.items() if words}


def _words(ref: TextureRef) -> str:
    """Return the UV transform of a texture in words, "" for the identity."""
    parts = [f"offset {ref.offset[0]:.4g}, {ref.offset[1]:.4g}"] * any(ref.offset)
    parts += [f"rotation {math.degrees(ref.rotation):.4g}°"] * bool(ref.rotation)
    parts += [f"scale {ref.scale[0]:.4g}, {ref.scale[1]:.4g}"] * (ref.scale != (1.0, 1.0))
    return ", ".join(parts)
