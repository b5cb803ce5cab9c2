"""The material of a part at the current time: factors and UV transforms may be animated."""

import math
from dataclasses import dataclass

from ...model.fact_words import factor_words, material_notes
from ...model.material import TEXTURES, Material, TextureRef
from ...model.statistics import material_facts
from ...scene.character import Character


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


def current_material(character: Character, number: int, data: bytes) -> CurrentMaterial:
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
