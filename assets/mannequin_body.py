"""The mannequin's surface: a smooth union of limbs and balls, cut into triangles.

A field is negative inside and about the distance in metres outside. The shapes' fields are joined
by a soft minimum, the surface is found by surface nets and drawn onto the zero of the field.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from mannequin_bones import ARM, F64, INDEX, NAMES, REST
from numpy.typing import NDArray

Field = Callable[[F64], F64]  # points [N, 3] -> about the distance [N]
I64 = NDArray[np.int64]

SOFT = 0.011  # metres over which shapes run into each other
CELL = 0.0133  # metres between samples of the field
SPREAD = 0.008  # metres over which the nearest shapes share a vertex
ROUNDS = 14  # of smoothing the weights along the surface
TONE_REACH = 0.04  # metres on either side of a border that the texture's width covers


PARTS = ("body", "eye", "lid", "mouth", "prop")
MORPHS = ("smile", "frown", "blinkLeft", "blinkRight", "jawOpen")
EYE_RADIUS = 0.0135  # metres, about the joints LeftEye and RightEye


@dataclass(frozen=True)
class Shape:
    """A part of the body, and the joint that it hangs on ("Torso": shared out by height)."""

    joint: str
    field: Field


@dataclass(frozen=True)
class Body:
    """What the mesh is: V vertices in model space."""

    points: F64  # [V, 3] metres
    normals: F64  # [V, 3]
    triangles: I64  # [T, 3] counter-clockwise from outside
    weights: F64  # [V, J] rows sum to 1
    tone: F64  # [V] 0 … 1: 0.5 is the border between a ball (below) and a limb (above)
    part: I64  # [T] index into PARTS
    morphs: dict[str, F64]  # [V, 3] metres: where the points are at weight 1


def ellipsoid(centre: F64, radii: F64, axes: F64 | None = None) -> Field:
    """Return the field of an ellipsoid; the rows of `axes` are its own directions."""
    turn = np.eye(3) if axes is None else axes

    def field(points: F64) -> F64:
        local = (points - centre) @ turn.T
        near = np.linalg.norm(local / radii, axis=1)
        return near * (near - 1.0) / np.maximum(np.linalg.norm(local / radii**2, axis=1), 1e-9)

    return field


def limb(a: F64, b: F64, radii: tuple[float, float], swell: float = 0.0, at: float = 0.5) -> Field:
    """Return the field of a limb from a to b that swells by `swell` metres at the fraction `at`."""
    axis = b - a

    def field(points: F64) -> F64:
        along = np.clip((points - a) @ axis / (axis @ axis), 0.0, 1.0)
        bent = along ** (np.log(0.5) / np.log(at))
        radius = radii[0] + (radii[1] - radii[0]) * along + swell * np.sin(np.pi * bent) ** 2
        return np.linalg.norm(points - a - along[:, None] * axis, axis=1) - radius

    return field


def ball(centre: F64, radius: float) -> Field:
    """Return the field of a ball."""
    return lambda points: np.linalg.norm(points - centre, axis=1) - radius


def _at(*place: float) -> F64:
    return np.array(place)


def _torso() -> list[Shape]:
    parts = [
        Shape("Torso", ellipsoid(_at(0, 0.96, -0.004), _at(0.132, 0.095, 0.096))),
        Shape("Torso", ellipsoid(_at(0, 1.095, 0.002), _at(0.106, 0.125, 0.083))),
        Shape("Torso", ellipsoid(_at(0, 1.285, -0.004), _at(0.14, 0.155, 0.1))),
        Shape("Torso", ellipsoid(_at(0, 1.37, -0.016), _at(0.135, 0.075, 0.082))),
        Shape("Neck", limb(_at(0, 1.44, -0.022), _at(0, 1.54, -0.01), (0.05, 0.045))),
        Shape("Head", ellipsoid(_at(0, 1.648, -0.008), _at(0.079, 0.101, 0.094))),
        Shape("Head", ellipsoid(_at(0, 1.59, 0.028), _at(0.05, 0.068, 0.056))),
        Shape("Head", limb(_at(0, 1.662, 0.074), _at(0, 1.616, 0.084), (0.008, 0.012))),
    ]
    for sign in (-1.0, 1.0):
        seat = ellipsoid(_at(sign * 0.062, 0.925, -0.05), _at(0.07, 0.075, 0.062))
        breast = ellipsoid(_at(sign * 0.06, 1.32, 0.05), _at(0.066, 0.055, 0.042))
        parts += [Shape("Torso", seat), Shape("Torso", breast)]
    return parts


def _arm(side: str, sign: float) -> list[Shape]:
    flip = _at(sign, 1, 1)
    shoulder, elbow, wrist, knuckles = (
        REST[INDEX[side + name]] for name in ("Arm", "ForeArm", "Hand", "HandMiddle1")
    )
    along = ARM * flip
    forward = _at(0, 0, 1)
    hand_axes = np.stack((along, forward, np.cross(along, forward)))
    thumb = REST[INDEX[side + "HandThumb1"]]
    tip = REST[INDEX[side + "HandThumb3"]] + along * 0.014
    collar = REST[INDEX[side + "Shoulder"]] + _at(0, -0.012, 0)
    return [
        Shape(side + "Shoulder", limb(collar, shoulder, (0.042, 0.05))),
        Shape(side + "Arm", ball(shoulder, 0.057)),
        Shape(side + "Arm", limb(shoulder, elbow, (0.047, 0.036), 0.008, 0.4)),
        Shape(side + "ForeArm", ball(elbow, 0.039)),
        Shape(side + "ForeArm", limb(elbow, wrist, (0.036, 0.025), 0.008, 0.3)),
        Shape(side + "Hand", ball(wrist, 0.027)),
        Shape(side + "Hand", ellipsoid(wrist + along * 0.05, _at(0.05, 0.037, 0.017), hand_axes)),
        Shape(
            side + "HandMiddle1",
            ellipsoid(knuckles + along * 0.032, _at(0.058, 0.034, 0.0135), hand_axes),
        ),
        Shape(
            side + "HandThumb1",
            limb(thumb, tip, (0.014, 0.0105)),
        ),
    ]


def _leg(side: str, sign: float) -> list[Shape]:
    flip = _at(sign, 1, 1)
    hip, knee, ankle, toes = (
        REST[INDEX[side + name]] for name in ("UpLeg", "Leg", "Foot", "ToeBase")
    )
    heel = _at(0.102, 0.036, -0.038) * flip
    inner, outer = _at(0.092, 0.029, 0.1) * flip, _at(0.13, 0.026, 0.09) * flip
    calf = _at(0, 0, -0.012)
    return [
        Shape(side + "UpLeg", ball(hip, 0.075)),
        Shape(side + "UpLeg", limb(hip, knee, (0.071, 0.049), 0.009, 0.3)),
        Shape(side + "Leg", ball(knee, 0.052)),
        Shape(side + "Leg", limb(knee + calf / 2, ankle, (0.045, 0.031), 0.014, 0.28)),
        Shape(side + "Foot", ball(ankle, 0.036)),
        Shape(side + "Foot", limb(ankle, toes, (0.036, 0.028))),
        Shape(side + "Foot", limb(heel, inner, (0.036, 0.029))),
        Shape(side + "Foot", limb(heel, outer, (0.034, 0.026))),
        Shape(
            side + "ToeBase", limb(inner, inner + _at(0.004 * sign, -0.006, 0.07), (0.03, 0.022))
        ),
        Shape(
            side + "ToeBase", limb(outer, outer + _at(-0.006 * sign, -0.005, 0.055), (0.027, 0.02))
        ),
    ]


def shapes() -> list[Shape]:
    """Return every part of the body."""
    parts = _torso()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        parts += _arm(side, sign) + _leg(side, sign)
    return parts


def _soft_minimum(fields: F64, soft: float) -> F64:
    least = fields.min(axis=0)
    return least - soft * np.log(np.exp((least - fields) / soft).sum(axis=0))


def surface(parts: list[Shape]) -> Field:
    """Return the field of the whole body; it ends at the floor, so the soles are flat."""

    def field(points: F64) -> F64:
        whole = _soft_minimum(np.stack([part.field(points) for part in parts]), SOFT)
        return -_soft_minimum(np.stack((-whole, points[:, 1])), 0.003)

    return field


def band(place: F64, axis: F64, half: float, reach: float) -> Field:
    """Return the field of a slice across a limb: `half` metres to either side of a place."""

    def field(points: F64) -> F64:
        away = points - place
        along = np.abs(away @ (axis / np.linalg.norm(axis))) - half
        return np.where(np.linalg.norm(away, axis=1) < reach, along, 1.0)

    return field


def wedge(place: F64, reach: float, *cuts: tuple[F64, F64]) -> Field:
    """Return the field of what is beyond every cut: a point of a plane and the way inwards."""

    def field(points: F64) -> F64:
        sides = [(start - points) @ (way / np.linalg.norm(way)) for start, way in cuts]
        inside = np.linalg.norm(points - place, axis=1) < reach
        return np.where(inside, np.max(sides, axis=0), 1.0)

    return field


def _joinery() -> Field:
    """Return the field of what is of darker wood: balls and bands about the joints."""
    up = _at(0, 1, 0)
    places = [band(_at(0, 1.096, 0), up, 0.034, 0.2), band(_at(0, 1.488, 0), up, 0.028, 0.12)]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        flip = _at(sign, 1, 1)
        shoulder, elbow, wrist, hip, knee, ankle = (
            REST[INDEX[side + name]] for name in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot")
        )
        places += [
            wedge(
                shoulder,
                0.12,
                (shoulder + _at(-0.03, 0, 0) * flip, _at(1, 0.1, 0) * flip),
                (shoulder + ARM * flip * 0.045, -ARM * flip),
            ),
            band(elbow, ARM * flip, 0.03, 0.09),
            band(wrist, ARM * flip, 0.02, 0.07),
            wedge(
                hip,
                0.16,
                (_at(0.036, 0.868, 0) * flip, _at(0.82, -0.57, 0) * flip),
                (hip + _at(0, -0.06, 0), up),
            ),
            band(knee, up, 0.04, 0.12),
            band(ankle + _at(0, 0.012, 0), up, 0.026, 0.09),
        ]
    return lambda points: np.min([place(points) for place in places], axis=0)


def _gradient(field: Field, points: F64, step: float = 1e-4) -> F64:
    columns = []
    for axis in np.eye(3) * step:
        columns.append((field(points + axis) - field(points - axis)) / (2.0 * step))
    return np.stack(columns, axis=1)


def _nets(field: Field) -> tuple[F64, I64]:
    """Return points and triangles of the zero surface, a point in every cell that it crosses."""
    low, high = _at(-0.72, -0.04, -0.2), _at(0.72, 1.8, 0.24)
    counts = np.ceil((high - low) / CELL).astype(int)
    counts += counts % 2  # as many cells on the left as on the right
    low[0] = -(counts[0] - 1) / 2 * CELL
    axes = [low[i] + CELL * np.arange(counts[i]) for i in range(3)]
    values = np.empty(counts)
    for i, x in enumerate(axes[0]):  # a slice at a time bounds the memory
        y, z = np.meshgrid(axes[1], axes[2], indexing="ij")
        slab = np.stack((np.full(y.size, x), y.ravel(), z.ravel()), axis=1)
        values[i] = field(slab).reshape(y.shape)

    inside = values < 0.0
    cells = np.zeros(counts - 1)
    for corner in np.ndindex(2, 2, 2):
        cells += inside[tuple(slice(c, n - 1 + c) for c, n in zip(corner, counts, strict=True))]
    crossed = (cells > 0) & (cells < 8)
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(crossed.sum())
    points = low + CELL * (np.argwhere(crossed) + 0.5)

    quads = []
    for axis in range(3):
        here = [slice(1, -1)] * 3
        there = list(here)
        here[axis], there[axis] = slice(0, -1), slice(1, None)
        starts, ends = inside[tuple(here)], inside[tuple(there)]
        one, two = (axis + 1) % 3, (axis + 2) % 3
        around = []
        for back_one, back_two in ((1, 1), (0, 1), (0, 0), (1, 0)):
            window = [slice(None)] * 3
            window[one] = slice(1 - back_one, number.shape[one] - back_one)
            window[two] = slice(1 - back_two, number.shape[two] - back_two)
            around.append(number[tuple(window)])
        ring = np.stack(around, axis=-1)
        quads += [ring[starts & ~ends], ring[~starts & ends][:, ::-1]]
    ring = np.concatenate(quads)
    return points, np.concatenate((ring[:, (0, 1, 2)], ring[:, (0, 2, 3)]))


def _settle(field: Field, points: F64) -> F64:
    """Draw points onto the zero of the field, by Newton's steps of at most a quarter cell."""
    for _ in range(12):
        slope = _gradient(field, points)
        step = (field(points) / np.maximum((slope**2).sum(axis=1), 0.05))[:, None] * slope
        length = np.linalg.norm(step, axis=1, keepdims=True)
        points = points - step * np.minimum(1.0, 0.25 * CELL / np.maximum(length, 1e-12))
    return points


def _shares(parts: list[Shape], points: F64) -> F64:
    """Return the weight [V, J] of every joint by the distance to its shapes."""
    owners = list(dict.fromkeys(part.joint for part in parts))
    near = np.stack(
        [
            np.min([part.field(points) for part in parts if part.joint == owner], axis=0)
            for owner in owners
        ]
    )
    pull = np.exp((near.min(axis=0) - near) / SPREAD)
    pull /= pull.sum(axis=0)
    weights = np.zeros((len(points), len(NAMES)))
    for owner, share in zip(owners, pull, strict=True):
        if owner == "Torso":
            weights[:, INDEX["Hips"] : INDEX["Neck"]] += share[:, None] * _by_height(points[:, 1])
        else:
            weights[:, INDEX[owner]] += share
    return weights


def _by_height(height: F64) -> F64:
    """Return the shares [V, 4] of Hips, Spine, Spine1 and Spine2 in the torso."""
    above = [np.ones_like(height)]
    for low, high in ((0.99, 1.08), (1.1, 1.19), (1.21, 1.32)):
        u = np.clip((height - low) / (high - low), 0.0, 1.0)
        above.append(u * u * (3.0 - 2.0 * u))
    above.append(np.zeros_like(height))
    return -np.diff(np.stack(above, axis=1), axis=1)


def _smoothed(weights: F64, triangles: I64) -> F64:
    """Let every vertex take half of its neighbours' mean, ROUNDS times."""
    edges = np.concatenate([triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    count = np.bincount(edges.ravel(), minlength=len(weights))[:, None]
    for _ in range(ROUNDS):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        np.add.at(total, edges[:, 1], weights[edges[:, 0]])
        weights = 0.5 * weights + 0.5 * total / count
    return weights


CHAINS = {  # a weight's joint -> joints that share it, and from which metre along to which
    "Arm": [("ArmTwist1", -1.0), ("ArmTwist2", 0.135), ("Arm", 0.25)],
    "ForeArm": [("ForeArm", 0.0), ("ForeArmTwist1", 0.08), ("ForeArmTwist2", 0.16)],
    "UpLeg": [("UpLegTwist", 0.055), ("UpLeg", 0.3)],
    "HandMiddle1": [("HandMiddle1", 0.01), ("HandMiddle2", 0.045), ("HandMiddle3", 0.075)],
    "HandThumb1": [("HandThumb1", 0.01), ("HandThumb2", 0.04), ("HandThumb3", 0.07)],
}
ENDS = {
    "Arm": "ForeArm",
    "ForeArm": "Hand",
    "UpLeg": "Leg",
    "HandMiddle1": "HandMiddle3",
    "HandThumb1": "HandThumb3",
}


def _shared_out(weights: F64, points: F64) -> F64:
    """Share a limb's weight out among its joints by the distance along it; keep four a vertex."""
    weights = weights.copy()
    for side in ("Left", "Right"):
        for owner, chain in CHAINS.items():
            start = REST[INDEX[side + owner]]
            way = REST[INDEX[side + ENDS[owner]]] - start
            along = (points - start) @ way / np.linalg.norm(way)
            whole = weights[:, INDEX[side + owner]].copy()
            places = np.array([place for _, place in chain])
            weights[:, INDEX[side + owner]] = 0.0
            for (name, _), hat in zip(chain, np.eye(len(chain)), strict=True):
                weights[:, INDEX[side + name]] += whole * np.interp(along, places, hat)
    jaw = np.clip((1.62 - points[:, 1]) / 0.03, 0.0, 1.0)
    jaw *= np.clip((points[:, 2] - 0.02) / 0.04, 0.0, 1.0)
    weights[:, INDEX["Jaw"]] = jaw * weights[:, INDEX["Head"]]
    weights[:, INDEX["Head"]] -= weights[:, INDEX["Jaw"]]
    fifth = np.sort(weights, axis=1)[:, -5:-4]
    weights = np.maximum(weights - fifth, 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


def globe(centre: F64, radius: float, rings: int = 10) -> tuple[F64, I64]:
    """Return a ball's points and triangles, its poles along z."""
    across = 2 * rings
    polar = np.pi * np.arange(1, rings) / rings
    turn = 2.0 * np.pi * np.arange(across) / across
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    rows = np.sin(polar)[:, None, None] * ring
    deep = np.broadcast_to(np.cos(polar)[:, None, None], (*rows.shape[:2], 1))
    points = np.concatenate((rows, deep), axis=2).reshape(-1, 3)
    points = np.concatenate((points, [[0, 0, 1], [0, 0, -1]]))
    front, back = len(points) - 2, len(points) - 1
    faces = []
    for j in range(across):
        k = (j + 1) % across
        faces.append((front, j, k))
        for i in range(rings - 2):
            a, b = i * across, (i + 1) * across
            faces += [(a + j, b + j, b + k), (a + j, b + k, a + k)]
        last = (rings - 2) * across
        faces.append((last + j, back, last + k))
    return centre + radius * points, np.array(faces)


def prop() -> tuple[F64, F64, I64, I64]:
    """Return points, normals, triangles and parts of a staff across the right hand's palm."""
    turns, rows = 16, 24
    along = np.linspace(-0.28, 0.42, rows)
    radius = np.full(rows, 0.0125)
    radius[[0, -1]] = 0.0
    angle = 2.0 * np.pi * np.arange(turns) / turns
    ring = np.stack((np.cos(angle), np.sin(angle), np.zeros(turns)), axis=1)
    normals = np.tile(ring, (rows, 1))
    points = normals * np.repeat(radius, turns)[:, None]
    points[:, 2] = np.repeat(along, turns)
    normals[:turns], normals[-turns:] = (0, 0, -1), (0, 0, 1)
    faces = []
    for i in range(rows - 1):
        for j in range(turns):
            k = (j + 1) % turns
            a, b, c, d = (r * turns + q for r, q in ((i, j), (i, k), (i + 1, k), (i + 1, j)))
            if i > 0:
                faces.append((a, b, c))
            if i < rows - 2:
                faces.append((a, c, d))
    part = np.full(len(faces), PARTS.index("prop"))
    return points + REST[INDEX["Prop"]], normals, np.array(faces), part


def build() -> Body:
    """Return the mannequin's mesh."""
    parts = shapes()
    field = surface(parts)
    points, triangles = _nets(field)
    points = _settle(field, points)
    slope = _gradient(field, points)
    normals = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    weights = _shared_out(_smoothed(_shares(parts, points), triangles), points)
    part = np.zeros(len(triangles), np.int64)
    tone = np.clip(0.5 + _joinery()(points) / (2.0 * TONE_REACH), 0.0, 1.0)
    for name in ("LeftEye", "RightEye"):
        centre = REST[INDEX[name]]
        more, faces = globe(centre, EYE_RADIUS)
        triangles = np.concatenate((triangles, faces + len(points)))
        points = np.concatenate((points, more))
        normals = np.concatenate((normals, (more - centre) / EYE_RADIUS))
        own = np.zeros((len(more), len(NAMES)))
        own[:, INDEX[name]] = 1.0
        weights = np.concatenate((weights, own))
        part = np.concatenate((part, np.full(len(faces), PARTS.index("eye"))))
        tone = np.concatenate((tone, np.ones(len(more))))
    morphs = {name: points.copy() for name in MORPHS}
    return Body(points, normals, triangles, weights, tone, part, morphs)
