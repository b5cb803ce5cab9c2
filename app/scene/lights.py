"""Lights of the current frame in world space: those of the files, or the default key light.

Lights of a file replace the key light and most of the studio's image-based light; the rest of it
fills the shadows. Very bright lights are dimmed (`rigview.model.light_levels`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..animation.types import F32, F64
from ..model.model import MAX_LIGHTS, LightSource
from ..model.pointer_values import PointerValues
from .billboard_nodes import matrices_facing
from .camera import Camera
from .character import Character
from .origin import WORLD_ORIGIN

LightKind = Literal["directional", "point", "spot"]
FILL = 0.2  # share of the studio's image-based light when a file has lights


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One light in world space."""

    kind: LightKind
    color: F64  # [3] linear, times the intensity: lux (directional) or candela
    position: F64  # [3] metres; ignored for directional lights
    direction: F64  # [3] unit vector in which it shines
    range: float = 0.0  # metres; 0: infinite
    inner: float = 0.0  # radians, half angle of the cone
    outer: float = np.pi / 4  # radians


def lights_of(
    characters: Iterable[Character],
    camera: Camera,
    front: float = 0.0,
    origin: F64 = WORLD_ORIGIN,
) -> list[Light]:
    """Return the current lights of all characters, or the key light if no file has lights.

    Parameters
    ----------
    characters
        Visible characters.
    camera
        Faced by billboards, and so by lights parented to them.
    front
        Azimuth of the front of the characters, radians, for the key light.
    origin
        [3] world space; camera and lights are relative to it.
    """
    lit = [each for each in characters if each.model.lights]
    if not lit:
        return [key_light(front)]
    return [light for each in lit for light in _lights_of_one(each, camera, origin)]


def casts_shadow(light: Light) -> bool:
    """Return whether a light can cast a shadow: directional and not black."""
    return light.kind == "directional" and bool(light.color.max() > 0)


def shadow_caster_first(lights: list[Light]) -> list[Light]:
    """Return the lights with the first shadow caster moved to the front."""
    k = next((k for k, light in enumerate(lights) if casts_shadow(light)), 0)
    return [*lights[k : k + 1], *lights[:k], *lights[k + 1 :]]


def _lights_of_one(character: Character, camera: Camera, origin: F64) -> list[Light]:
    moving, values = character.pointer_values, character.pose.values
    placed = character.world_from(origin) @ matrices_facing(character, camera, origin)
    hidden = moving.hidden(values)
    return [
        _light(moving.light(source, values), placed[source.joint], moving.light_level.gain)
        for source in moving.model.lights
        if source.joint not in hidden
    ]


def _light(source: LightSource, placed: F32, gain: float) -> Light:
    """Return a light placed by a world matrix [4, 4]; it shines along its local -Z."""
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


def lights_of_many(moving: PointerValues, values: F32, placed: F32, eye: F64) -> list[Light]:
    """Return the lights of a crowd of N characters of one file.

    Directional lights are used once, from the first character with them switched on. The others
    are used for each character, at most `MAX_LIGHTS` of them, nearest to the eye first. They are
    ordered by their index in the file, then by character.

    Parameters
    ----------
    moving
        Animated values of the model.
    values
        [N, P] other values of the poses.
    placed
        [N, J, 4, 4] world matrix of every joint.
    eye
        [3] camera position, metres, world space.
    """
    sources = moving.model.lights
    joints = np.array([source.joint for source in sources], np.intp)
    on = ~moving.off(values)[:, joints]  # [N, lights]
    sun = np.array([source.kind == "directional" for source in sources], bool)
    on[:, sun] &= np.cumsum(on[:, sun], axis=0) == 1
    away = np.linalg.norm(placed[:, joints][..., :3, 3].astype(np.float64) - eye, axis=-1)
    away[:, sun] = -1.0
    away[~on] = np.inf
    nearest = np.argsort(away, axis=None, kind="stable")[: min(MAX_LIGHTS, int(on.sum()))]
    chosen = np.zeros(on.size, bool)
    chosen[nearest] = True
    shining = chosen.reshape(on.shape).T.nonzero()  # by light of the file, then by character
    return [
        _light(moving.light(sources[k], values[n]), placed[n, joints[k]], moving.light_level.gain)
        for k, n in zip(*(each.tolist() for each in shining), strict=True)
    ]


def studio_share(characters: Iterable[Character]) -> float:
    """Return the share of the studio's image-based light, 0 to 1: less if a file has lights."""
    return FILL if any(each.pointer_values.light_level.shines for each in characters) else 1.0


def key_light(front: float = 0.0) -> Light:
    """Return the default light of files without lights: from the front, above and one side.

    `front` is the azimuth of the front, radians.
    """
    sine, cosine = np.sin(front), np.cos(front)
    direction = np.array([0.45 * cosine - 0.62 * sine, -0.75, -0.62 * cosine - 0.45 * sine])
    return Light(
        "directional", np.full(3, 1.65), np.zeros(3), direction / np.linalg.norm(direction)
    )
