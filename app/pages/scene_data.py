"""What a page shows around its characters: lights, environment, background, floor, cameras."""

from typing import Any

import numpy as np

from ..animation.types import F32
from ..rendering.environment import current_environment, environment_rows, environment_turn, is_grey
from ..rendering.frame import TONE_MAPPINGS, Frame
from ..rendering.ground_pass import grid_uniforms, radius
from ..scene.camera import OrbitCamera
from ..scene.environment import Environment
from ..scene.lights import RIM_AZIMUTH, RIM_ELEVATION, lights_of
from ..scene.scene import Scene
from .packed_arrays import PackedArrays

SIDE = 64  # texels of a level of the environment, with its border


def scene_data(arrays: PackedArrays, scene: Scene) -> dict[str, Any]:
    """Return lights, environment, look and floor of a scene, as JSON with references of arrays."""
    frame = Frame.of(scene)
    shading = frame.look.shading
    return {
        "environment": _environment(arrays, frame),
        "lights": _lights(frame),
        "tone": TONE_MAPPINGS[shading.tone_mapping],
        "exposure": 2.0**shading.exposure,
        "background": [list(colour) for colour in frame.background],
        "floor": frame.floor,
        "grid": {"cell": frame.cell, "radius": radius(frame), **grid_uniforms(frame)}
        if frame.look.grid
        else None,
        "shadow": frame.look.has_floor,
        "middle": scene.bounds.middle.tolist(),
        "radius": scene.bounds.radius,
        "front": frame.front,
        "limits": list(scene.bounds.zoom_limits),
    }


def camera_data(camera: OrbitCamera) -> dict[str, Any]:
    """Return an orbit camera as JSON: metres, radians."""
    names = ("distance", "azimuth", "elevation", "fov", "ortho")
    return {"target": camera.target.tolist(), **{name: getattr(camera, name) for name in names}}


def _environment(arrays: PackedArrays, frame: Frame) -> dict[str, Any]:
    light = current_environment(frame)
    levels = _reduced(light.levels) if light.levels.shape[1] > SIDE else light.levels
    grey = is_grey(levels) and is_grey(light.irradiance)
    reduced = Environment(light.irradiance, levels)
    rows = environment_rows(reduced, environment_turn(frame), grey=grey)
    texels = np.minimum(levels[..., :1] if grey else levels, 6e4).astype(np.float16)
    return {
        "size": [levels.shape[1], levels.shape[1], len(levels)],
        "channels": 1 if grey else 3,
        "levels": arrays.add(texels),
        "rows": rows.ravel().tolist(),
    }


def _reduced(levels: F32) -> F32:
    """Return octahedral maps [L, S, S, 3] of `SIDE` texels, each the mean of what it covers."""
    side = levels.shape[1]
    steps = -(-side // SIDE)
    at = (np.arange(SIDE * steps) + 0.5) / steps - 1.0  # places between borders, in texels
    place = np.clip(at / (SIDE - 2) * (side - 2) + 0.5, 0.0, side - 1.0)
    low = np.minimum(place.astype(np.intp), side - 2)
    share = (place - low).astype(np.float32)
    rows = levels[:, low] + share[:, None, None] * (levels[:, low + 1] - levels[:, low])
    texels = rows[:, :, low] + share[:, None] * (rows[:, :, low + 1] - rows[:, :, low])
    out: F32 = texels.reshape(len(levels), SIDE, steps, SIDE, steps, 3).mean(axis=(2, 4))
    return out


def _lights(frame: Frame) -> list[dict[str, Any]] | None:
    """Return the lights that no file has; None: the page places those of the files."""
    lit = any(each.model.lights for each in frame.characters)
    if lit and not frame.look.lighting.has_given_light:
        return None
    lights = lights_of(
        frame.characters,
        frame.camera,
        frame.front,
        lighting=frame.look.lighting,
        environment=frame.environment,
    )
    rim = [np.radians(RIM_AZIMUTH), np.radians(RIM_ELEVATION)]
    return [
        {
            "color": each.color.tolist(),
            "backward": (-each.direction).tolist(),
            "rim": rim if each.is_rim else None,  # angles from the camera
        }
        for each in lights
        if not each.only_shadow
    ]
