"""Generated files of the rows: figures, balls, panes and boxes, each for one number."""

import numpy as np

from tests.bench.viewer_comparison.feature_files import add_node, ball, completed, textured
from tests.support.animated_value_files import FeatureBuilder, rotation_about

WHITE = (1.0, 1.0, 1.0, 1)
PARTS = (  # middle and half axes of a figure's parts, metres
    ((0, 1.62, 0), (0.12, 0.15, 0.13)),
    ((0, 1.14, 0), (0.22, 0.36, 0.15)),
    ((0.32, 1.12, 0), (0.07, 0.36, 0.07)),
    ((-0.32, 1.12, 0), (0.07, 0.36, 0.07)),
    ((0.12, 0.46, 0), (0.1, 0.44, 0.1)),
    ((-0.12, 0.46, 0), (0.1, 0.44, 0.1)),
    ((0.12, 0.06, 0.06), (0.09, 0.06, 0.17)),
    ((-0.12, 0.06, 0.06), (0.09, 0.06, 0.17)),
)
MASK_SHARE = 0.35  # of the masked texture
LAYERS = (
    ("clearcoat", {"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.05}),
    ("sheen", {"sheenColorFactor": [0.9, 0.8, 1.0], "sheenRoughnessFactor": 0.4}),
    ("iridescence", {"iridescenceFactor": 1, "iridescenceThicknessMaximum": 400}),
)
LINEAR = {"magFilter": 9729, "minFilter": 9987}


def smooth(b, color, metallic=0, roughness=0.5, **row):
    """Append a material; return its index."""
    pbr = {"baseColorFactor": color, "metallicFactor": metallic, "roughnessFactor": roughness}
    return b.add("materials", pbrMetallicRoughness=pbr, **row)


def white_figure(rings=32):
    """An untextured figure of ellipsoids that stands on the floor."""
    b = FeatureBuilder()
    material = smooth(b, WHITE, roughness=0.9)
    for middle, axes in PARTS:
        node = ball(b, material, middle, rings=rings)
        b.json["nodes"][node]["scale"] = list(axes)
    return b


def one_ball(color, **material):
    """A ball on the floor."""
    b = FeatureBuilder()
    ball(b, smooth(b, color, **material), (0, 0.5, 0), 0.5, 64)
    return b


def glass(alpha):
    """A ball in a larger one of glass: opaque with `alpha` 1, without it if it is None."""
    b = FeatureBuilder()
    ball(b, smooth(b, (0.6, 0.3, 0.15, 1)), (0, 0.5, 0), 0.2)
    if alpha is not None:
        mode = {"alphaMode": "BLEND"} if alpha < 1 else {}
        ball(b, smooth(b, (0.9, 0.95, 1, alpha), roughness=0, **mode), (0, 0.5, 0), 0.5, 64)
    return b


def fading_pane():
    """A pane whose alpha rises from left to right, just before a wall."""
    b = FeatureBuilder()
    fade = np.full((8, 512, 4), (200, 90, 60, 255), np.uint8)
    fade[..., 3] = np.linspace(0, 255, 512).astype(np.uint8)
    clamped = LINEAR | {"wrapS": 33071, "wrapT": 33071}
    pane = textured(b, b.picture(fade), sampler=clamped, alphaMode="BLEND")
    add_node(b, b.square(1.0, material=b.material((0.5, 0.5, 0.5, 1))), (0, 0.5, 0))
    add_node(b, b.square(0.8, material=pane), (0, 0.5, 0.03))
    return b


def leaves(repeats, solid=False):
    """A sheet with masked leaves, 8 to each repeat of the texture; solid: without the mask."""
    b = FeatureBuilder()
    side, cell = 128, 16
    v, u = np.meshgrid(*[(np.arange(side) + 0.5) % cell / cell - 0.5] * 2, indexing="ij")
    away = np.hypot(u, v) - np.sqrt(MASK_SHARE / np.pi)  # a disc in each cell
    picture = np.full((side, side, 4), (70, 140, 50, 255), np.uint8)
    picture[..., 3] = np.clip(128 - away * cell * 128, 0, 255)
    mode = {} if solid else {"alphaMode": "MASK"}
    material = textured(b, b.picture(picture), {"scale": [repeats, repeats]}, LINEAR, **mode)
    add_node(b, b.square(1.0, material=material), (0, 0.5, 0))
    return b


def crossing(*planes):
    """Two half-transparent unlit planes that cross along the vertical middle, or one of them."""
    b = FeatureBuilder()
    for k in planes:
        color = ((0.8, 0.1, 0.1, 0.5), (0.1, 0.2, 0.8, 0.5))[k]
        material = b.unlit(pbrMetallicRoughness={"baseColorFactor": color}, alphaMode="BLEND")
        turn = rotation_about("y", (30, -30)[k])
        add_node(b, b.square(1.0, material=material), (0, 0.5, 0), rotation=turn)
    return b


def sinking_ball():
    """An unlit ball that lies on the floor at rest, and is lowered through it by a clip."""
    b = FeatureBuilder()
    material = b.unlit(pbrMetallicRoughness={"baseColorFactor": (0.7, 0.3, 0.1, 1)})
    node = ball(b, material, (0, 0.5, 0), 0.5)
    b.animation((node, "translation", [0.0, 1.0], [[0, 0.5, 0], [0, 0.15, 0]]))
    return b


def layered_balls(layers):
    """A dark red ball for each material layer, with or without the layer."""
    b = FeatureBuilder()
    for k, (name, row) in enumerate(LAYERS):
        more = {"extensions": {f"KHR_materials_{name}": row}} if layers else {}
        if layers:
            b.extension(f"KHR_materials_{name}")
        ball(b, smooth(b, (0.3, 0.04, 0.05, 1), roughness=0.5, **more), (k, 0.45, 0))
    return b


def row_files():
    """The builders of all files, by name."""
    return completed(
        {
            "white-figure": white_figure(),
            "coarse-figure": white_figure(rings=8),
            "leather-ball": one_ball((0.06, 0.035, 0.02, 1), roughness=0.55),
            "metal-ball": one_ball((0.95, 0.95, 0.95, 1), metallic=1, roughness=0.02),
            "visor-ball": one_ball((0.01, 0.01, 0.012, 1), roughness=0.02),
            "glass": glass(0.12),
            "glass-opaque": glass(1.0),
            "glass-none": glass(None),
            "fading-pane": fading_pane(),
            "leaves": leaves(12),
            "leaves-far": leaves(25),
            "leaves-solid": leaves(12, solid=True),
            "crossing": crossing(0, 1),
            "crossing-red": crossing(0),
            "crossing-blue": crossing(1),
            "sinking-ball": sinking_ball(),
            "layers": layered_balls(layers=True),
            "layers-none": layered_balls(layers=False),
        }
    )
