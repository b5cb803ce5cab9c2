"""Plates of textures: maps, sets of coordinates, samplers, transforms, packed pictures."""

import math

import numpy as np

from tests.feature_pictures.picture_grid import Cell, Plate
from tests.feature_pictures.shapes import (
    CLAMP,
    LINEAR,
    MIRROR,
    NEAREST,
    REPEAT,
    Shapes,
    bumps,
    checker,
    letter,
    panel,
)

FRONT = {"no_background": True, "view": "front", "ortho": True, "shadow": False}
ALL_ROUND = (-1, -1), (2, 2)  # three by three of a texture


def mapped(**given):
    """A panel with one map beside its colour; `flip` mirrors the coordinates."""

    def make():
        b, said = Shapes(), dict(given)
        flip, tangents = said.pop("flip", False), said.pop("tangents", True)
        factors = said.pop("factors", {"metallic": 0.0, "roughness": 0.45})
        pbr, row = {}, {}
        for name, (pixels, more) in said.items():
            info = {"index": b.texture(pixels)} | more
            (pbr if name == "metallicRoughnessTexture" else row)[name] = info
        place = ((1, 0), (0, 1)) if flip else ((0, 0), (1, 1))
        material = b.paint((0.55, 0.55, 0.6, 1), pbr=pbr, doubleSided=True, **factors, **row)
        parts = panel(2, 2, place=place)
        b.node(b.body(parts, material=material, tangents=tangents))
        return b

    return make


def levels(channel, side=32):
    """A ramp from 0 to 1, to the right in one channel; the others are full [H, W, 3]."""
    pixels = np.full((side, side, 3), 255, np.uint8)
    pixels[..., channel] = np.linspace(0, 255, side)
    return pixels


BOTH = levels(1) // 1
BOTH[..., 2] = np.linspace(255, 0, 32)[:, None]  # roughness to the right, metal to the top
HOLES = np.where(checker(4, 8) > 128, 255, 60).astype(np.uint8)
BUMPS = mapped(normalTexture=(bumps(3), {}))
BUMPS_ALONE = mapped(normalTexture=(bumps(3), {}), tangents=False)
KINDS = {
    "normals": BUMPS,
    "no tangents": BUMPS_ALONE,
    "mirrored": mapped(normalTexture=(bumps(3), {}), flip=True),
    "mirrored, none": mapped(normalTexture=(bumps(3), {}), flip=True, tangents=False),
    "scale 0.5": mapped(normalTexture=(bumps(3), {"scale": 0.5})),
    "metal, rough": mapped(
        metallicRoughnessTexture=(BOTH, {}),
        normalTexture=(bumps(3), {}),
        factors={"metallic": 1.0, "roughness": 1.0},
    ),
    "occlusion": mapped(occlusionTexture=(HOLES, {})),
    "occlusion 0.4": mapped(occlusionTexture=(HOLES, {"strength": 0.4})),
}
MAPS = Plate(
    "maps",
    "bumps that stand out in light from the upper left: with tangents, without, mirrored, at half "
    "strength; roughness growing to the right and metal to the top; occlusion full and at 0.4; "
    "bumps are dents from behind",
    (
        *(Cell(label, make) for label, make in KINDS.items()),
        Cell("from behind", BUMPS, options={"view": "back"}),
        Cell("behind, no tangents", BUMPS_ALONE, options={"view": "back"}),
    ),
    columns=5,
    size=(52, 52),
    options=FRONT,
)


def two_sets(base, glow):
    """Letters by one set of coordinates, a glowing ring by another; set 1 is turned and small."""

    def make():
        b = Shapes()
        y, x = np.mgrid[:32, :32] / 16 - 1
        ring = np.where(np.abs(np.hypot(x, y) - 0.7) < 0.15, 255, 0)[..., None].repeat(3, -1)
        pbr = {"baseColorTexture": {"index": b.texture(letter())} | base}
        row = {
            "emissiveTexture": {"index": b.texture(ring)} | glow,
            "emissiveFactor": [1, 0.9, 0.2],
        }
        points, normals, uv, indices, _ = panel(2, 2)
        second = np.stack([uv[:, 1], 1 - uv[:, 0]], -1) * 2
        b.extension("KHR_texture_transform")
        material = b.paint(pbr=pbr, roughness=1, **row)
        b.node(b.body((points, normals, uv, indices), material=material, uv1=second))
        return b

    return make


SETS = Plate(
    "two-sets-of-coordinates",
    "set 1 is turned by a quarter and half as large: letters and ring by 0; the ring by 1; "
    "letters by 1; letters by 1 as KHR_texture_transform has it",
    tuple(
        Cell(label, two_sets(base, glow))
        for label, base, glow in (
            ("0 and 0", {}, {}),
            ("0 and 1", {}, {"texCoord": 1}),
            ("1 and 0", {"texCoord": 1}, {}),
            ("by transform", {"extensions": {"KHR_texture_transform": {"texCoord": 1}}}, {}),
        )
    ),
    options=FRONT,
)


def sampled(wrap=(REPEAT, REPEAT), filters=(NEAREST, NEAREST), side=4, place=ALL_ROUND):
    """An unlit panel with a letter, by default three times in each direction."""

    def make():
        b = Shapes()
        texture = b.texture(letter(side), wrap, filters)
        material = b.unlit(pbrMetallicRoughness={"baseColorTexture": {"index": texture}})
        b.node(b.body(panel(2, 2, place=place), material=material))
        return b

    return make


PART = (0.2, 0.2), (0.8, 0.8)
SAMPLERS = Plate(
    "samplers",
    "three by three of a letter: repeated, mirrored, held at the edge, and one way each; a part "
    "of it enlarged without and with smoothing",
    tuple(
        Cell(label, make)
        for label, make in (
            ("repeat", sampled()),
            ("mirror", sampled((MIRROR, MIRROR))),
            ("clamp", sampled((CLAMP, CLAMP))),
            ("repeat, clamp", sampled((REPEAT, CLAMP))),
            ("clamp, mirror", sampled((CLAMP, MIRROR))),
            ("nearest", sampled(side=1, place=PART)),
            ("linear", sampled(filters=(LINEAR, LINEAR), side=1, place=PART)),
            ("nearest, linear", sampled(filters=(NEAREST, LINEAR), side=1, place=PART)),
        )
    ),
    options=FRONT,
)


def placed(**transform):
    """A letter on a panel, by KHR_texture_transform."""

    def make():
        b = Shapes()
        b.extension("KHR_texture_transform")
        info = {"index": b.texture(letter(), filters=(NEAREST, NEAREST))}
        info["extensions"] = {"KHR_texture_transform": transform}
        b.node(
            b.body(panel(2, 2), material=b.unlit(pbrMetallicRoughness={"baseColorTexture": info}))
        )
        return b

    return make


TRANSFORM = Plate(
    "texture-transform",
    "as it is; moved to the left by a quarter; twice in u; turned by 30 degrees about the upper "
    "left, which turns the picture clockwise; all three: scaled, then turned, then moved",
    tuple(
        Cell(label, placed(**transform))
        for label, transform in (
            ("none", {}),
            ("offset", {"offset": [0.25, 0]}),
            ("scale", {"scale": [2, 1]}),
            ("rotation", {"rotation": math.radians(30)}),
            (
                "all",
                {"offset": [0.5, 0.1], "scale": [1.5, 0.75], "rotation": math.radians(30)},
            ),
        )
    ),
    columns=5,
    options=FRONT,
)

PLATES = (MAPS, SETS, SAMPLERS, TRANSFORM)
