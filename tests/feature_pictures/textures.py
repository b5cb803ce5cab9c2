"""Feature pictures of textures: maps, texture coordinate sets, samplers, UV transforms."""

import math

import numpy as np

from tests.feature_pictures.picture_grid import Cell, FeaturePicture
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
THREE_BY_THREE = (-1, -1), (2, 2)  # repeats the texture three by three times


def panel_with_maps(**given):
    """A panel with texture maps; `flip` mirrors the texture coordinates."""

    def make():
        b, said = Shapes(), dict(given)
        flip, tangents = said.pop("flip", False), said.pop("tangents", True)
        factors = said.pop("factors", {"metallic": 0.0, "roughness": 0.45})
        pbr, row = {}, {}
        for name, (pixels, more) in said.items():
            info = {"index": b.texture(pixels)} | more
            (pbr if name == "metallicRoughnessTexture" else row)[name] = info
        place = ((1, 0), (0, 1)) if flip else ((0, 0), (1, 1))
        material = b.pbr_material((0.55, 0.55, 0.6, 1), pbr=pbr, doubleSided=True, **factors, **row)
        parts = panel(2, 2, place=place)
        b.node(b.add_shape(parts, material=material, tangents=tangents))
        return b

    return make


def ramp(channel, side=32):
    """A texture [H, W, 3]: one channel from 0 at the left to 1 at the right, the others 1."""
    pixels = np.full((side, side, 3), 255, np.uint8)
    pixels[..., channel] = np.linspace(0, 255, side)
    return pixels


BOTH = ramp(1) // 1
BOTH[..., 2] = np.linspace(255, 0, 32)[:, None]  # roughness to the right, metallic to the top
HOLES = np.where(checker(4, 8) > 128, 255, 60).astype(np.uint8)
BUMPS = panel_with_maps(normalTexture=(bumps(3), {}))
BUMPS_ALONE = panel_with_maps(normalTexture=(bumps(3), {}), tangents=False)
KINDS = {
    "normals": BUMPS,
    "no tangents": BUMPS_ALONE,
    "mirrored": panel_with_maps(normalTexture=(bumps(3), {}), flip=True),
    "mirrored, none": panel_with_maps(normalTexture=(bumps(3), {}), flip=True, tangents=False),
    "scale 0.5": panel_with_maps(normalTexture=(bumps(3), {"scale": 0.5})),
    "metal, rough": panel_with_maps(
        metallicRoughnessTexture=(BOTH, {}),
        normalTexture=(bumps(3), {}),
        factors={"metallic": 1.0, "roughness": 1.0},
    ),
    "occlusion": panel_with_maps(occlusionTexture=(HOLES, {})),
    "occlusion 0.4": panel_with_maps(occlusionTexture=(HOLES, {"strength": 0.4})),
}
MAPS = FeaturePicture(
    "texture-maps",
    "bumps lit from the upper left: with tangents, without, mirrored, at half scale; roughness "
    "increasing to the right and metallic to the top; occlusion at strength 1 and 0.4; bumps are "
    "dents from behind",
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
    """A base colour and an emissive texture with different texture coordinate sets."""

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
        material = b.pbr_material(pbr=pbr, roughness=1, **row)
        b.node(b.add_shape((points, normals, uv, indices), material=material, uv1=second))
        return b

    return make


SETS = FeaturePicture(
    "texture-coordinate-sets",
    "set 1 is rotated by 90 degrees at half the size: letters and ring by set 0; the ring by set "
    "1; letters by set 1; letters by set 1 through KHR_texture_transform",
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


def sampled_panel(wrap=(REPEAT, REPEAT), filters=(NEAREST, NEAREST), side=4, place=THREE_BY_THREE):
    """An unlit panel with a letter, repeated three times in each direction by default."""

    def make():
        b = Shapes()
        texture = b.texture(letter(side), wrap, filters)
        material = b.unlit(pbrMetallicRoughness={"baseColorTexture": {"index": texture}})
        b.node(b.add_shape(panel(2, 2, place=place), material=material))
        return b

    return make


PART = (0.2, 0.2), (0.8, 0.8)
SAMPLERS = FeaturePicture(
    "samplers",
    "wrap modes of a letter: repeat, mirrored repeat, clamp, and two of them combined; filters of "
    "an enlarged part: nearest and linear",
    tuple(
        Cell(label, make)
        for label, make in (
            ("repeat", sampled_panel()),
            ("mirror", sampled_panel((MIRROR, MIRROR))),
            ("clamp", sampled_panel((CLAMP, CLAMP))),
            ("repeat, clamp", sampled_panel((REPEAT, CLAMP))),
            ("clamp, mirror", sampled_panel((CLAMP, MIRROR))),
            ("nearest", sampled_panel(side=1, place=PART)),
            ("linear", sampled_panel(filters=(LINEAR, LINEAR), side=1, place=PART)),
            ("nearest, linear", sampled_panel(filters=(NEAREST, LINEAR), side=1, place=PART)),
        )
    ),
    options=FRONT,
)


def transformed_texture(**transform):
    """A panel with a letter and KHR_texture_transform."""

    def make():
        b = Shapes()
        b.extension("KHR_texture_transform")
        info = {"index": b.texture(letter(), filters=(NEAREST, NEAREST))}
        info["extensions"] = {"KHR_texture_transform": transform}
        b.node(
            b.add_shape(
                panel(2, 2), material=b.unlit(pbrMetallicRoughness={"baseColorTexture": info})
            )
        )
        return b

    return make


TRANSFORM = FeaturePicture(
    "texture-transform",
    "none; offset by 0.25 in u; scale 2 in u; rotation by 30 degrees about the upper left, which "
    "rotates the picture clockwise; all three",
    tuple(
        Cell(label, transformed_texture(**transform))
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

PICTURES = (MAPS, SETS, SAMPLERS, TRANSFORM)
