"""Lights of the current frame in world space: those of the files, or the default key light.

Without lights there are a key light, placed from the front of the characters, and a rim light,
placed from the camera. Lights of a file replace both and most of the studio's image-based light;
the rest of it fills the shadows. Very bright lights are dimmed (`rigview.model.light_levels`). An
environment map replaces all of them; its brightest direction only casts the shadow.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..animation.types import F32, F64
from ..model.model import MAX_LIGHTS, LightSource
from ..model.pointer_values import PointerValues
from ..scenedoc.look import Lighting
from .billboard_nodes import matrices_facing
from .camera import Camera
from .character import Character
from .environment import Environment, brightest_direction
from .origin import WORLD_ORIGIN

LightKind = Literal["directional", "point", "spot"]
KEY = 0.75  # lux
KEY_AZIMUTH, KEY_ELEVATION = -36.0, 44.0  # degrees, the azimuth from the front
RIM = (0.27, 0.255, 0.23)  # lux, a warm white
RIM_AZIMUTH, RIM_ELEVATION = 132.0, 22.0  # degrees, the azimuth from the camera
FILL = 0.272  # share of the studio's image-based light when a file has lights


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
    only_shadow: bool = False  # whether it casts a shadow without shining
    is_rim: bool = False  # whether the shadow map of the first light hides it, too


def lights_of(
    characters: Iterable[Character],
    camera: Camera,
    front: float = 0.0,
    origin: F64 = WORLD_ORIGIN,
    lighting: Lighting = Lighting(),  # noqa: B008 - immutable
    environment: Environment | None = None,
) -> list[Light]:
    """Return the current lights of all characters, or the default lights if no file has any.

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
    lighting
        The choice of the lights.
    environment
        The environment map, None for the studio.
    """
    lit = [each for each in characters if each.model.lights]
    if not lit or lighting.has_given_light:
        return default_lights(lighting, environment, front, camera)
    return [light for each in lit for light in _lights_of_one(each, camera, origin)]


def casts_shadow(light: Light) -> bool:
    """Return whether a light can cast a shadow: directional and not black."""
    shines = light.only_shadow or bool(light.color.max() > 0)
    return light.kind == "directional" and shines


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


def studio_share(characters: Iterable[Character], lighting: Lighting) -> float:
    """Return the share of the studio's image-based light, 0 to 1: less if a file has lights."""
    if lighting.has_given_light:
        return 1.0
    return FILL if any(each.pointer_values.light_level.shines for each in characters) else 1.0


def default_lights(
    lighting: Lighting, environment: Environment | None, front: float, camera: Camera
) -> list[Light]:
    """Return the lights of files without lights: key and rim, or what an environment map casts.

    `front` is the azimuth of the front of the characters, radians.
    """
    if lighting.light == "none":
        return []
    if environment is not None and not lighting.has_given_light:
        brightest = brightest_direction(environment)
        if brightest is None:
            return []
        black = np.zeros(3)
        return [Light("directional", black, black, -brightest, only_shadow=True)]
    azimuth, elevation = lighting.azimuth, lighting.elevation
    key = key_light(
        front,
        KEY_AZIMUTH if azimuth is None else azimuth,
        KEY_ELEVATION if elevation is None else elevation,
    )
    return [key, rim_light(camera, lighting.rim)] if lighting.rim > 0 else [key]


def key_light(
    front: float = 0.0, azimuth: float = KEY_AZIMUTH, elevation: float = KEY_ELEVATION
) -> Light:
    """Return the light of files without lights: from the front, above and one side.

    `front` is the azimuth of the front, radians; the angles are degrees.
    """
    return _sun(np.full(3, KEY), front + math.radians(azimuth), elevation)


def rim_light(camera: Camera, strength: float = 1.0) -> Light:
    """Return the warm light from behind and above, which separates outlines from the background.

    `strength` is a factor.
    """
    x, _, z = camera.direction().tolist()
    azimuth = math.atan2(x, z) + math.radians(RIM_AZIMUTH)
    return replace(_sun(np.array(RIM) * strength, azimuth, RIM_ELEVATION), is_rim=True)


def _sun(color: F64, azimuth: float, elevation: float) -> Light:
    """Return a directional light from an azimuth, radians, and an elevation, degrees."""
    height = math.radians(elevation)
    flat = math.cos(height)
    towards = np.array([math.sin(azimuth) * flat, math.sin(height), math.cos(azimuth) * flat])
    return Light("directional", color, np.zeros(3), -towards)
