"""Skin weights of the mannequin: at most four joints per point.

Points are distributed among trunk, arm and leg by the distance to their shapes; within each, among
the joints along it by smooth or linear steps. A bend is a hand's width wide; a twist is linear from
one twist joint to the next.
"""

import numpy as np

from .bones import ARM, F64, INDEX, NAMES, REST, WRIST
from .figure import arm, leg, trunk
from .hands import thumb
from .mesh import I64, edges_of
from .shapes import at, smooth

ROUNDS = 6  # of smoothing along the surface
Steps = list[tuple[str, float, float, bool]]  # next joint, from, to (metres), smooth or even

BACK_STEPS: Steps = [
    ("Spine", 0.985, 1.09, True),
    ("Spine1", 1.1, 1.21, True),
    ("Spine2", 1.21, 1.33, True),
]
ARM_STEPS: Steps = [
    ("ArmTwist2", 0.02, 0.135, False),
    ("Arm", 0.135, 0.235, False),
    ("ForeArm", 0.232, 0.308, True),
    ("ForeArmTwist1", 0.3, 0.36, False),
    ("ForeArmTwist2", 0.36, 0.44, False),
    ("Hand", 0.45, WRIST + 0.028, True),
    ("HandMiddle1", WRIST + 0.074, WRIST + 0.102, True),
    ("HandMiddle2", WRIST + 0.114, WRIST + 0.138, True),
    ("HandMiddle3", WRIST + 0.146, WRIST + 0.166, True),
]
LEG_STEPS: Steps = [  # downwards, from the floor: heights are negative
    ("UpLeg", -0.86, -0.66, False),
    ("Leg", -0.555, -0.445, True),
    ("Foot", -0.125, -0.05, True),
]
THUMB_STEPS: Steps = [("HandThumb2", 0.029, 0.049, True), ("HandThumb3", 0.06, 0.078, True)]


def _add(weights: F64, first: str, steps: Steps, place: F64, whole: F64, side: str = "") -> None:
    """Distribute the weight `whole` [V] among a chain of joints by the position along it."""
    rest, name = whole, first
    for following, low, high, gentle in steps:
        share = smooth(place, low, high) if gentle else np.clip((place - low) / (high - low), 0, 1)
        weights[:, INDEX[side + name]] += rest * (1.0 - share)
        rest, name = rest * share, following
    weights[:, INDEX[side + name]] += rest


def _trunk(weights: F64, points: F64, whole: F64) -> None:
    """Distribute hips, back, collar bones, neck and head."""
    tilted = points[:, 1] + 0.6 * points[:, 2]
    head = smooth(tilted, 1.497, 1.562)
    neck = (1.0 - head) * smooth(tilted, 1.418, 1.492) * smooth(points[:, 1], 1.4, 1.44)
    weights[:, INDEX["Head"]] += whole * head
    weights[:, INDEX["Neck"]] += whole * neck
    rest = whole * (1.0 - head - neck)
    collar = smooth(np.abs(points[:, 0]), 0.045, 0.155) * smooth(points[:, 1], 1.31, 1.41)
    weights[:, INDEX["LeftShoulder"]] += rest * collar
    _add(weights, "Hips", BACK_STEPS, points[:, 1], rest * (1.0 - collar))


def _hand(weights: F64, points: F64, whole: F64) -> None:
    """Distribute arm, hand and fingers."""
    along = (points - REST[INDEX["LeftArm"]]) @ ARM
    joint = REST[INDEX["LeftHandThumb1"]]
    way = REST[INDEX["LeftHandThumb3"]] - joint
    on_thumb = (points - joint) @ (way / np.linalg.norm(way))
    apart = (points - joint) @ at(0, 0, 1)
    # the thumb is what is near its shape and ahead of the palm's edge
    own = smooth(-thumb()(points), -0.011, 0.003) * smooth(apart, -0.012, 0.012)
    own *= smooth(on_thumb, -0.012, 0.014) * (along < WRIST + 0.2)
    beside = smooth(points[:, 2], 0.018, 0.028)  # beside the first finger, it is the thumb's
    own = np.where(along > WRIST + 0.066, own * beside, own)
    _add(weights, "HandThumb1", THUMB_STEPS, on_thumb, whole * own, "Left")
    collar = 1.0 - smooth(along, -0.05, 0.045)
    weights[:, INDEX["LeftShoulder"]] += whole * (1.0 - own) * collar
    _add(weights, "ArmTwist1", ARM_STEPS, along, whole * (1.0 - own) * (1.0 - collar), "Left")


def _leg(weights: F64, points: F64, whole: F64) -> None:
    """Distribute thigh, shin, foot and toes."""
    toes = smooth(points[:, 2], 0.086, 0.124) * (points[:, 1] < 0.1)
    # the ankle's step lies along the foot as well: the heel is the foot's, however far back
    down = -points[:, 1] - 0.25 * np.maximum(points[:, 2] - 0.02, 0.0)
    weights[:, INDEX["LeftToeBase"]] += whole * toes
    _add(weights, "UpLegTwist", LEG_STEPS, down, whole * (1.0 - toes), "Left")


def _half(points: F64) -> F64:
    """Return the weights [V, J] of points with x >= 0."""
    fields = np.stack([shape(points) for shape in (trunk(), arm(), leg())])
    fields = fields - fields.min(axis=0)
    apart = np.array((0.014, 0.014, 0.02))[:, None]
    pull = np.exp(-fields / apart)
    height = points[:, 1]
    pull[0] *= smooth(height, 0.74, 0.86)  # no trunk below the crotch
    pull[1] *= smooth(points[:, 0], 0.09, 0.15)
    pull[2] *= smooth(points[:, 0], 0.005, 0.05) * (1.0 - smooth(height, 0.93, 1.03))
    pull[0] = np.where(height > 1.47, 1.0, np.maximum(pull[0], 1e-9))
    pull /= pull.sum(axis=0)
    weights = np.zeros((len(points), len(NAMES)))
    _trunk(weights, points, pull[0])
    _hand(weights, points, pull[1])
    _leg(weights, points, pull[2])
    return weights


def shares(points: F64, triangles: I64) -> F64:
    """Return the weights [V, J] of the body's points."""
    folded = points * at(0, 1, 1) + np.abs(points) * at(1, 0, 0)
    weights = _half(folded)
    swapped = weights[:, _other_side()]
    weights = np.where(points[:, :1] < 0.0, swapped, weights)
    on_middle = points[:, 0] == 0.0
    weights[on_middle] = 0.5 * (weights[on_middle] + swapped[on_middle])
    edges, _ = edges_of(triangles)
    count = np.bincount(edges.ravel(), minlength=len(weights))[:, None]
    for _ in range(ROUNDS):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        np.add.at(total, edges[:, 1], weights[edges[:, 0]])
        weights = 0.5 * weights + 0.5 * total / np.maximum(count, 1)
    return four(weights)


def four(weights: F64) -> F64:
    """Keep the four greatest weights of each row; the fifth is subtracted, for continuity."""
    fifth = np.sort(weights, axis=1)[:, -5:-4]
    weights = np.maximum(weights - fifth, 0.0)
    weights[weights < 1e-4] = 0.0
    return weights / weights.sum(axis=1, keepdims=True)


def _other_side() -> list[int]:
    def other(name: str) -> str:
        if name.startswith("Left"):
            return "Right" + name.removeprefix("Left")
        return "Left" + name.removeprefix("Right") if name.startswith("Right") else name

    return [INDEX.get(other(name), j) for j, name in enumerate(NAMES)]
