"""Lights of a scene as they stand at a moment: the studio's key light, or those of the file.

A file's own lights take the place of the key light, and most of the studio's: what is left of it
only fills the shadows. Lights that are far too bright are drawn darker
(`rigview.model.light_levels`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..animation.types import F32, F64
from ..model.animated_values import Moving
from ..model.model import MOST_LIGHTS, LightSource
from .billboard import faced
from .camera import Lens
from .character import Character

LightKind = Literal["directional", "point", "spot"]
FILL = 0.2  # of the studio's light, where a file has lights of its own


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One light in world space."""

    kind: LightKind
    color: F64  # [3] linear, times its intensity: lux, or candela
    place: F64  # [3] metres; of no use to a directional one
    towards: F64  # [3] unit: where it shines
    range: float = 0.0  # metres; 0: endless
    inner: float = 0.0  # radians, half angles of a spot
    outer: float = np.pi / 4


def lights_of(characters: Iterable[Character], lens: Lens) -> list[Light]:
    """Return the lights of all files that have any, as they are now; the key light where none has.

    Parameters
    ----------
    characters
        All that are in the picture.
    lens
        What billboards, and so the lights below them, face.
    """
    lit = [each for each in characters if each.model.lights]
    if not lit:
        return [key_light()]
    return [light for each in lit for light in _lights_of_one(each, lens)]


def casts(light: Light) -> bool:
    """Tell whether a light can cast a shadow: one from afar that gives any light."""
    return light.kind == "directional" and bool(light.color.max() > 0)


def caster_first(lights: list[Light]) -> list[Light]:
    """Return lights with the first that casts a shadow ahead of the others; their order stays."""
    k = next((k for k, light in enumerate(lights) if casts(light)), 0)
    return [*lights[k : k + 1], *lights[:k], *lights[k + 1 :]]


def _lights_of_one(character: Character, lens: Lens) -> list[Light]:
    moving, values = character.moving, character.pose.values
    placed = character.world @ faced(character, lens)
    hidden = moving.hidden(values)
    return [
        _light(moving.light(source, values), placed[source.joint], moving.metered.gain)
        for source in moving.model.lights
        if source.joint not in hidden
    ]


def _light(source: LightSource, placed: F32, gain: float) -> Light:
    """Return a light of a file where a matrix [4, 4] has it; it shines along -Z."""
    matrix = placed.astype(np.float64)
    ahead = -matrix[:3, 2]
    length = float(np.linalg.norm(ahead))
    return Light(
        source.kind,
        np.array(source.color) * (source.intensity * gain),
        matrix[:3, 3],
        ahead / length if length > 0 else np.array([0.0, 0.0, -1.0]),
        source.range,
        source.inner,
        source.outer,
    )


def lights_of_many(moving: Moving, values: F32, placed: F32, eye: F64) -> list[Light]:
    """Return the lights of N characters of one file.

    A sun is one for all: directional lights shine once, as the first character that shows them
    carries them. The others shine for each character; where there are more than `MOST_LIGHTS`,
    those nearest to the eye. Their order is that of the file, and in it that of the characters.

    Parameters
    ----------
    moving
        Of the file's model.
    values
        [N, P] of the poses.
    placed
        [N, J, 4, 4] joints to world space.
    eye
        [3] metres, world space.
    """
    sources = moving.model.lights
    joints = np.array([source.joint for source in sources], np.intp)
    on = ~moving.off(values)[:, joints]  # [N, lights]
    sun = np.array([source.kind == "directional" for source in sources], bool)
    on[:, sun] &= np.cumsum(on[:, sun], axis=0) == 1
    away = np.linalg.norm(placed[:, joints][..., :3, 3].astype(np.float64) - eye, axis=-1)
    away[:, sun] = -1.0
    away[~on] = np.inf
    nearest = np.argsort(away, axis=None, kind="stable")[: min(MOST_LIGHTS, int(on.sum()))]
    chosen = np.zeros(on.size, bool)
    chosen[nearest] = True
    shining = chosen.reshape(on.shape).T.nonzero()  # of the file's lights, then of the characters
    return [
        _light(moving.light(sources[k], values[n]), placed[n, joints[k]], moving.metered.gain)
        for k, n in zip(*(each.tolist() for each in shining), strict=True)
    ]


def share_of_studio(characters: Iterable[Character]) -> float:
    """Return how much of the studio's light there is, 0 to 1, beside those of files."""
    return FILL if any(each.moving.metered.shines for each in characters) else 1.0


def key_light() -> Light:
    """Return the light that is there where a file has none: from the front, above, on one side."""
    towards = np.array([0.45, -0.75, -0.62])
    return Light("directional", np.full(3, 1.65), np.zeros(3), towards / np.linalg.norm(towards))
