"""Feature pictures of KHR_animation_pointer: one row per property, at three times."""

import math

import numpy as np

from tests.feature_pictures.picture_grid import FeaturePicture, moments
from tests.feature_pictures.shapes import (
    NEAREST,
    Shapes,
    ball,
    bumps,
    checker,
    floor,
    letter,
    panel,
)
from tests.support.animated_value_files import LIGHT, VISIBLE

PBR = "/materials/0/pbrMetallicRoughness"
PLACE = f"{PBR}/baseColorTexture/extensions/KHR_texture_transform"
GLOW = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength"


def animated_material(pointer, values, body=None, **row):
    """A ball, or another shape, with one animated property of its material."""

    def make():
        b = Shapes()
        said = {"color": (0.8, 0.3, 0.15, 1), "roughness": 0.4, **row}
        for name in ("normalTexture", "occlusionTexture"):
            if name in said:
                said[name] = {"index": b.texture(said[name])}
        if "map" in said:
            b.extension("KHR_texture_transform")
            index = b.texture(said.pop("map"), filters=(NEAREST, NEAREST))
            info = {"index": index, "extensions": {"KHR_texture_transform": {}}}
            said |= {"pbr": {"baseColorTexture": info}, "color": (1, 1, 1, 1)}
        if "extensions" in said:
            b.extension(next(iter(said["extensions"])))
        b.pbr_material(said.pop("color"), **said)
        b.node(b.add_shape(body or ball(), material=0, tangents=True))
        b.pointer((pointer, [0, 1], values))
        return b

    return make


def letter_with_alpha():
    """A letter with a lower alpha in its right half."""
    pixels = letter()
    pixels[:, 16:, 3] = 120
    return pixels


SHEET = panel(2, 2)
STRENGTH = {"KHR_materials_emissive_strength": {"emissiveStrength": 1}}
FACTORS = {
    "base colour": animated_material(
        f"{PBR}/baseColorFactor", [[0.8, 0.1, 0.1, 1], [0.1, 0.2, 0.8, 1]]
    ),
    "base alpha": animated_material(
        f"{PBR}/baseColorFactor", [[0.8, 0.3, 0.1, 1], [0.8, 0.3, 0.1, 0.1]], alphaMode="BLEND"
    ),
    "metallic": animated_material(f"{PBR}/metallicFactor", [0, 1]),
    "roughness": animated_material(f"{PBR}/roughnessFactor", [0.05, 1], metallic=1),
    "emissive": animated_material("/materials/0/emissiveFactor", [[0, 0, 0], [0.1, 0.6, 0.1]]),
    "emissive strength": animated_material(
        GLOW, [0, 5], emissiveFactor=[0.3, 0.2, 0.02], extensions=STRENGTH, color=(0, 0, 0, 1)
    ),
    "cutoff": animated_material(
        "/materials/0/alphaCutoff", [0.2, 0.9], SHEET, map=letter_with_alpha(), alphaMode="MASK"
    ),
    "normal scale": animated_material(
        "/materials/0/normalTexture/scale", [0, 1], SHEET, normalTexture=bumps(2)
    ),
    "occlusion": animated_material(
        "/materials/0/occlusionTexture/strength", [0, 1], SHEET, occlusionTexture=checker(4, 8)
    ),
    "offset": animated_material(f"{PLACE}/offset", [[0, 0], [0.5, 0.25]], SHEET, map=letter()),
    "scale": animated_material(f"{PLACE}/scale", [[1, 1], [2, 0.5]], SHEET, map=letter()),
    "rotation": animated_material(f"{PLACE}/rotation", [0, math.pi / 2], SHEET, map=letter()),
}
MATERIALS = FeaturePicture(
    "pointers-material",
    "animated properties of materials at the start, the middle and the end",
    tuple(
        cell
        for name, make in FACTORS.items()
        for cell in moments(make, 0.0, 0.5, 1.0, label=f"{name}, {{}} s")
    ),
    columns=6,
    size=(28, 28),
    options={
        "no_background": True,
        "shadow": False,
        "camera_position": (0, 0, 6),
        "camera_target": (0, 0, 0),
        "camera_fov": 21,
    },
)


def spot_light():
    """A spot light above a floor, whose cone angles increase."""
    b = Shapes()
    b.node(b.add_shape(floor(4), material=b.pbr_material((0.35, 0.35, 0.35, 1), roughness=0.9)))
    angles = {"innerConeAngle": 0.05, "outerConeAngle": 0.15}
    b.add_light((0, 3, 0.01), (0, 0, 0), type="spot", intensity=30, spot=angles)
    b.pointer(
        (f"{LIGHT}/spot/innerConeAngle", [0, 1], [0.05, 0.35]),
        (f"{LIGHT}/spot/outerConeAngle", [0, 1], [0.15, 0.5]),
    )
    return b


def animated_visibility():
    """Three balls; the second is hidden with its parent, the third by itself."""
    b = Shapes()
    b.extension("KHR_node_visibility")
    body, seen = (
        b.add_shape(ball(0.6), material=b.pbr_material()),
        {"KHR_node_visibility": {"visible": True}},
    )
    b.node(body, (-1.3, 0, 0))
    b.node(children=[2], extensions=seen)
    b.node(body, extensions=seen)
    b.node(body, (1.3, 0, 0), extensions=seen)
    b.pointer((VISIBLE.format(1), [0, 0.5], [1, 0]), (VISIBLE.format(3), [0, 1], [1, 0]))
    return b


def animated_morph_weights():
    """A ball with two morph targets, animated by the weights of its mesh."""
    b = Shapes()
    parts = ball(0.8)
    mesh = b.add_shape(parts, material=b.pbr_material())
    wide, tall = parts[0] * (0.6, 0, 0), parts[0] * (0, 0.5, 0)
    b.json["meshes"][mesh]["primitives"][0]["targets"] = [
        {"POSITION": b.accessor(wide)},
        {"POSITION": b.accessor(tall)},
    ]
    b.node(mesh)
    b.pointer(("/meshes/0/weights", [0, 0, 1, 1][::2], np.array([[1, 0], [0, 1]]).reshape(-1)))
    return b


OTHERS = FeaturePicture(
    "pointers-nodes",
    "cone angles of a spot light; visibility of a node with children and of another; morph weights",
    (
        *moments(spot_light, 0.0, 0.5, 1.0, label="cone, {} s"),
        *moments(animated_visibility, 0.0, 0.5, 1.0, label="visible, {} s"),
        *moments(animated_morph_weights, 0.0, 0.5, 1.0, label="weights, {} s"),
    ),
    columns=3,
    size=(56, 40),
    options={
        "no_background": True,
        "shadow": False,
        "camera_position": (0, 4, 8),
        "camera_target": (0, 0, 0),
        "camera_fov": 18,
    },
)

PICTURES = (MATERIALS, OTHERS)
