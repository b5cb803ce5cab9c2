"""Skin weights of the mannequin: at most four joints per point.

The points of a part are distributed among the joints along it by smooth or linear steps. A bend is
a hand's width wide; a twist is linear from one twist joint to the next.
"""

import numpy as np

from .bones import ARM, F64, FINGERS, INDEX, NAMES, REST, WRIST
from .hands import BEND, mound
from .joinery import folded
from .mesh import I64, edges_of
from .shapes import smooth

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
]
FINGER_STEPS: dict[str, Steps] = {
    name: [(f"Hand{name}{i + 1}", at - BEND, at + BEND, True) for i, at in enumerate(joints)]
    for name, (joints, _, _) in FINGERS.items()
}
LEG_STEPS: Steps = [  # downwards, from the floor: heights are negative
    ("UpLeg", -0.86, -0.66, False),
    ("Leg", -0.555, -0.445, True),
    ("Foot", -0.125, -0.05, True),
]
THUMB_STEPS: Steps = [("HandThumb2", 0.0285, 0.0455, True), ("HandThumb3", 0.0575, 0.0745, True)]


def _add(weights: F64, first: str, steps: Steps, place: F64, whole: F64, side: str = "") -> None:
    """Distribute the weight `whole` [V] among a chain of joints by the position along it."""
    rest, name = whole, first
    for following, low, high, gentle in steps:
        share = smooth(place, low, high) if gentle else np.clip((place - low) / (high - low), 0, 1)
        weights[:, INDEX[side + name]] += rest * (1.0 - share)
        rest, name = rest * share, following
    weights[:, INDEX[side + name]] += rest


def _trunk(weights: F64, points: F64) -> None:
    """Distribute hips, back, collar bones and neck."""
    tilted = points[:, 1] + 0.6 * points[:, 2]
    head = smooth(tilted, 1.49, 1.55)
    neck = (1.0 - head) * smooth(tilted, 1.41, 1.475) * smooth(points[:, 1], 1.4, 1.44)
    weights[:, INDEX["Head"]] += head
    weights[:, INDEX["Neck"]] += neck
    rest = 1.0 - head - neck
    collar = smooth(np.abs(points[:, 0]), 0.05, 0.13) * smooth(points[:, 1], 1.22, 1.36)
    weights[:, INDEX["LeftShoulder"]] += rest * collar
    _add(weights, "Hips", BACK_STEPS, points[:, 1], rest * (1.0 - collar))


def _arm(weights: F64, points: F64) -> None:
    """Distribute the arm and the palm, whose mound is the thumb's."""
    along = (points - REST[INDEX["LeftArm"]]) @ ARM
    own = mound(points) * smooth(along, WRIST, WRIST + 0.02)
    weights[:, INDEX["LeftHandThumb1"]] += own
    _add(weights, "ArmTwist1", ARM_STEPS, along, 1.0 - own, "Left")


def _leg(weights: F64, points: F64) -> None:
    """Distribute thigh, shin, foot and toes."""
    toes = smooth(points[:, 2], 0.086, 0.124) * (points[:, 1] < 0.1)
    # the ankle's step lies along the foot as well: the heel is the foot's, however far back
    down = -points[:, 1] - 0.25 * np.maximum(points[:, 2] - 0.02, 0.0)
    weights[:, INDEX["LeftToeBase"]] += toes
    _add(weights, "UpLegTwist", LEG_STEPS, down, 1.0 - toes, "Left")


def _head(weights: F64, points: F64) -> None:
    weights[:, INDEX["Head"]] = np.ones(len(points))


PARTS = {"trunk": _trunk, "arm": _arm, "leg": _leg, "head": _head}


def finger(name: str, along: F64) -> F64:
    """Return the weights [V, J] of a left finger, or "Thumb", by metres along it."""
    weights = np.zeros((len(along), len(NAMES)))
    start, steps = ("HandThumb1", THUMB_STEPS) if name == "Thumb" else ("Hand", FINGER_STEPS[name])
    _add(weights, start, steps, along, np.ones(len(along)), "Left")
    return weights


def shares(part: str, points: F64, triangles: I64) -> F64:
    """Return the weights [V, J] of the points of a part: trunk, arm, leg or head."""
    weights = np.zeros((len(points), len(NAMES)))
    PARTS[part](weights, folded(points))
    swapped = mirrored(weights)
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


def mirrored(weights: F64) -> F64:
    """Return weights [V, J] with those of the joints of both sides exchanged."""
    return weights[:, _other_side()]


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
