"""Feature pictures of view modes and overlays: wireframe, boxes, skeleton, axes, ghost."""

import numpy as np

from rigview.scenedoc.view_modes import VIEWS
from tests.feature_pictures.picture_grid import Cell, FeaturePicture, moments
from tests.feature_pictures.shapes import Shapes, ball, box, bumps, checker, letter, panel
from tests.support.animated_value_files import rotation_about

LEVELS, SIDES = 6, 10


def tube():
    """A tube 3 m long, and the weights of its vertices for one to four joints."""
    t, u = np.meshgrid(np.linspace(0, 1, LEVELS + 1), np.linspace(0, 1, SIDES + 1), indexing="ij")
    t, u = t.ravel(), u.ravel()
    phi = (u - 0.5) * 2 * np.pi
    normals = np.stack([np.sin(phi), 0 * phi, np.cos(phi)], -1)
    points = normals * (0.42 - 0.12 * t[:, None]) + np.stack([0 * t, 3 * t, 0 * t], -1)
    tangents = np.stack([np.cos(phi), 0 * phi, -np.sin(phi), 0 * phi + 1], -1)
    uv = np.stack([u, 1 - t], -1)
    k = np.arange(LEVELS)[:, None] * (SIDES + 1) + np.arange(SIDES)
    above = k + SIDES + 1
    indices = np.stack([k, k + 1, above, above, k + 1, above + 1], -1).ravel()
    weights = np.zeros((len(t), 4))
    for ring in range(LEVELS + 1):
        here, at = t == t[ring * (SIDES + 1)], ring / LEVELS * 3
        near = np.clip(1 - np.abs(np.array([0, 1, 2, 3]) - at) / (0.9 + 1.4 * at / 3), 0, None)
        weights[here] = near / near.sum()
    return (points, normals, uv, indices, tangents), weights


def skinned_tube():
    """A skinned tube with all texture maps, a transparent pane, and a ball without tangents."""
    b = Shapes()
    spots = np.zeros((32, 32, 3), np.uint8)
    spots[12:20, 12:20] = 255, 160, 40
    grades = np.full((32, 32, 3), 255, np.uint8)
    grades[..., 1] = np.linspace(60, 255, 32)[:, None]
    grades[..., 2] = np.where(np.arange(32) < 16, 255, 40)[None]
    shade = np.where(checker(4, 8) > 128, 255, 90).astype(np.uint8)
    skin = b.pbr_material(
        (1, 0.9, 0.85, 1),
        1.0,
        1.0,
        pbr={
            "baseColorTexture": {"index": b.texture(letter())},
            "metallicRoughnessTexture": {"index": b.texture(grades)},
        },
        normalTexture={"index": b.texture(bumps(6))},
        occlusionTexture={"index": b.texture(shade)},
        emissiveTexture={"index": b.texture(spots)},
        emissiveFactor=[1, 1, 1],
    )
    parts, weights = tube()
    mesh = b.add_shape(parts, material=skin, tangents=True)
    attributes = b.json["meshes"][mesh]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = b.accessor([0, 1, 2, 3] * (weights > 0), "uint8")
    attributes["WEIGHTS_0"] = b.accessor(weights)
    b.add("nodes", mesh=mesh, skin=0, name="Tube")
    b.node(children=[2], name="Root")
    b.node(at=(0, 1, 0), children=[3], name="Bend")
    b.node(at=(0, 1, 0), children=[4], name="Knee")
    b.node(at=(0, 1, 0), name="End")
    inverse = np.tile(np.eye(4), (4, 1, 1))
    inverse[:, 1, 3] = [0, -1, -2, -3]
    matrices = b.accessor(inverse.transpose(0, 2, 1).reshape(4, 16))
    b.add("skins", joints=[1, 2, 3, 4], inverseBindMatrices=matrices)
    plain = b.pbr_material((0.3, 0.6, 0.35, 1), 0.0, 0.3)
    b.node(b.add_shape(ball(0.4), material=plain), (-1.05, 0.4, 0.3), name="Ball")
    clear = b.pbr_material((0.3, 0.5, 0.9, 0.4), 0.0, 0.2, alphaMode="BLEND", doubleSided=True)
    b.node(
        b.add_shape(panel(0.9, 1.2), material=clear),
        (-0.8, 1.6, 0.5),
        rotation=rotation_about("y", 160),
        name="Pane",
    )
    turn = [rotation_about("z", a) for a in (0, -25, -35)]
    b.animation(*[(n, "rotation", [0, 1, 2], turn) for n in (2, 3)], name="Bow")
    return b


LOOK = {
    "no_background": True,
    "camera_position": (2, 2.6, 9),
    "camera_target": (0.1, 1.35, 0),
    "camera_fov": 23,
    "shadow": False,
}
VIEW_MODES = FeaturePicture(
    "view-modes",
    "a bent tube with all texture maps (metallic at the left, roughness increasing downwards), a "
    "ball without tangents or joints, and a transparent pane seen from its back",
    tuple(Cell(name, skinned_tube, 1.0, options={"view_mode": name}) for name in VIEWS),
    columns=7,
    size=(56, 62),
    options=LOOK,
)
OVERLAYS = FeaturePicture(
    "overlays",
    "wireframe; bounding boxes of the character and its meshes; skeleton; weights of one joint; "
    "wireframe over a view mode; rest pose; axes, and those not behind the mesh; skeleton with the "
    "rest pose as a ghost, and a ghost not behind the mesh",
    (
        *moments(skinned_tube, 1.0, label="wireframe", wireframe=True),
        *moments(skinned_tube, 0.0, 1.0, 2.0, label="bounds, {} s", bounds=True),
        *moments(skinned_tube, 1.0, label="skeleton", skeleton=True),
        *moments(skinned_tube, 1.0, label="weights of Bend", weights="Bend"),
        *moments(
            skinned_tube, 1.0, label="wireframe over a view", view_mode="normals", wireframe=True
        ),
        *moments(skinned_tube, 1.0, label="rest pose", pose="rest", skeleton=True),
        *moments(skinned_tube, 1.0, label="axes", axes=True),
        *moments(skinned_tube, 1.0, label="axes, hidden", axes=True, overlay_depth=True),
        *moments(skinned_tube, 2.0, label="ghost", ghost="rest", skeleton=True),
        *moments(skinned_tube, 2.0, label="ghost, hidden", ghost="bind", overlay_depth=True),
    ),
    size=(60, 66),
    options=LOOK | {"camera_fov": 24},
)


def turning_block():
    """A block that turns on the spot."""
    b = Shapes()
    body = b.add_shape(
        box((0.7, 1.2, 0.7), (0, 0.6, 0)), material=b.pbr_material((0.2, 0.45, 0.75, 1))
    )
    b.node(body, name="Body", children=[1])
    b.node(
        b.add_shape(ball(0.18), material=b.pbr_material((0.9, 0.8, 0.2, 1))),
        (0, 0.9, 0.35),
        name="Nose",
    )
    turn = [rotation_about("y", a) for a in (0, 45, 90)]
    b.animation((0, "rotation", [0, 1, 2], turn), name="Turn")
    return b


def jumping_ball():
    """A ball that jumps 1 m in one clip and rolls in the other."""
    b = Shapes()
    red = b.pbr_material(
        (0.75, 0.2, 0.15, 1), pbr={"baseColorTexture": {"index": b.texture(checker())}}
    )
    b.node(b.add_shape(ball(0.45), material=red), (0, 0.45, 0), name="Body")
    b.animation((0, "translation", [0, 1, 2], [[0, y, 0] for y in (0.45, 1.45, 0.45)]), name="Jump")
    b.animation(
        (0, "rotation", [0, 1, 2], [rotation_about("x", a) for a in (0, 90, 180)]), name="Roll"
    )
    return b


SEVERAL_FILES = FeaturePicture(
    "several-files",
    "a turning block beside a jumping ball, each with a clip of its own file, at four times; then "
    "beside a jumping and a rolling ball",
    (
        *moments(turning_block, 0.0, 0.5, 1.0, 1.5, beside=((jumping_ball, "Jump"),)),
        *moments(
            turning_block,
            0.0,
            1.0,
            label="three, {} s",
            beside=((jumping_ball, "Jump"), (jumping_ball, "Roll")),
        ),
    ),
    columns=3,
    size=(96, 56),
    options={"no_background": True, "camera_azimuth": 20, "camera_elevation": 15, "camera_fov": 30},
)

PICTURES = (VIEW_MODES, OVERLAYS, SEVERAL_FILES)
