"""Plates of light: studio, .hdr, key light, shadow, lights of the file, exposure, curves."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, Plate, cells
from tests.feature_pictures.shapes import (
    LINEAR,
    MIPMAPPED,
    NEAREST,
    REPEAT,
    Shapes,
    ball,
    box,
    checker,
    floor,
)

NEAREST_MIPMAPPED = 9984
ROW = {"no_background": True, "camera_position": (0, 0.5, 12), "camera_target": (0, 0, 0)}


def balls(*, dark=False):
    """Three balls: matt white, glossy red, a mirror."""
    b = Shapes()
    looks = (
        ((0.8, 0.8, 0.8, 1), 0, 1),
        ((0.6, 0.05, 0.05, 1), 0, 0.25),
        ((0.95, 0.95, 0.95, 1), 1, 0),
    )
    for x, (color, metallic, roughness) in zip((-2.2, 0, 2.2), looks, strict=True):
        b.node(b.body(ball(), material=b.paint(color, metallic, roughness)), (x, 0, 0))
    if dark:
        b.dark()
    return b


def balls_in_the_dark():
    return balls(dark=True)


def sky(path):
    """Write a sky as Radiance .hdr: blue above, brown below, green before +X, a sun before +Z."""
    y = np.mgrid[:32, :64][0]
    light = np.where((y < 16)[..., None], (0.25, 0.45, 0.9), (0.22, 0.14, 0.08))
    light[12:16, 30:35] = 0.1, 1.6, 0.2  # the middle column is +X
    light[8:11, 46:50] = 60, 50, 36  # a quarter to the right of it is +Z
    high = light.max(axis=-1)
    power = np.ceil(np.log2(high) + 1e-6)
    rgbe = np.concatenate([light * (256 / 2**power)[..., None], power[..., None] + 128], axis=-1)
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 32 +X 64\n"
    path.write_bytes(head + np.clip(rgbe, 0, 255).astype(np.uint8).tobytes())
    return path


STUDIO = Plate(
    "light-studio",
    "matt, glossy and mirroring balls: the studio without its key light, with it, by .hdr (blue "
    "sky, brown ground, a sun in front, green at the right), and by the same turned by a quarter",
    (
        Cell("studio alone", balls_in_the_dark),
        Cell("studio and key light", balls),
        Cell(".hdr", balls_in_the_dark, options={"environment": "sky.hdr"}),
        Cell(
            ".hdr turned",
            balls_in_the_dark,
            options={"environment": "sky.hdr", "environment_rotation": 90},
        ),
    ),
    columns=2,
    size=(120, 40),
    options=ROW | {"camera_fov": 13.5, "shadow": False},
)


def mushroom():
    """A cap on a post, and a ball beside: each throws a shadow on something."""
    b = Shapes()
    white = b.paint((0.75, 0.75, 0.72, 1), roughness=0.8)
    red = b.paint((0.7, 0.15, 0.1, 1), roughness=0.5)
    b.node(b.body(box((0.5, 1.2, 0.5), (0, 0.6, 0)), material=white))
    b.node(b.body(ball(0.9), material=red), (0, 1.35, 0), scale=[1, 0.55, 1])
    b.node(b.body(ball(0.35), material=white), (1.05, 0.35, -0.35))
    return b


SHADOW = Plate(
    "light-shadow",
    "the key light's soft shadow on the ground, of the cap on the post and on the ball; none by "
    "option; on the figure alone where the ground is not drawn; over nothing",
    cells(
        mushroom,
        ("shadow", "no shadow", "no ground", "transparent"),
        shadow=(None, False, None, None),
        grid=(None, None, False, True),
        no_background=(None, None, None, True),
    ),
    columns=4,
    size=(80, 80),
    options={
        "camera_position": (2.2, 2.9, 5.2),
        "camera_target": (-0.1, 0.75, 0),
        "camera_fov": 34,
    },
)


def lit(*lights, spots=()):
    """A floor with a box and a ball on it, below lights: (place, more about it)."""
    b = Shapes()
    grey = b.paint((0.35, 0.35, 0.35, 1), roughness=0.7)
    b.node(b.body(floor(5), material=grey))
    b.node(b.body(box((0.8, 0.8, 0.8), (0.7, 0.4, -0.3)), material=grey))
    b.node(
        b.body(ball(0.45), material=b.paint((0.3, 0.4, 0.7, 1), roughness=0.3)), (-0.8, 0.45, 0.4)
    )
    for at, row in lights:
        b.shine(at, spots or (0, 0, 0), **row)
    return b


def sun():
    return lit(((2, 3, 1.5), {"type": "directional", "intensity": 2.5, "color": [1, 0.85, 0.6]}))


def bulb():
    return lit(((0, 1.3, 0.6), {"type": "point", "intensity": 4}))


def bulb_with_range():
    return lit(((0, 1.3, 0.6), {"type": "point", "intensity": 4, "range": 1.9}))


def spot():
    cone = {"innerConeAngle": 0.3, "outerConeAngle": 0.32}
    return lit(((0.5, 3, 2.5), {"type": "spot", "intensity": 24, "spot": cone}))


def soft_spot():
    cone = {"innerConeAngle": 0.0, "outerConeAngle": 0.5}
    return lit(((0.5, 3, 2.5), {"type": "spot", "intensity": 24, "spot": cone}))


def sun_and_bulb():
    """The first light throws the shadow, whatever comes after it."""
    return lit(
        ((-2, 3, 1.5), {"type": "directional", "intensity": 2, "color": [1, 0.85, 0.6]}),
        ((1.5, 0.8, 1), {"type": "point", "intensity": 3, "color": [0.3, 0.5, 1]}),
    )


def none():
    """One that does not shine: the studio is without its key light then."""
    return lit(((0, 2, 0), {"type": "point", "intensity": 0}))


def three():
    """A warm one from the left, a cold one from the right, a weak sun from behind."""
    return lit(
        ((-2, 1.2, 1), {"type": "point", "intensity": 4, "color": [1, 0.35, 0.1]}),
        ((2, 1.2, 1), {"type": "point", "intensity": 4, "color": [0.1, 0.4, 1]}),
        ((0, 2, -3), {"type": "directional", "intensity": 1}),
    )


LIGHTS = Plate(
    "light-of-the-file",
    "a floor, a box and a ball below lights of the file: a sun with its shadow, a point, the same "
    "with a range, a spot with a hard and one with a soft cone, three of different colours, a sun "
    "with its shadow before a point, and one that does not shine",
    tuple(
        Cell(label, make)
        for label, make in (
            ("directional", sun),
            ("point", bulb),
            ("range", bulb_with_range),
            ("spot, hard", spot),
            ("spot, soft", soft_spot),
            ("three", three),
            ("sun and point", sun_and_bulb),
            ("none shines", none),
        )
    ),
    columns=4,
    size=(80, 60),
    options={
        "no_background": True,
        "camera_position": (0, 4.6, 6.4),
        "camera_target": (0, 0.15, 0),
        "camera_fov": 32,
    },
)


def patches():
    """Squares that send out light: five colours in columns, from dark to far too bright in rows."""
    b = Shapes()
    colours = (1, 1, 1), (1, 0.05, 0.02), (0.05, 0.8, 0.1), (0.05, 0.1, 1), (0.9, 0.55, 0.4)
    for y, strength in enumerate((0.18, 0.5, 1, 2, 8)):
        for x, color in enumerate(colours):
            glow = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
            material = b.paint((0, 0, 0, 1), emissiveFactor=list(color), extensions=glow)
            b.node(b.square(0.94, material=material), (x - 2, 2 - y, 0))
    b.extension("KHR_materials_emissive_strength")
    b.dark()
    return b


TONES = Plate(
    "tone-mapping",
    "patches of white, red, green, blue and skin at 0.18, 0.5, 1, 2 and 8 times, by each curve",
    cells(
        patches,
        ("neutral", "aces", "linear", "none"),
        tone_mapping=("neutral", "aces", "linear", "none"),
    ),
    size=(80, 80),
    options={"view": "front", "ortho": True, "no_background": True},
)

EXPOSURE = Plate(
    "exposure",
    "two stops less, none, two more; the curve none knows no exposure",
    cells(
        balls,
        ("-2 EV", "0 EV", "+2 EV", "+2 EV, none"),
        exposure=(-2, 0, 2, 2),
        tone_mapping=(None, None, None, "none"),
    ),
    columns=2,
    size=(120, 40),
    options=ROW | {"camera_fov": 13.5},
)


def glass():
    """A blended ball that covers part of a bar."""
    b = Shapes()
    b.node(b.body(box((0.5, 2.6, 0.3)), material=b.paint((0.1, 0.5, 0.2, 1))), (-0.6, 0, -1.2))
    clear = b.paint((0.9, 0.35, 0.1, 0.45), roughness=0.3, alphaMode="BLEND")
    b.node(b.body(ball(), material=clear), (0.25, 0, 0))
    return b


TRANSPARENT = Plate(
    "transparent-background",
    "a bar behind a ball of glass: over nothing as straight alpha, over white, black and red",
    cells(
        glass,
        ("nothing", "white", "black", "red"),
        no_background=(True, None, None, None),
        background=(None, "white", "black", "red"),
    ),
    options={
        "camera_position": (0, 0, 7),
        "camera_target": (0, 0, 0),
        "camera_fov": 26,
        "grid": False,
    },
)


def plain(*filters):
    """A checkered plain up to the horizon, in black and white that are grey from afar."""

    def make():
        b = Shapes()
        squares = checker(2, 16, ((0, 0, 0), (255, 255, 255)))
        texture = b.texture(squares, (REPEAT, REPEAT), filters)
        parts = list(floor(200))
        parts[2] = np.asarray(parts[2]) * 100
        material = b.unlit(pbrMetallicRoughness={"baseColorTexture": {"index": texture}})
        b.node(b.body(parts, material=material))
        return b

    return make


MIPMAPS = Plate(
    "mipmaps",
    "black and white squares up to the horizon, where they become the grey of half their light "
    "(188): smooth between levels, by levels, without levels, and without any filter",
    tuple(
        Cell(label, plain(*filters))
        for label, filters in (
            ("trilinear", (MIPMAPPED, LINEAR)),
            ("nearest level", (NEAREST_MIPMAPPED, NEAREST)),
            ("linear", (LINEAR, LINEAR)),
            ("nearest", (NEAREST, NEAREST)),
        )
    ),
    size=(64, 64),
    options={
        "no_background": True,
        "camera_position": (0, 1.5, 0),
        "camera_target": (0.3, 1.25, -1),
        "camera_fov": 40,
        "samples": 1,
    },
)

PLATES = (STUDIO, SHADOW, LIGHTS, TONES, EXPOSURE, TRANSPARENT, MIPMAPS)
