"""Plates of layers by texture, and of what KHR_animation_pointer moves of them."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, Plate, moments
from tests.feature_pictures.shapes import NEAREST, Shapes, ball, bumps, checker, panel


def layered(color=(0.5, 0.05, 0.04, 1), metallic=0.0, roughness=0.6, behind=False, **extensions):
    """A ball with KHR_materials_NAME=row; textures are given as pixels."""

    def make():
        b, said = Shapes(), {}
        for name, row in extensions.items():
            kind = f"KHR_materials_{name}"
            b.extension(kind)
            said[kind] = {
                key: {"index": b.texture(value)} if isinstance(value, np.ndarray) else value
                for key, value in row.items()
            }
        material = b.paint(color, metallic, roughness, extensions=said)
        b.node(b.body(ball(), material=material, tangents=True))
        if behind:
            look = {"baseColorTexture": {"index": b.texture(checker(), filters=(NEAREST, NEAREST))}}
            sheet = b.unlit(pbrMetallicRoughness=look)
            b.node(b.body(panel(2.6, 2.6), material=sheet), (0, 0, -1.2))
        return b

    return make


HALVES = np.zeros((8, 8, 4), np.uint8)
HALVES[:, 4:] = 255  # the right half of all channels
LOWER = np.full((8, 8, 4), 255, np.uint8)
LOWER[:, :4, 3] = 50  # less alpha at the left
WHITE = (0.9, 0.9, 0.9, 1)
GLASS = {"transmissionFactor": 1}
VELVET = {"sheenColorFactor": [0.9, 0.8, 1], "sheenRoughnessFactor": 0.4}
COATS = {
    "coat": layered(clearcoat={"clearcoatFactor": 1, "clearcoatTexture": HALVES}),
    "coat's roughness": layered(
        clearcoat={
            "clearcoatFactor": 1,
            "clearcoatRoughnessFactor": 0.6,
            "clearcoatRoughnessTexture": HALVES,
        }
    ),
    "coat's bumps": layered(
        clearcoat={"clearcoatFactor": 1, "clearcoatNormalTexture": bumps(6, strength=0.4)}
    ),
    "sheen": layered(roughness=1, sheen=VELVET | {"sheenColorTexture": HALVES}),
    "sheen's roughness": layered(
        roughness=1,
        sheen=VELVET | {"sheenRoughnessFactor": 1, "sheenRoughnessTexture": LOWER},
    ),
    "specular": layered(roughness=0.2, specular={"specularTexture": HALVES}),
    "specular colour": layered(
        roughness=0.2,
        specular={"specularColorFactor": [0.1, 2, 4], "specularColorTexture": HALVES},
    ),
    "glass": layered(
        WHITE, roughness=0, behind=True, transmission=GLASS | {"transmissionTexture": HALVES}
    ),
}
SEEN = {
    "no_background": True,
    "shadow": False,
    "camera_position": (0, 0, 6),
    "camera_target": (0, 0, 0),
    "camera_fov": 21,
}
BY_TEXTURE = Plate(
    "layers-by-texture",
    "layers on the right half of a ball alone, or less rough on one half; bumps of the coat",
    tuple(Cell(label, make) for label, make in COATS.items()),
    columns=4,
    size=(40, 40),
    options=SEEN,
)


def moved(kind, key, values, row, **look):
    """A ball of whose layer one thing moves from 0 to 1 s."""

    def make():
        b = layered(**look, **{kind: row})()
        b.pointer((f"/materials/0/extensions/KHR_materials_{kind}/{key}", [0, 1], values))
        return b

    return make


MOVED = {
    "coat": moved("clearcoat", "clearcoatFactor", [0, 1], {"clearcoatFactor": 0}),
    "coat's roughness": moved(
        "clearcoat", "clearcoatRoughnessFactor", [0, 1], {"clearcoatFactor": 1}
    ),
    "sheen": moved(
        "sheen",
        "sheenColorFactor",
        [[0, 0, 0], [0.4, 0.9, 0.6]],
        {"sheenColorFactor": [0, 0, 0], "sheenRoughnessFactor": 0.5},
        roughness=1,
    ),
    "specular": moved("specular", "specularFactor", [1, 0], {}, roughness=0.2),
    "ior": moved("ior", "ior", [1, 2.4], {}, roughness=0.2),
    "transmission": moved(
        "transmission", "transmissionFactor", [0, 1], {}, color=WHITE, roughness=0, behind=True
    ),
}
MOVING = Plate(
    "pointers-layers",
    "what KHR_animation_pointer moves of layers, at the beginning, the middle and the end",
    tuple(
        cell
        for name, make in MOVED.items()
        for cell in moments(make, 0.0, 0.5, 1.0, label=f"{name}, {{}} s")
    ),
    columns=6,
    size=(28, 28),
    options=SEEN,
)

PLATES = (BY_TEXTURE, MOVING)
