"""The mannequin's mesh: skin, mouth, eyes and lids, with weights and morph targets.

`build` returns the body, `prop` the sword in its right hand. `joinery` separates ball joints and
bands, which have another material, from limbs.
"""

from dataclasses import dataclass

import numpy as np

from .bones import ARM, F64, INDEX, NAMES, REST
from .face import (
    cut_mouth,
    facing,
    frowned,
    globe,
    jaw_opened,
    jaw_share,
    lid,
    lips,
    open_mouth,
    smiled,
)
from .figure import EYE_RADIUS, figure, joinery
from .hands import sword
from .mesh import I64, Mesh, nets, settle
from .shapes import at, gradient, smooth
from .weights import four, shares

__all__ = ["EYE_RADIUS", "MORPHS", "PARTS", "TONE_REACH", "Body", "build", "joinery", "prop"]

PARTS = ("body", "eye", "lid", "mouth", "prop")
MORPHS = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")
TONE_REACH = 0.04  # metres on either side of a border that `tone` covers
CELL = 0.0066  # metres between samples of the field, before remeshing
ROUNDS = 5  # of remeshing


@dataclass(frozen=True)
class Body:
    """The mesh data: V vertices in model space."""

    points: F64  # [V, 3] metres
    normals: F64  # [V, 3]
    triangles: I64  # [T, 3] counter-clockwise from outside
    weights: F64  # [V, J] rows sum to 1
    tone: F64  # [V] 0 … 1: 0.5 is the border between a ball (below) and a limb (above)
    part: I64  # [T] index into PARTS
    morphs: dict[str, F64]  # [V, 3] metres: where the points are at weight 1


def edge_length(points: F64) -> F64:
    """Return the target edge length of triangles, metres: short at face, ears and hands."""
    x, y, z = points.T
    along = (points - REST[INDEX["LeftArm"]]) @ ARM
    hand = smooth(along, 0.42, 0.53) * smooth(x, 0.3, 0.4)
    fingers = smooth(along, 0.56, 0.6) * hand
    arm = smooth(x, 0.17, 0.26) * (y > 0.7)
    foot = 1.0 - smooth(y, 0.08, 0.2)
    head = smooth(y, 1.46, 1.56)
    face = smooth(z, 0.0, 0.05) * (1.0 - 0.75 * smooth(y, 1.675, 1.7)) * head
    eye = np.linalg.norm(points - REST[INDEX["LeftEye"]], axis=1)
    mouth = np.linalg.norm(points - at(0.0, 1.575, 0.088), axis=1)
    fine = np.maximum(1.0 - smooth(eye, 0.022, 0.032), 1.0 - smooth(mouth, 0.026, 0.034))
    ear = smooth(np.abs(x), 0.066, 0.074) * head
    size = 0.0185 - 0.0035 * arm - 0.0065 * foot
    for share, wanted in ((hand, 0.0075), (fingers, 0.0056), (head, 0.011)):
        size = size + (wanted - size) * share
    size = size + (0.0064 - size) * np.maximum(face, 0.9 * ear)
    return size + (0.0048 - size) * fine


def _skin() -> tuple[F64, F64, I64]:
    """Return points, normals and triangles of both halves, with the mouth closed."""
    field = figure()
    points, triangles = nets(field, at(0, -0.04, -0.2), at(0.72, 1.8, 0.24), CELL)
    points[points[:, 0] < 1e-9, 0] = 0.0
    mesh = Mesh(settle(field, points, 0.3 * CELL, 8), triangles, field, edge_length)
    mesh.remesh(ROUNDS)
    cut_mouth(mesh)
    settled, triangles = settle(field, mesh.points, 0.001, 4), mesh.triangles
    points = np.where(mesh.fixed[:, None], mesh.points, settled)
    slope = gradient(field, points)
    middle = points[:, 0] == 0.0
    slope[middle, 0] = 0.0
    normals = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    number = np.arange(len(points))
    number[~middle] = len(points) + np.arange((~middle).sum())
    flip = at(-1, 1, 1)
    return (
        np.concatenate((points, points[~middle] * flip)),
        np.concatenate((normals, normals[~middle] * flip)),
        np.concatenate((triangles, number[triangles][:, ::-1])),
    )


def _main() -> Body:
    """Return the body without eyes and lids."""
    points, normals, triangles = _skin()
    skin = len(points)
    points, triangles, pouch, lower = open_mouth(points, triangles)
    smooth_normals = facing(points, triangles)
    smooth_normals[:skin] = normals
    # at the slit each lip turns in towards the other
    row, tilt = lips(points[:skin])[1:-1], at(0, 0.6, 0)
    smooth_normals[row], smooth_normals[lower] = normals[row] - tilt, normals[row] + tilt
    smooth_normals /= np.linalg.norm(smooth_normals, axis=1, keepdims=True)
    part = np.zeros(len(triangles), np.int64)
    part[-len(pouch) :] = PARTS.index("mouth")

    weights = shares(points, triangles)
    weights[skin + len(lower) :] = 0.0  # the pouch
    weights[skin + len(lower) :, INDEX["Head"]] = 1.0
    jaw = jaw_share(points, lower)
    weights[:, INDEX["Jaw"]] = jaw * weights[:, INDEX["Head"]]
    weights[:, INDEX["Head"]] *= 1.0 - jaw
    morphs = dict.fromkeys(MORPHS, points)
    morphs |= {
        "smile": smiled(points),
        "frown": frowned(points),
        "jawOpen": jaw_opened(points, jaw),
    }
    tone = np.clip(0.5 + joinery(points) / (2.0 * TONE_REACH), 0.0, 1.0)
    return Body(points, smooth_normals, triangles, four(weights), tone, part, morphs)


def _piece(
    points: F64, normals: F64, triangles: I64, joint: str, part: str, morphs: dict[str, F64]
) -> Body:
    """Return a rigid piece weighted to one joint."""
    weights = np.zeros((len(points), len(NAMES)))
    weights[:, INDEX[joint]] = 1.0
    parts = np.full(len(triangles), PARTS.index(part))
    every = {name: morphs.get(name, points) for name in MORPHS}
    return Body(points, normals, triangles, weights, np.ones(len(points)), parts, every)


def _joined(pieces: list[Body]) -> Body:
    starts = np.cumsum([0, *(len(piece.points) for piece in pieces)])
    return Body(
        np.concatenate([piece.points for piece in pieces]),
        np.concatenate([piece.normals for piece in pieces]),
        np.concatenate([p.triangles + s for p, s in zip(pieces, starts[:-1], strict=True)]),
        np.concatenate([piece.weights for piece in pieces]),
        np.concatenate([piece.tone for piece in pieces]),
        np.concatenate([piece.part for piece in pieces]),
        {n: np.concatenate([piece.morphs[n] for piece in pieces]) for n in MORPHS},
    )


def build() -> Body:
    """Return the mannequin's mesh."""
    pieces = [_main()]
    for side in ("Left", "Right"):
        centre = REST[INDEX[side + "Eye"]]
        points, triangles = globe(centre, EYE_RADIUS)
        normals = (points - centre) / EYE_RADIUS
        pieces.append(_piece(points, normals, triangles, side + "Eye", "eye", {}))
        for upper in (True, False):
            points, shut, normals, triangles = lid(centre, upper)
            morphs = {"blink" + side: shut}
            pieces.append(_piece(points, normals, triangles, "Head", "lid", morphs))
    return _joined(pieces)


def prop() -> tuple[F64, F64, I64, I64]:
    """Return points, normals, triangles and parts of a practice sword in the right hand."""
    points, normals, triangles = sword()
    return points, normals, triangles, np.full(len(triangles), PARTS.index("prop"))
