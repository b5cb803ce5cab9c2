"""The mannequin's mesh: trunk, head, limbs and what is set into them, with weights and morphs.

`build` returns the body, `prop` the sword in its right hand. Trunk, head, arms and legs are meshed
from fields; balls, fingers, eyes, lids, brows and ears are turned pieces.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from . import weights as skin
from .arm import arm
from .bones import ARM, F64, FINGERS, INDEX, NAMES, REST
from .expressions import frowned, jaw_opened, smiled
from .eyes import KNIT, RAISED, bead, brow, frame, lid
from .hands import finger, thumb
from .head import EYE_RADIUS, HOLE, NOSE, ear, eye_axis, head
from .joinery import BALLS, SOLE, bands, sockets, tread
from .leg import leg, whole
from .mesh import I64, Mesh, nets, settle
from .mouth import bent, cut_mouth, jaw_share, lips, open_mouth, teeth, tongue
from .shapes import Field, at, gradient, length, smooth
from .solids import ball, facing
from .sword import sword
from .trunk import trunk

__all__ = ["EYE_RADIUS", "MORPHS", "PARTS", "SKIN", "Body", "build", "prop"]

SKIN = ("trunk", "head", "arm", "leg")  # meshed from fields
PARTS = (*SKIN, "ball", "finger", "brow", "frame", "eye", "lid", "mouth", "teeth", "tongue", "prop")
MORPHS = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")
CELL = 0.0066  # metres between samples of a field, before remeshing
ROUNDS = 5  # of remeshing
MERIDIANS = (12, 24)  # rings and sides of a ball joint
FLIP = at(-1, 1, 1)
ROUND_FOOT = whole()
SMILING_LID = 0.35  # share of its way that a lower lid goes in a smile


@dataclass(frozen=True)
class Body:
    """The mesh data: V vertices in model space."""

    points: F64  # [V, 3] metres
    normals: F64  # [V, 3]
    triangles: I64  # [T, 3] counter-clockwise from outside
    weights: F64  # [V, J] rows sum to 1
    part: I64  # [T] index into PARTS
    morphs: dict[str, F64]  # [V, 3] metres: where the points are at weight 1


def _finer(size: F64, fine: float | F64, away: F64, reach: float) -> F64:
    """Return edge lengths [N] that go down to `fine` where metres `away` are near 0."""
    return size + (fine - size) * (1.0 - smooth(np.abs(away), 0.1 * reach, reach))


def trunk_edge(points: F64) -> F64:
    """Return the target edge length of the trunk's triangles, metres: short at its borders."""
    size = 0.021 - 0.006 * smooth(np.abs(points[:, 0]), 0.1, 0.13) * (points[:, 1] > 1.3)
    size = _finer(size, np.where(points[:, 1] > 1.2, 0.0085, 0.012), bands(points), 0.03)
    return _finer(size, 0.0075, sockets(points), 0.022)


def arm_edge(points: F64) -> F64:
    """Return the target edge length of an arm's triangles, metres: short at the hand."""
    along = (points - REST[INDEX["LeftArm"]]) @ ARM
    size = 0.0155 - 0.006 * smooth(along, 0.42, 0.5) - 0.0045 * smooth(along, 0.56, 0.58)
    size = _finer(size, np.minimum(size, 0.0108), bands(points), 0.014)
    return _finer(size, 0.0095, sockets(points), 0.02)


def leg_edge(points: F64) -> F64:
    """Return the target edge length of a leg's triangles, metres: short along the sole."""
    size = 0.0207 - 0.0087 * (1.0 - smooth(points[:, 1], 0.08, 0.2))
    size = _finer(size, np.minimum(size, 0.012), bands(points), 0.016)
    size = _finer(size, 0.0105, sockets(points), 0.025)
    low = points[:, 1] < 0.05
    size[low] = _finer(size[low], 0.0062, np.maximum(_rim(points[low]), 0.0), 0.03)
    return size


def _rim(points: F64) -> F64:
    """Return metres [N] from the rim of the left sole."""
    return np.maximum(points[:, 1] - SOLE, 0.0) + np.maximum(-ROUND_FOOT(points), 0.0)


def head_edge(points: F64) -> F64:
    """Return the target edge length of the head's triangles, metres: short at eyes and mouth."""
    z = points[:, 2]
    eye, axis = points - REST[INDEX["LeftEye"]], eye_axis(1.0)
    around = length(eye - (eye @ axis)[:, None] * axis)
    mouth = length(points - at(0.01, 1.577, 0.082))
    nose = length(points - NOSE)
    rim = (1.0 - smooth(np.abs(around - HOLE), 0.002, 0.012)) * (z > 0.05)
    fine = np.maximum(rim, 1.0 - smooth(mouth, 0.026, 0.036))
    fine = np.maximum(fine, 1.0 - smooth(nose, 0.012, 0.02))
    size = 0.0135 - 0.0045 * smooth(z, 0.0, 0.05)
    return size + (0.0045 - size) * fine


def _settled(mesh: Mesh, *, mirrored: bool) -> tuple[F64, F64, I64]:
    """Return points, normals and triangles of a mesh; with its mirror image, if it is a half."""
    settled, triangles = settle(mesh.field, mesh.points, 0.001, 4), mesh.triangles
    points = np.where(mesh.fixed[:, None], mesh.points, settled)
    slope = gradient(mesh.field, points)
    middle = points[:, 0] == 0.0
    slope[middle, 0] = 0.0
    normals = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    if not mirrored:
        return points, normals, triangles
    number = np.arange(len(points))
    number[~middle] = len(points) + np.arange((~middle).sum())
    return (
        np.concatenate((points, points[~middle] * FLIP)),
        np.concatenate((normals, normals[~middle] * FLIP)),
        np.concatenate((triangles, number[triangles][:, ::-1])),
    )


def _meshed(
    field: Field, low: F64, high: F64, size: Callable[[F64], F64], creases: tuple[Field, ...] = ()
) -> Mesh:
    """Return the mesh of a field in a box; of its half, if the box begins at x = 0.

    Rows of edges run along the zeros of `creases`.
    """
    points, triangles = nets(field, low, high, CELL)
    points[points[:, 0] < 1e-9, 0] = 0.0
    mesh = Mesh(settle(field, points, 0.3 * CELL, 8), triangles, field, size)
    mesh.remesh(ROUNDS)
    for level in creases:
        mesh.crease(level)
    return mesh


def _piece(
    points: F64, triangles: I64, joint: str, part: str, morphs: dict[str, F64] | None = None
) -> Body:
    """Return a rigid piece weighted to one joint."""
    weights = np.zeros((len(points), len(NAMES)))
    weights[:, INDEX[joint]] = 1.0
    return _part(points, facing(points, triangles), triangles, weights, part, morphs)


def _part(
    points: F64,
    normals: F64,
    triangles: I64,
    weights: F64,
    part: str,
    morphs: dict[str, F64] | None = None,
) -> Body:
    every = {name: (morphs or {}).get(name, points) for name in MORPHS}
    parts = np.full(len(triangles), PARTS.index(part))
    return Body(points, normals, triangles, weights, parts, every)


def _mirrored(piece: Body) -> Body:
    """Return the mirror image of a piece of the left side, without morphs."""
    points = piece.points * FLIP
    weights = skin.mirrored(piece.weights)
    return replace(
        piece,
        points=points,
        normals=piece.normals * FLIP,
        triangles=piece.triangles[:, ::-1],
        weights=weights,
        morphs=dict.fromkeys(MORPHS, points),
    )


def _joined(pieces: list[Body]) -> Body:
    starts = np.cumsum([0, *(len(piece.points) for piece in pieces)])
    return Body(
        np.concatenate([piece.points for piece in pieces]),
        np.concatenate([piece.normals for piece in pieces]),
        np.concatenate([p.triangles + s for p, s in zip(pieces, starts[:-1], strict=True)]),
        np.concatenate([piece.weights for piece in pieces]),
        np.concatenate([piece.part for piece in pieces]),
        {n: np.concatenate([piece.morphs[n] for piece in pieces]) for n in MORPHS},
    )


def _trunk() -> Body:
    mesh = _meshed(trunk(), at(0, 0.82, -0.2), at(0.22, 1.62, 0.16), trunk_edge, (bands, sockets))
    points, normals, triangles = _settled(mesh, mirrored=True)
    return _part(points, normals, triangles, skin.shares("trunk", points, triangles), "trunk")


def _limbs() -> list[Body]:
    """Return both arms and both legs, with their balls and fingers."""
    left = []
    borders = (bands, sockets)
    for name, field, low, high, size, creases in (
        ("arm", arm(), at(0, 0.88, -0.1), at(0.64, 1.48, 0.08), arm_edge, borders),
        ("leg", leg(), at(0.0, -0.04, -0.12), at(0.2, 0.96, 0.21), leg_edge, (*borders, tread)),
    ):
        mesh = _meshed(field, low, high, size, creases)
        points, normals, triangles = _settled(mesh, mirrored=False)
        weights = skin.shares(name, points, triangles)
        left.append(_part(points, normals, triangles, weights, name))
    for joint, own in (("Arm", "ArmTwist1"), ("UpLeg", "UpLegTwist")):
        points, triangles = ball(REST[INDEX["Left" + joint]], BALLS[joint], *MERIDIANS)
        left.append(_piece(points, triangles, "Left" + own, "ball"))
    left += [_finger(name, *finger(name)) for name in FINGERS]
    left.append(_finger("Thumb", *thumb()))
    return [*left, *(_mirrored(piece) for piece in left)]


def _finger(name: str, points: F64, triangles: I64, along: F64) -> Body:
    weights = skin.finger(name, along)
    return _part(points, facing(points, triangles), triangles, weights, "finger")


def _head() -> Body:
    """Return the head with its mouth."""
    mesh = _meshed(head(), at(0, 1.49, -0.13), at(0.11, 1.78, 0.13), head_edge)
    cut_mouth(mesh)
    points, normals, triangles = _settled(mesh, mirrored=True)
    outside = len(points)
    points, triangles, pouch, lower = open_mouth(points, triangles)
    smooth_normals = facing(points, triangles)
    smooth_normals[:outside] = normals
    # at the slit each lip turns in towards the other
    row, tilt = lips(points[:outside])[1:-1], at(0, 0.6, 0)
    smooth_normals[row], smooth_normals[lower] = normals[row] - tilt, normals[row] + tilt
    smooth_normals /= np.linalg.norm(smooth_normals, axis=1, keepdims=True)
    part = np.full(len(triangles), PARTS.index("head"))
    part[-len(pouch) :] = PARTS.index("mouth")
    jaw = jaw_share(points, lower)
    for name, (more, faces), share in (("teeth", teeth(), 0.0), ("tongue", tongue(), 1.0)):
        triangles = np.concatenate((triangles, faces + len(points)))
        points = np.concatenate((points, more))
        smooth_normals = np.concatenate((smooth_normals, facing(more, faces)))
        part = np.concatenate((part, np.full(len(faces), PARTS.index(name))))
        jaw = np.concatenate((jaw, np.full(len(more), share)))
    weights = np.zeros((len(points), len(NAMES)))
    weights[:, INDEX["Jaw"]] = jaw
    weights[:, INDEX["Head"]] = 1.0 - jaw
    points = bent(points)
    morphs = dict.fromkeys(MORPHS, points)
    morphs |= {
        "smile": smiled(points),
        "frown": frowned(points),
        "jawOpen": jaw_opened(points, jaw),
    }
    return Body(points, smooth_normals, triangles, skin.four(weights), part, morphs)


def _face() -> list[Body]:
    """Return eyes, lids, brows and ears."""
    pieces, field = [], head()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        centre = REST[INDEX[side + "Eye"]]
        points, normals, triangles = bead(centre, sign)
        eye = _piece(points, triangles, side + "Eye", "eye")
        pieces.append(replace(eye, normals=normals))
        for upper in (True, False):
            points, shut, triangles = lid(centre, sign, upper)
            morphs = {"blink" + side: shut}
            if not upper:
                morphs["smile"] = points + SMILING_LID * (shut - points)
            pieces.append(_piece(points, triangles, "Head", "lid", morphs))
        pieces.append(_piece(*frame(centre, sign), "Head", "frame"))
        still = ((0.0, 0.0),) * len(RAISED)
        (points, triangles), (raised, _), (knit, _) = (
            brow(field, sign, moves) for moves in (still, RAISED, KNIT)
        )
        morphs = {"smile": raised, "frown": knit}
        pieces.append(_piece(points, triangles, "Head", "brow", morphs))
        points, triangles = ear()
        knob = _piece(points, triangles, "Head", "ball")
        pieces.append(knob if sign > 0.0 else _mirrored(knob))
    return pieces


def build() -> Body:
    """Return the mannequin's mesh."""
    return _joined([_trunk(), *_limbs(), _head(), *_face()])


def prop() -> tuple[F64, F64, I64, I64]:
    """Return points, normals, triangles and parts of a practice sword in the right hand."""
    points, normals, triangles = sword()
    return points, normals, triangles, np.full(len(triangles), PARTS.index("prop"))
