"""Feature pictures of light: environment, key light, shadow, punctual lights, tone mapping."""

import numpy as np

from tests.feature_pictures.picture_grid import Cell, FeaturePicture, cells
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
from tests.support.radiance_files import write_radiance

NEAREST_MIPMAPPED = 9984
ROW = {"no_background": True, "camera_position": (0, 0.5, 12), "camera_target": (0, 0, 0)}


def balls(*, dark=False):
    """Three balls: matte white, glossy red, and a mirror."""
    b = Shapes()
    looks = (
        ((0.8, 0.8, 0.8, 1), 0, 1),
        ((0.6, 0.05, 0.05, 1), 0, 0.25),
        ((0.95, 0.95, 0.95, 1), 1, 0),
    )
    for x, (color, metallic, roughness) in zip((-2.2, 0, 2.2), looks, strict=True):
        b.node(b.add_shape(ball(), material=b.pbr_material(color, metallic, roughness)), (x, 0, 0))
    if dark:
        b.add_dark_light()
    return b


def balls_without_key_light():
    return balls(dark=True)


def write_sky(path):
    """Write a .hdr sky: blue above, brown below, green towards +X, a sun towards +Z."""
    y = np.mgrid[:32, :64][0]
    light = np.where((y < 16)[..., None], (0.25, 0.45, 0.9), (0.22, 0.14, 0.08))
    light[12:16, 30:35] = 0.1, 1.6, 0.2  # the middle column is +X
    light[8:11, 46:50] = 60, 50, 36  # a quarter to the right of it is +Z
    return write_radiance(path, light)


STUDIO = FeaturePicture(
    "light-studio",
    "matte, glossy and mirror balls: the studio without and with its key light, a .hdr (blue sky, "
    "brown ground, a sun in front, green at the right), and the same rotated by 90 degrees",
    (
        Cell("studio alone", balls_without_key_light),
        Cell("studio and key light", balls),
        Cell(".hdr", balls_without_key_light, options={"environment": "sky.hdr"}),
        Cell(
            ".hdr turned",
            balls_without_key_light,
            options={"environment": "sky.hdr", "environment_rotation": 90},
        ),
    ),
    columns=2,
    size=(120, 40),
    options=ROW | {"camera_fov": 13.5, "shadow": False},
)


def mushroom():
    """A cap on a post, and a ball: each casts a shadow on another part."""
    b = Shapes()
    white = b.pbr_material((0.75, 0.75, 0.72, 1), roughness=0.8)
    red = b.pbr_material((0.7, 0.15, 0.1, 1), roughness=0.5)
    b.node(b.add_shape(box((0.5, 1.2, 0.5), (0, 0.6, 0)), material=white))
    b.node(b.add_shape(ball(0.9), material=red), (0, 1.35, 0), scale=[1, 0.55, 1])
    b.node(b.add_shape(ball(0.35), material=white), (1.05, 0.35, -0.35))
    return b


SHADOW = FeaturePicture(
    "light-shadow",
    "the soft shadow of the key light on the ground, the post and the ball; without shadow; "
    "without ground; on a transparent background",
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


def lit_floor(*lights, spots=()):
    """A floor with a box and a ball, below lights: (position, fields of the light)."""
    b = Shapes()
    grey = b.pbr_material((0.35, 0.35, 0.35, 1), roughness=0.7)
    b.node(b.add_shape(floor(5), material=grey))
    b.node(b.add_shape(box((0.8, 0.8, 0.8), (0.7, 0.4, -0.3)), material=grey))
    b.node(
        b.add_shape(ball(0.45), material=b.pbr_material((0.3, 0.4, 0.7, 1), roughness=0.3)),
        (-0.8, 0.45, 0.4),
    )
    for at, row in lights:
        b.add_light(at, spots or (0, 0, 0), **row)
    return b


def sun():
    return lit_floor(
        ((2, 3, 1.5), {"type": "directional", "intensity": 2.5, "color": [1, 0.85, 0.6]})
    )


def point_light():
    return lit_floor(((0, 1.3, 0.6), {"type": "point", "intensity": 4}))


def point_light_with_range():
    return lit_floor(((0, 1.3, 0.6), {"type": "point", "intensity": 4, "range": 1.9}))


def spot():
    cone = {"innerConeAngle": 0.3, "outerConeAngle": 0.32}
    return lit_floor(((0.5, 3, 2.5), {"type": "spot", "intensity": 24, "spot": cone}))


def soft_spot():
    cone = {"innerConeAngle": 0.0, "outerConeAngle": 0.5}
    return lit_floor(((0.5, 3, 2.5), {"type": "spot", "intensity": 24, "spot": cone}))


def sun_and_point_light():
    """A directional light, which casts the shadow, and a point light."""
    return lit_floor(
        ((-2, 3, 1.5), {"type": "directional", "intensity": 2, "color": [1, 0.85, 0.6]}),
        ((1.5, 0.8, 1), {"type": "point", "intensity": 3, "color": [0.3, 0.5, 1]}),
    )


def zero_intensity():
    """A light of intensity 0; the key light of the studio is off."""
    return lit_floor(((0, 2, 0), {"type": "point", "intensity": 0}))


def three_lights():
    """A warm light from the left, a cold one from the right, a dim sun from behind."""
    return lit_floor(
        ((-2, 1.2, 1), {"type": "point", "intensity": 4, "color": [1, 0.35, 0.1]}),
        ((2, 1.2, 1), {"type": "point", "intensity": 4, "color": [0.1, 0.4, 1]}),
        ((0, 2, -3), {"type": "directional", "intensity": 1}),
    )


LIGHTS = FeaturePicture(
    "punctual-lights",
    "a floor, a box and a ball below lights of the file: a sun with its shadow, a point light "
    "without and with a range, spot lights with a hard and a soft cone, three of different "
    "colours, a sun and a point light, and one of intensity 0",
    tuple(
        Cell(label, make)
        for label, make in (
            ("directional", sun),
            ("point", point_light),
            ("range", point_light_with_range),
            ("spot, hard", spot),
            ("spot, soft", soft_spot),
            ("three", three_lights),
            ("sun and point", sun_and_point_light),
            ("none shines", zero_intensity),
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


def emissive_patches():
    """Emissive squares: five colours in columns, five strengths in rows."""
    b = Shapes()
    colours = (1, 1, 1), (1, 0.05, 0.02), (0.05, 0.8, 0.1), (0.05, 0.1, 1), (0.9, 0.55, 0.4)
    for y, strength in enumerate((0.18, 0.5, 1, 2, 8)):
        for x, color in enumerate(colours):
            glow = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
            material = b.pbr_material((0, 0, 0, 1), emissiveFactor=list(color), extensions=glow)
            b.node(b.square(0.94, material=material), (x - 2, 2 - y, 0))
    b.extension("KHR_materials_emissive_strength")
    b.add_dark_light()
    return b


TONES = FeaturePicture(
    "tone-mapping",
    "white, red, green, blue and skin colour at 0.18, 0.5, 1, 2 and 8 times, by tone mapping",
    cells(
        emissive_patches,
        ("neutral", "aces", "linear", "none"),
        tone_mapping=("neutral", "aces", "linear", "none"),
    ),
    size=(80, 80),
    options={"view": "front", "ortho": True, "no_background": True},
)

EXPOSURE = FeaturePicture(
    "exposure",
    "exposure -2, 0 and +2 EV; without tone mapping there is no exposure",
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


def blended_ball():
    """A blended ball that covers part of a bar."""
    b = Shapes()
    b.node(
        b.add_shape(box((0.5, 2.6, 0.3)), material=b.pbr_material((0.1, 0.5, 0.2, 1))),
        (-0.6, 0, -1.2),
    )
    clear = b.pbr_material((0.9, 0.35, 0.1, 0.45), roughness=0.3, alphaMode="BLEND")
    b.node(b.add_shape(ball(), material=clear), (0.25, 0, 0))
    return b


TRANSPARENT = FeaturePicture(
    "transparent-background",
    "a bar behind a blended ball: transparent (straight alpha), over white, black and red",
    cells(
        blended_ball,
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


def checkered_plain(*filters):
    """A black-and-white checkered plain up to the horizon."""

    def make():
        b = Shapes()
        squares = checker(2, 16, ((0, 0, 0), (255, 255, 255)))
        texture = b.texture(squares, (REPEAT, REPEAT), filters)
        parts = list(floor(200))
        parts[2] = np.asarray(parts[2]) * 100
        material = b.unlit(pbrMetallicRoughness={"baseColorTexture": {"index": texture}})
        b.node(b.add_shape(parts, material=material))
        return b

    return make


MIPMAPS = FeaturePicture(
    "mipmaps",
    "black and white squares up to the horizon, where they average to half the light (sRGB 188): "
    "trilinear, nearest level, linear without mipmaps, nearest",
    tuple(
        Cell(label, checkered_plain(*filters))
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

PICTURES = (STUDIO, SHADOW, LIGHTS, TONES, EXPOSURE, TRANSPARENT, MIPMAPS)
