"""Scenes with a look, given by the names of its fields."""

from dataclasses import fields, replace

from rigview.resources import asset_path
from rigview.scene.environment import load
from rigview.scene.loaded import LoadedEnvironment
from rigview.scenedoc.look import CLEAR, Background, Lighting, Look, Overlays, Shading

FIELDS = {own.name: part for part in (Overlays, Shading) for own in fields(part)} | {
    "light": Lighting
}
FILE = "/maps/sky.hdr"  # of an environment, which is not read
RENAMED = {"light_azimuth": "azimuth", "light_elevation": "elevation", "light_rim": "rim"}


def set_look(scene, **values):
    """Change the look of a scene and what it draws with it; returns the scene.

    Beside fields of `Overlays` and `Shading` and attributes of the scene: `light`, `light_azimuth`,
    `light_elevation` and `light_rim`, `background` (one colour, or several) and `environment`,
    a light.
    """
    for name, value in values.items():
        if name in FIELDS:
            scene.look = scene.look.changed(FIELDS[name], **{name: value})
        elif name in RENAMED:
            scene.look = scene.look.changed(Lighting, **{RENAMED[name]: value})
        elif name == "background" and value == CLEAR:
            scene.look = scene.look.changed(Background, transparent=True)
        elif name == "background":
            colours = value if isinstance(value[0], tuple) else (value,)
            scene.look = scene.look.changed(Background, colours=colours, transparent=False)
        elif name in ("environment", "environment_map", "blur", "rotation"):
            environment(scene, **{name: value})
        elif name == "weights_joint":
            scene.show_weights(value)
        elif name in ("selected", "mask", "frame_rate"):
            setattr(scene, name, value)
        else:
            raise TypeError(f"unknown: {name}")
    return scene


def environment(scene, *, file=FILE, environment=None, environment_map=None, **values):
    """Light a scene with an environment, by default the studio, or show a map behind it."""
    loaded = scene.environment or LoadedEnvironment(file, 0.0, load(asset_path("studio.npz")))
    loaded = replace(loaded, file=file, **values)
    if environment is not None:
        loaded = replace(loaded, light=environment)
    if environment_map is not None:
        loaded = replace(loaded, map=environment_map)
    scene.environment = loaded
    look = scene.look.changed(Lighting, environment=file, rotation=loaded.rotation)
    there = loaded.map is not None
    scene.look = look.changed(Background, environment=there, blur=loaded.blur)


def new_look(scene, **values):
    """Give a scene the default look with other values."""
    scene.look, scene.environment = Look(), None
    return set_look(scene, **values)
