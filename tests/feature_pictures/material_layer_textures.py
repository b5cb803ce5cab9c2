"""Feature pictures of textures and of animated properties of material extensions."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, FeaturePicture, moments
from tests.feature_pictures.shapes import NEAREST, Shapes, ball, bumps, checker, panel


def extended_ball(
    color=(0.5, 0.05, 0.04, 1), metallic=0.0, roughness=0.6, behind=False, **extensions
):
    """A ball with extensions KHR_materials_NAME; textures are given as pixels."""

    def make():
        b, said = Shapes(), {}
        for name, row in extensions.items():
            kind = f"KHR_materials_{name}"
            b.extension(kind)
            said[kind] = {
                key: {"index": b.texture(value)} if isinstance(value, np.ndarray) else value
                for key, value in row.items()
            }
        material = b.pbr_material(color, metallic, roughness, extensions=said)
        b.node(b.add_shape(ball(), material=material, tangents=True))
        if behind:
            look = {"baseColorTexture": {"index": b.texture(checker(), filters=(NEAREST, NEAREST))}}
            sheet = b.unlit(pbrMetallicRoughness=look)
            b.node(b.add_shape(panel(2.6, 2.6), material=sheet), (0, 0, -1.2))
        return b

    return make


HALVES = np.zeros((8, 8, 4), np.uint8)
HALVES[:, 4:] = 255  # 1 in the right half
LOWER = np.full((8, 8, 4), 255, np.uint8)
LOWER[:, :4, 3] = 50  # lower alpha at the left
WHITE = (0.9, 0.9, 0.9, 1)
GLASS = {"transmissionFactor": 1}
SHEEN = {"sheenColorFactor": [0.9, 0.8, 1], "sheenRoughnessFactor": 0.4}
EXTENSIONS = {
    "coat": extended_ball(clearcoat={"clearcoatFactor": 1, "clearcoatTexture": HALVES}),
    "coat's roughness": extended_ball(
        clearcoat={
            "clearcoatFactor": 1,
            "clearcoatRoughnessFactor": 0.6,
            "clearcoatRoughnessTexture": HALVES,
        }
    ),
    "coat's bumps": extended_ball(
        clearcoat={"clearcoatFactor": 1, "clearcoatNormalTexture": bumps(6, strength=0.4)}
    ),
    "sheen": extended_ball(roughness=1, sheen=SHEEN | {"sheenColorTexture": HALVES}),
    "sheen's roughness": extended_ball(
        roughness=1,
        sheen=SHEEN | {"sheenRoughnessFactor": 1, "sheenRoughnessTexture": LOWER},
    ),
    "specular": extended_ball(roughness=0.2, specular={"specularTexture": HALVES}),
    "specular colour": extended_ball(
        roughness=0.2,
        specular={"specularColorFactor": [0.1, 2, 4], "specularColorTexture": HALVES},
    ),
    "glass": extended_ball(
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
BY_TEXTURE = FeaturePicture(
    "material-layer-textures",
    "layers on the right half of a ball, or less rough on one half; normal map of the clearcoat",
    tuple(Cell(label, make) for label, make in EXTENSIONS.items()),
    columns=4,
    size=(40, 40),
    options=SEEN,
)


def animated_extension(kind, key, values, row, **look):
    """A ball with one animated property of an extension."""

    def make():
        b = extended_ball(**look, **{kind: row})()
        b.pointer((f"/materials/0/extensions/KHR_materials_{kind}/{key}", [0, 1], values))
        return b

    return make


ANIMATED = {
    "coat": animated_extension("clearcoat", "clearcoatFactor", [0, 1], {"clearcoatFactor": 0}),
    "coat's roughness": animated_extension(
        "clearcoat", "clearcoatRoughnessFactor", [0, 1], {"clearcoatFactor": 1}
    ),
    "sheen": animated_extension(
        "sheen",
        "sheenColorFactor",
        [[0, 0, 0], [0.4, 0.9, 0.6]],
        {"sheenColorFactor": [0, 0, 0], "sheenRoughnessFactor": 0.5},
        roughness=1,
    ),
    "specular": animated_extension("specular", "specularFactor", [1, 0], {}, roughness=0.2),
    "ior": animated_extension("ior", "ior", [1, 2.4], {}, roughness=0.2),
    "transmission": animated_extension(
        "transmission", "transmissionFactor", [0, 1], {}, color=WHITE, roughness=0, behind=True
    ),
}
ANIMATED_PICTURE = FeaturePicture(
    "pointers-material-layers",
    "animated properties of material layers at the start, the middle and the end",
    tuple(
        cell
        for name, make in ANIMATED.items()
        for cell in moments(make, 0.0, 0.5, 1.0, label=f"{name}, {{}} s")
    ),
    columns=6,
    size=(28, 28),
    options=SEEN,
)


def thick_ball(roughness=0.0, ior=1.5, **volume):
    """A transmissive ball of a green medium before a checkered square."""
    row = {"attenuationDistance": 0.8, "attenuationColor": [0.3, 0.8, 0.4], **volume}
    look = {"roughness": roughness, "behind": True, "transmission": GLASS, "ior": {"ior": ior}}
    return extended_ball(WHITE, **look, volume=row)


ABSORBING = animated_extension(
    "volume",
    "attenuationDistance",
    [4, 0.2],
    {"thicknessFactor": 1, "attenuationColor": [0.9, 0.4, 0.2]},
    color=WHITE,
    roughness=0,
    behind=True,
    transmission=GLASS,
)
VOLUME = FeaturePicture(
    "volume",
    "a ball of a green medium before squares: without thickness, thickness 0.5 and 1.5; index of "
    "refraction 1 and 2.4; rough; thickness on its right half; animated attenuation distance",
    (
        Cell("thin", thick_ball()),
        Cell("0.5", thick_ball(thicknessFactor=0.5)),
        Cell("1.5", thick_ball(thicknessFactor=1.5)),
        Cell("ior 1", thick_ball(ior=1.0, thicknessFactor=1.5)),
        Cell("ior 2.4", thick_ball(ior=2.4, thicknessFactor=1.5)),
        Cell("rough", thick_ball(0.4, thicknessFactor=1.5)),
        Cell("texture", thick_ball(thicknessFactor=1.5, thicknessTexture=HALVES)),
        *moments(ABSORBING, 0.75, label="{} s"),
    ),
    columns=4,
    size=(30, 30),
    options=SEEN,
)

PICTURES = (BY_TEXTURE, ANIMATED_PICTURE, VOLUME)
