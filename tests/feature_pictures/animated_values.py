"""Plates of what moves beside skinned joints: rigid parts, flip-books, signs, lamps, cameras."""

import math

import numpy as np

from tests.feature_pictures.picture_grid import Cell, Plate, moments
from tests.feature_pictures.shapes import (
    CLAMP,
    NEAREST,
    REPEAT,
    Shapes,
    arrows,
    ball,
    box,
    floor,
    letter,
    panel,
)
from tests.support.animated_value_files import LIGHT, OFFSET, VISIBLE, about

FRONT = {"no_background": True, "camera_fov": 26}


def arm():
    """A robot arm of rigid boxes: it bends forward at two joints, and its fingers close."""
    b = Shapes()
    steel, red = b.paint((0.5, 0.52, 0.56, 1), 0.9, 0.35), b.paint((0.75, 0.2, 0.08, 1))
    b.node(b.body(box((0.9, 0.3, 0.9), (0, 0.15, 0)), material=steel), children=[1], name="Base")
    upper = b.body(box((0.28, 1.2, 0.28), (0, 0.6, 0)), material=red)
    b.node(upper, (0, 0.3, 0), children=[2], name="Upper")
    lower = b.body(box((0.22, 1.0, 0.22), (0, 0.5, 0)), material=steel)
    b.node(lower, (0, 1.2, 0), children=[3, 4], name="Lower")
    finger = b.body(box((0.08, 0.35, 0.2), (0, 0.17, 0)), material=red)
    b.node(finger, (-0.2, 1.0, 0), name="Left finger")
    b.node(finger, (0.2, 1.0, 0), name="Right finger")
    times = [0, 1, 2, 3]
    b.animation(
        (0, "rotation", times, [about("y", a) for a in (0, -20, -40, -60)]),
        (1, "rotation", times, [about("z", a) for a in (0, -30, -40, -50)]),
        (2, "rotation", times, [about("z", a) for a in (0, -60, -85, -95)]),
        (3, "translation", times, [[x, 1, 0] for x in (-0.2, -0.2, -0.2, -0.09)]),
        (4, "translation", times, [[x, 1, 0] for x in (0.2, 0.2, 0.2, 0.09)]),
        name="Reach",
    )
    return b


ARM = Plate(
    "robot-arm",
    "an arm of rigid boxes that turns on its base, bends at two joints and closes its fingers; its "
    "shadow goes along",
    moments(arm, 0.0, 1.0, 2.0, 3.0),
    size=(80, 80),
    options={
        "camera_position": (2.2, 3.2, 7.5),
        "camera_target": (0.5, 1.2, 0),
        "camera_fov": 28,
        "no_background": True,
        "grid": True,
    },
)
STEPS = 12


def cloth(phase):
    """A waving flag 2 m long, held at its left: points and normals."""
    points, _, uv, indices, _ = panel(2, 1.2, STEPS)
    x = points[:, 0] + 1
    points[:, 2] = 0.22 * x * np.sin(3.2 * x - phase)
    slope = 0.22 * (np.sin(3.2 * x - phase) + 3.2 * x * np.cos(3.2 * x - phase))
    normals = np.stack([-slope, 0 * x, 0 * x + 1], -1)
    return points, normals / np.linalg.norm(normals, axis=-1, keepdims=True), uv, indices


def flag_paint(b):
    """White, red and blue stripes on both sides."""
    rows = np.array([(200, 40, 40), (235, 235, 235), (40, 70, 170)], np.uint8)
    pixels = rows.repeat(8, 0)[:, None].repeat(8, 1)
    pbr = {"baseColorTexture": {"index": b.texture(pixels, (CLAMP, CLAMP))}}
    return b.paint((1, 1, 1, 1), pbr=pbr, roughness=0.7, doubleSided=True)


def flip_book():
    """A flag of four frames, of which one is shown at a time."""
    b = Shapes()
    b.extension("KHR_node_visibility")
    cloths = flag_paint(b)
    b.node(children=[1, 2, 3, 4], name="Flag")
    for k in range(4):
        shown = {"KHR_node_visibility": {"visible": k == 0}}
        mesh = b.body(cloth(k * np.pi / 2), material=cloths)
        b.node(mesh, extensions=shown, name=f"Frame {k}")
    times = np.arange(5) / 4
    b.pointer(
        *[(VISIBLE.format(k + 1), times, [*(np.arange(4) == k), k == 0]) for k in range(4)],
        name="Flip",
    )
    return b


def morphed():
    """The same flag, waving by two morph targets with normals: a quarter of a wave each."""
    b = Shapes()
    rest, one, other = cloth(0), cloth(np.pi / 2), cloth(np.pi)
    mesh = b.body(rest, material=flag_paint(b))
    b.json["meshes"][mesh]["primitives"][0]["targets"] = [
        {"POSITION": b.accessor(t[0] - rest[0]), "NORMAL": b.accessor(t[1] - rest[1])}
        for t in (one, other)
    ]
    b.node(mesh, name="Flag")
    weights = [[0, 0], [1, 0], [0, 1], [-1, 1], [0, 0]]
    b.animation((0, "weights", np.arange(5) / 4, weights), name="Wave")
    return b


FLAG = {
    "no_background": True,
    "camera_fov": 19,
    "camera_position": (1.6, 1.4, 5.2),
    "camera_target": (0, 0, 0),
    "shadow": False,
}
FLIP = Plate(
    "flag-flip-book",
    "four frames of a flag, one at a time: at the beginning of one, near its end, in the others",
    moments(flip_book, 0.0, 0.24, 0.25, 0.6, 0.9, 1.0),
    columns=3,
    size=(72, 48),
    options=FLAG,
)
MORPHS = Plate(
    "flag-morphs",
    "the same flag by two morph targets: as the flip-book at 0 to 0.75, and two moments between",
    moments(morphed, 0.0, 0.125, 0.25, 0.375, 0.5, 0.75),
    columns=3,
    size=(72, 48),
    options=FLAG,
)


def boards():
    """Three signs on posts: one that is fixed, one that turns about its post, one that faces."""
    b = Shapes()
    sign = b.unlit(
        pbrMetallicRoughness={
            "baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP), (NEAREST, NEAREST))}
        }
    )
    post = b.body(box((0.12, 1.08, 0.12), (0, 0.54, 0)), material=b.paint((0.5, 0.4, 0.3, 1)))
    face = b.body(panel(1, 1), material=sign)
    for x, kind in ((-1.4, None), (0, "axis"), (1.4, "full")):
        b.node(post, (x, 0, 0))
        extras = {"rigview": {"billboard": kind}} if kind else {}
        b.node(face, (x, 1.6, 0), extras=extras)
    return b


PLAN = {"ortho": True}
NEAR = {"camera_target": (-0.6, 1.2, 0), "camera_fov": 80}
BOARDS = Plate(
    "billboards",
    "from left to right a sign that stays, one that turns about its upright axis, one that is "
    "parallel to the picture: in parallel view from the front, from 60 degrees aside, from above "
    "and from behind; from near, where the second one turns to the place of the camera",
    (
        *(
            Cell(label, boards, options=PLAN | {"camera_azimuth": a, "camera_elevation": e})
            for label, a, e in (
                ("front", 0, 0),
                ("60° aside", 60, 0),
                ("55° above", 0, 55),
                ("150°, 35°", 150, 35),
            )
        ),
        Cell("near", boards, options=NEAR | {"camera_position": (0.6, 1.6, 2.2)}),
        Cell("near, above", boards, options=NEAR | {"camera_position": (0.6, 3.4, 1.8)}),
    ),
    columns=3,
    size=(96, 62),
    options={"no_background": True, "shadow": False},
)


def belt():
    """A belt with arrows that runs to the right under a box that rides on it."""
    b = Shapes()
    b.extension("KHR_texture_transform")
    info = {
        "index": b.texture(arrows(), (REPEAT, REPEAT)),
        "extensions": {"KHR_texture_transform": {"scale": [4, 1]}},
    }
    b.paint((1, 1, 1, 1), pbr={"baseColorTexture": info}, roughness=0.8)
    parts = list(floor(1))
    parts[0] = parts[0] * (4, 1, 1)
    b.node(b.body(parts, material=0), name="Belt")
    crate = b.paint((0.55, 0.35, 0.15, 1), roughness=0.8)
    b.node(b.body(box((0.5, 0.5, 0.5), (0, 0.25, 0)), material=crate), (-1.2, 0, 0), name="Crate")
    b.pointer((OFFSET, [0, 2], [[0, 0], [-2, 0]]), name="Run")  # four widths are 4 m
    rows = b.json["animations"][0]
    rows["samplers"].append(
        {"input": b.accessor([0, 2]), "output": b.accessor([[-1.2, 0, 0], [0.8, 0, 0]])}
    )
    rows["channels"].append({"sampler": 1, "target": {"node": 1, "path": "translation"}})
    return b


BELT = Plate(
    "conveyor",
    "a belt whose texture runs by its offset; the crate stays on the same arrow",
    moments(belt, 0.0, 0.4, 1.0, 2.0),
    columns=2,
    size=(104, 48),
    options=FRONT
    | {"camera_position": (0, 3.4, 6), "camera_target": (0, 0.1, 0), "camera_fov": 17},
)


def lamp():
    """A bulb above a table: it turns from white to red, grows bright, and reaches less far."""
    b = Shapes()
    grey = b.paint((0.35, 0.35, 0.35, 1), roughness=0.8)
    b.node(b.body(floor(4), material=grey))
    b.node(b.body(box((0.5, 0.5, 0.5), (0.6, 0.25, 0)), material=grey))
    b.shine((0, 1.0, 0), (0, 0, 0), type="point", intensity=0, range=20)
    b.pointer(
        (f"{LIGHT}/intensity", [0, 1, 2, 3], [0, 6, 6, 6]),
        (f"{LIGHT}/color", [0, 1, 2, 3], [[1, 1, 1], [1, 1, 1], [1, 0.15, 0.05], [0.1, 0.3, 1]]),
        (f"{LIGHT}/range", [0, 2, 3], [20, 20, 1.4]),
        name="Glow",
    )
    return b


LAMP = Plate(
    "lamp",
    "a point of light that is off, then white, then red, then blue and with a range of 1.4 m",
    moments(lamp, 0.0, 1.0, 2.0, 3.0),
    size=(72, 56),
    options=FRONT | {"camera_position": (0, 4, 5), "camera_target": (0, 0.1, 0), "camera_fov": 34},
)


def filmed():
    """A letter and a ball, and two cameras: one goes back and turns, one has a parallel view."""
    b = Shapes()
    pbr = {"baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP), (NEAREST, NEAREST))}}
    b.node(b.body(box((1, 1, 1)), material=b.paint((1, 1, 1, 1), pbr=pbr)))
    b.node(b.body(ball(0.4), material=b.paint((0.2, 0.5, 0.8, 1))), (1.2, -0.1, -1))
    lens = {"yfov": math.radians(50), "znear": 0.1}
    b.add("cameras", name="Dolly", type="perspective", perspective=lens)
    flat = {"xmag": 1.5, "ymag": 1.5, "znear": 0, "zfar": 20}
    b.add("cameras", name="Plan", type="orthographic", orthographic=flat)
    b.node(at=(0.5, 0, 2.5), camera=0, name="Dolly")
    b.node(at=(0.4, 5, 0), rotation=about("x", -90), camera=1, name="Plan")
    b.animation(
        (2, "translation", [0, 2], [[0.5, 0, 2.5], [0.9, 0.6, 4]]),
        (2, "rotation", [0, 2], [about("z", 0), about("z", 25)]),
        name="Back",
    )
    b.pointer(
        ("/cameras/0/perspective/yfov", [0, 2], [math.radians(50), math.radians(90)]),
        ("/cameras/1/orthographic/ymag", [0, 2], [1.5, 0.75]),
        name="Zoom",
    )
    return b


CUTS = {"at": ["0.5:cut:Dolly", "1.5:cut:Plan"]}
CAMERAS = Plate(
    "cameras",
    "through a camera of the file that goes back and rolls; one whose angle of view widens; one of "
    "parallel view from above that comes nearer; and a motion that cuts from the free one to both",
    (
        *moments(filmed, 0.0, 2.0, clip=0, label="Dolly, {} s", camera="Dolly"),
        Cell("Dolly wide, 2 s", filmed, 2.0, 1, {"camera": "Dolly"}),
        *moments(filmed, 0.0, 2.0, clip=1, label="Plan, {} s", camera="Plan"),
        *moments(filmed, 0.4, 1.4, 1.6, clip=0, label="cuts, {} s", **CUTS),
    ),
    options={"no_background": True, "shadow": False},
)

PLATES = (ARM, FLIP, MORPHS, BOARDS, BELT, LAMP, CAMERAS)
