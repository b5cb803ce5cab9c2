"""Feature pictures of animation without skins: rigid parts, flip-books, lights, cameras."""

import math

import numpy as np

from tests.feature_pictures.picture_grid import Cell, FeaturePicture, moments
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
from tests.support.animated_value_files import LIGHT, OFFSET, VISIBLE, rotation_about

FRONT = {"no_background": True, "camera_fov": 26}


def arm():
    """A robot arm of rigid boxes that bends at two joints and closes its fingers."""
    b = Shapes()
    steel, red = (
        b.pbr_material((0.5, 0.52, 0.56, 1), 0.9, 0.35),
        b.pbr_material((0.75, 0.2, 0.08, 1)),
    )
    b.node(
        b.add_shape(box((0.9, 0.3, 0.9), (0, 0.15, 0)), material=steel), children=[1], name="Base"
    )
    upper = b.add_shape(box((0.28, 1.2, 0.28), (0, 0.6, 0)), material=red)
    b.node(upper, (0, 0.3, 0), children=[2], name="Upper")
    lower = b.add_shape(box((0.22, 1.0, 0.22), (0, 0.5, 0)), material=steel)
    b.node(lower, (0, 1.2, 0), children=[3, 4], name="Lower")
    finger = b.add_shape(box((0.08, 0.35, 0.2), (0, 0.17, 0)), material=red)
    b.node(finger, (-0.2, 1.0, 0), name="Left finger")
    b.node(finger, (0.2, 1.0, 0), name="Right finger")
    times = [0, 1, 2, 3]
    b.animation(
        (0, "rotation", times, [rotation_about("y", a) for a in (0, -20, -40, -60)]),
        (1, "rotation", times, [rotation_about("z", a) for a in (0, -30, -40, -50)]),
        (2, "rotation", times, [rotation_about("z", a) for a in (0, -60, -85, -95)]),
        (3, "translation", times, [[x, 1, 0] for x in (-0.2, -0.2, -0.2, -0.09)]),
        (4, "translation", times, [[x, 1, 0] for x in (0.2, 0.2, 0.2, 0.09)]),
        name="Reach",
    )
    return b


ARM = FeaturePicture(
    "robot-arm",
    "an arm of rigid boxes that turns on its base, bends at two joints and closes its fingers; its "
    "shadow moves with it",
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


def waving_flag(phase):
    """A waving flag 2 m long, fixed at its left end."""
    points, _, uv, indices, _ = panel(2, 1.2, STEPS)
    x = points[:, 0] + 1
    points[:, 2] = 0.22 * x * np.sin(3.2 * x - phase)
    slope = 0.22 * (np.sin(3.2 * x - phase) + 3.2 * x * np.cos(3.2 * x - phase))
    normals = np.stack([-slope, 0 * x, 0 * x + 1], -1)
    return points, normals / np.linalg.norm(normals, axis=-1, keepdims=True), uv, indices


def flag_material(b):
    """A double-sided material with red, white and blue stripes."""
    rows = np.array([(200, 40, 40), (235, 235, 235), (40, 70, 170)], np.uint8)
    pixels = rows.repeat(8, 0)[:, None].repeat(8, 1)
    pbr = {"baseColorTexture": {"index": b.texture(pixels, (CLAMP, CLAMP))}}
    return b.pbr_material((1, 1, 1, 1), pbr=pbr, roughness=0.7, doubleSided=True)


def flip_book():
    """A flag of four meshes, of which one at a time is visible."""
    b = Shapes()
    b.extension("KHR_node_visibility")
    cloths = flag_material(b)
    b.node(children=[1, 2, 3, 4], name="Flag")
    for k in range(4):
        shown = {"KHR_node_visibility": {"visible": k == 0}}
        mesh = b.add_shape(waving_flag(k * np.pi / 2), material=cloths)
        b.node(mesh, extensions=shown, name=f"Frame {k}")
    times = np.arange(5) / 4
    b.pointer(
        *[(VISIBLE.format(k + 1), times, [*(np.arange(4) == k), k == 0]) for k in range(4)],
        name="Flip",
    )
    return b


def morphed_flag():
    """The same flag, animated by two morph targets with normals."""
    b = Shapes()
    rest, one, other = waving_flag(0), waving_flag(np.pi / 2), waving_flag(np.pi)
    mesh = b.add_shape(rest, material=flag_material(b))
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
FLIP = FeaturePicture(
    "flag-flip-book",
    "four frames of a flag, one at a time: at the start and the end of one, and the others",
    moments(flip_book, 0.0, 0.24, 0.25, 0.6, 0.9, 1.0),
    columns=3,
    size=(72, 48),
    options=FLAG,
)
MORPHS = FeaturePicture(
    "flag-morphs",
    "the same flag by two morph targets: at the times of the flip-book and two times between",
    moments(morphed_flag, 0.0, 0.125, 0.25, 0.375, 0.5, 0.75),
    columns=3,
    size=(72, 48),
    options=FLAG,
)


def billboards():
    """Three signs on posts: without billboard, with an axial and with a full billboard."""
    b = Shapes()
    sign = b.unlit(
        pbrMetallicRoughness={
            "baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP), (NEAREST, NEAREST))}
        }
    )
    post = b.add_shape(
        box((0.12, 1.08, 0.12), (0, 0.54, 0)), material=b.pbr_material((0.5, 0.4, 0.3, 1))
    )
    face = b.add_shape(panel(1, 1), material=sign)
    for x, kind in ((-1.4, None), (0, "axis"), (1.4, "full")):
        b.node(post, (x, 0, 0))
        extras = {"rigview": {"billboard": kind}} if kind else {}
        b.node(face, (x, 1.6, 0), extras=extras)
    return b


PLAN = {"ortho": True}
NEAR = {"camera_target": (-0.6, 1.2, 0), "camera_fov": 80}
BILLBOARDS = FeaturePicture(
    "billboards",
    "from left to right a fixed sign, one that turns about its vertical axis, one parallel to the "
    "image plane: orthographic from the front, 60 degrees aside, above and behind; in perspective "
    "from close up, where the second one turns towards the camera's position",
    (
        *(
            Cell(label, billboards, options=PLAN | {"camera_azimuth": a, "camera_elevation": e})
            for label, a, e in (
                ("front", 0, 0),
                ("60° aside", 60, 0),
                ("55° above", 0, 55),
                ("150°, 35°", 150, 35),
            )
        ),
        Cell("near", billboards, options=NEAR | {"camera_position": (0.6, 1.6, 2.2)}),
        Cell("near, above", billboards, options=NEAR | {"camera_position": (0.6, 3.4, 1.8)}),
    ),
    columns=3,
    size=(96, 62),
    options={"no_background": True, "shadow": False},
)


def conveyor_belt():
    """A belt with arrows that moves to the right, and a crate on it."""
    b = Shapes()
    b.extension("KHR_texture_transform")
    info = {
        "index": b.texture(arrows(), (REPEAT, REPEAT)),
        "extensions": {"KHR_texture_transform": {"scale": [4, 1]}},
    }
    b.pbr_material((1, 1, 1, 1), pbr={"baseColorTexture": info}, roughness=0.8)
    parts = list(floor(1))
    parts[0] = parts[0] * (4, 1, 1)
    b.node(b.add_shape(parts, material=0), name="Belt")
    crate = b.pbr_material((0.55, 0.35, 0.15, 1), roughness=0.8)
    b.node(
        b.add_shape(box((0.5, 0.5, 0.5), (0, 0.25, 0)), material=crate), (-1.2, 0, 0), name="Crate"
    )
    b.pointer((OFFSET, [0, 2], [[0, 0], [-2, 0]]), name="Run")  # four widths are 4 m
    rows = b.json["animations"][0]
    rows["samplers"].append(
        {"input": b.accessor([0, 2]), "output": b.accessor([[-1.2, 0, 0], [0.8, 0, 0]])}
    )
    rows["channels"].append({"sampler": 1, "target": {"node": 1, "path": "translation"}})
    return b


CONVEYOR = FeaturePicture(
    "conveyor",
    "a belt animated by its texture offset; the crate stays on the same arrow",
    moments(conveyor_belt, 0.0, 0.4, 1.0, 2.0),
    columns=2,
    size=(104, 48),
    options=FRONT
    | {"camera_position": (0, 3.4, 6), "camera_target": (0, 0.1, 0), "camera_fov": 17},
)


def point_light():
    """A point light with animated intensity, colour and range."""
    b = Shapes()
    grey = b.pbr_material((0.35, 0.35, 0.35, 1), roughness=0.8)
    b.node(b.add_shape(floor(4), material=grey))
    b.node(b.add_shape(box((0.5, 0.5, 0.5), (0.6, 0.25, 0)), material=grey))
    b.add_light((0, 1.0, 0), (0, 0, 0), type="point", intensity=0, range=20)
    b.pointer(
        (f"{LIGHT}/intensity", [0, 1, 2, 3], [0, 6, 6, 6]),
        (f"{LIGHT}/color", [0, 1, 2, 3], [[1, 1, 1], [1, 1, 1], [1, 0.15, 0.05], [0.1, 0.3, 1]]),
        (f"{LIGHT}/range", [0, 2, 3], [20, 20, 1.4]),
        name="Glow",
    )
    return b


POINT_LIGHT = FeaturePicture(
    "point-light",
    "a point light that is off, then white, then red, then blue with a range of 1.4 m",
    moments(point_light, 0.0, 1.0, 2.0, 3.0),
    size=(72, 56),
    options=FRONT | {"camera_position": (0, 4, 5), "camera_target": (0, 0.1, 0), "camera_fov": 34},
)


def two_cameras():
    """A letter and a ball, an animated perspective camera and an orthographic camera."""
    b = Shapes()
    pbr = {"baseColorTexture": {"index": b.texture(letter(), (CLAMP, CLAMP), (NEAREST, NEAREST))}}
    b.node(b.add_shape(box((1, 1, 1)), material=b.pbr_material((1, 1, 1, 1), pbr=pbr)))
    b.node(b.add_shape(ball(0.4), material=b.pbr_material((0.2, 0.5, 0.8, 1))), (1.2, -0.1, -1))
    lens = {"yfov": math.radians(50), "znear": 0.1}
    b.add("cameras", name="Dolly", type="perspective", perspective=lens)
    flat = {"xmag": 1.5, "ymag": 1.5, "znear": 0, "zfar": 20}
    b.add("cameras", name="Plan", type="orthographic", orthographic=flat)
    b.node(at=(0.5, 0, 2.5), camera=0, name="Dolly")
    b.node(at=(0.4, 5, 0), rotation=rotation_about("x", -90), camera=1, name="Plan")
    b.animation(
        (2, "translation", [0, 2], [[0.5, 0, 2.5], [0.9, 0.6, 4]]),
        (2, "rotation", [0, 2], [rotation_about("z", 0), rotation_about("z", 25)]),
        name="Back",
    )
    b.pointer(
        ("/cameras/0/perspective/yfov", [0, 2], [math.radians(50), math.radians(90)]),
        ("/cameras/1/orthographic/ymag", [0, 2], [1.5, 0.75]),
        name="Zoom",
    )
    return b


CUTS = {"at": ["0.5:cut:Dolly", "1.5:cut:Plan"]}
CAMERAS = FeaturePicture(
    "cameras",
    "a camera of the file that moves back and rolls; one whose field of view widens; an "
    "orthographic one from above that zooms in; and a motion with cuts to both",
    (
        *moments(two_cameras, 0.0, 2.0, clip=0, label="Dolly, {} s", camera="Dolly"),
        Cell("Dolly wide, 2 s", two_cameras, 2.0, 1, {"camera": "Dolly"}),
        *moments(two_cameras, 0.0, 2.0, clip=1, label="Plan, {} s", camera="Plan"),
        *moments(two_cameras, 0.4, 1.4, 1.6, clip=0, label="cuts, {} s", **CUTS),
    ),
    options={"no_background": True, "shadow": False},
)

PICTURES = (ARM, FLIP, MORPHS, BILLBOARDS, CONVEYOR, POINT_LIGHT, CAMERAS)
