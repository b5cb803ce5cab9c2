"""The mannequin's joints: names, parents, rest positions in metres, and axes.

Motions are written in model-aligned axes (+X to the character's left, +Y up, +Z forward), so that a
joint's rotation is its rotation away from the A-pose. In the file each joint has its own axes,
`AXES`: +Y along the bone, and +X the hinge axis.

Twist joints distribute the twist of a limb: ArmTwist1 and ArmTwist2 undo that of the upper arm (all
of it at the shoulder, half of it half way), UpLegTwist that of the thigh; ForeArmTwist1 and
ForeArmTwist2 take one and two thirds of that of the hand.
"""

import math

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Point = tuple[float, float, float]

ARM_DOWN = math.radians(50.0)  # of the A-pose's arms, below the horizontal
ARM = np.array((math.cos(ARM_DOWN), -math.sin(ARM_DOWN), 0.0))  # along the left arm
_SHOULDER = np.array((0.178, 1.402, -0.018))
_FRONT = np.array((0.0, 0.0, 1.0))
UPPER_ARM, FOREARM = 0.27, 0.24  # metres
WRIST = UPPER_ARM + FOREARM
# Of each finger: metres from the wrist to its joints, and to its tip; metres ahead of the middle of
# the hand at its first joint and at its tip.
FINGERS = {
    "Index": ((0.088, 0.124, 0.15), 0.168, (0.0262, 0.0325)),
    "Middle": ((0.0895, 0.1285, 0.157), 0.178, (0.0088, 0.011)),
    "Ring": ((0.0875, 0.124, 0.151), 0.17, (-0.0087, -0.0108)),
    "Pinky": ((0.0825, 0.1145), 0.149, (-0.0255, -0.032)),
}


def _along_arm(length: float, ahead: float = 0.0, up: float = 0.0) -> Point:
    """Return the point `length` metres along the left arm, `ahead` (+Z) and `up` (across it)."""
    across = np.array((-ARM[1], ARM[0], 0.0))
    x, y, z = _SHOULDER + ARM * length + _FRONT * ahead + across * up
    return float(x), float(y), float(z)


def finger_place(finger: str, along: F64 | float) -> F64:
    """Return how far ahead of the middle of the hand a finger is, `along` metres from the wrist."""
    (first, *_), end, (root, tip) = FINGERS[finger]
    return root + (tip - root) * (np.asarray(along) - first) / (end - first)


MIDDLE: list[tuple[str, str, Point]] = [
    ("Root", "", (0.0, 0.0, 0.0)),
    ("Hips", "Root", (0.0, 0.955, 0.0)),
    ("Spine", "Hips", (0.0, 1.05, 0.0)),
    ("Spine1", "Spine", (0.0, 1.16, -0.002)),
    ("Spine2", "Spine1", (0.0, 1.28, -0.008)),
    ("Neck", "Spine2", (0.0, 1.452, -0.02)),
    ("Head", "Neck", (0.0, 1.532, -0.008)),
    ("Jaw", "Head", (0.0, 1.575, 0.02)),
    ("HeadCamera", "Head", (0.0, 1.64, 0.11)),  # locator: looks forward from between the eyes
]
SIDE: list[tuple[str, str, Point]] = [
    ("Eye", "Head", (0.034, 1.637, 0.062)),
    ("Shoulder", "Spine2", (0.04, 1.405, -0.012)),
    ("Arm", "Shoulder", _along_arm(0.0)),
    ("ArmTwist1", "Arm", _along_arm(0.02)),
    ("ArmTwist2", "Arm", _along_arm(0.135)),
    ("ForeArm", "Arm", _along_arm(UPPER_ARM)),
    ("ForeArmTwist1", "ForeArm", _along_arm(UPPER_ARM + 0.08)),
    ("ForeArmTwist2", "ForeArm", _along_arm(UPPER_ARM + 0.16)),
    ("Hand", "ForeArm", _along_arm(WRIST)),
    ("HandThumb1", "Hand", _along_arm(WRIST + 0.025, 0.022)),
    ("HandThumb2", "HandThumb1", _along_arm(WRIST + 0.052, 0.048)),
    ("HandThumb3", "HandThumb2", _along_arm(WRIST + 0.078, 0.062)),
    *(
        (
            f"Hand{finger}{i + 1}",
            f"Hand{finger}{i}" if i else "Hand",
            _along_arm(WRIST + along, float(finger_place(finger, along))),
        )
        for finger, (joints, _, _) in FINGERS.items()
        for i, along in enumerate(joints)
    ),
    ("HandLocator", "Hand", _along_arm(WRIST + 0.075, 0.0, -0.028)),  # middle of the grip
    ("UpLeg", "Hips", (0.095, 0.915, 0.0)),
    ("UpLegTwist", "UpLeg", (0.096, 0.86, 0.002)),
    ("Leg", "UpLeg", (0.1, 0.5, 0.012)),
    ("Foot", "Leg", (0.103, 0.085, -0.015)),
    ("ToeBase", "Foot", (0.108, 0.03, 0.105)),
    ("ToeEnd", "ToeBase", (0.111, 0.016, 0.165)),
]
PROP = ("Prop", "RightHandLocator")  # carries what the right hand holds
LOCATORS = (
    "HeadCamera",
    "LeftHandLocator",
    "RightHandLocator",
    "Prop",
    "LeftToeEnd",
    "RightToeEnd",
)


def _named() -> list[tuple[str, str, Point]]:
    own = {name for name, _, _ in SIDE}
    joints = list(MIDDLE)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, parent, (x, y, z) in SIDE:
            above = side + parent if parent in own else parent
            joints.append((side + name, above, (sign * x, y, z)))
    hand = next(place for name, _, place in joints if name == PROP[1])
    return [*joints, (*PROP, hand)]


JOINTS = _named()
NAMES = [name for name, _, _ in JOINTS]
INDEX = {name: i for i, name in enumerate(NAMES)}
PARENTS = [INDEX.get(parent, -1) for _, parent, _ in JOINTS]
REST: F64 = np.array([place for _, _, place in JOINTS])  # [J, 3] model space
OFFSETS: F64 = np.array(  # [J, 3] from the parent
    [REST[j] - (REST[parent] if parent >= 0 else 0.0) for j, parent in enumerate(PARENTS)]
)

# Where a bone points: to this child, if it has several (the side's name stands before it).
_TOWARDS = {
    "Spine2": "Neck",
    "Shoulder": "Arm",
    "Arm": "ForeArm",
    "ForeArm": "Hand",
    "UpLeg": "Leg",
    "Leg": "Foot",
    "Foot": "ToeBase",
}
_UNTURNED = ("Root", "Hips", "Head", "Jaw", "HeadCamera", "Eye", "Prop")  # axes of the model


def _bends_to(side: str, own: str) -> F64:
    """Return where a joint of an arm bends its bone to."""
    if not any(finger in own for finger in (*FINGERS, "Thumb")):
        return _FRONT
    palm = np.array((ARM[1] if side == "Left" else -ARM[1], -ARM[0], 0.0))
    return palm - 0.7 * _FRONT if "Thumb" in own else palm


def _axes() -> F64:
    """Return [J, 3, 3], columns x, y, z of each joint's axes at rest in model space."""
    axes = np.tile(np.eye(3), (len(NAMES), 1, 1))
    for j, name in enumerate(NAMES):
        side = next((s for s in ("Left", "Right") if name.startswith(s)), "")
        own = name.removeprefix(side)
        if own in _UNTURNED:
            continue
        children = [k for k, parent in enumerate(PARENTS) if parent == j]
        if own in _TOWARDS:
            along = REST[INDEX.get(side + _TOWARDS[own], INDEX.get(_TOWARDS[own], j))] - REST[j]
        elif children and own != "Hand" and name not in LOCATORS:
            along = REST[children[0]] - REST[j]
        else:
            along = axes[PARENTS[j]][:, 1]  # a hand, a twist or an end goes on as its parent does
        y = along / np.linalg.norm(along)
        arm = any(word in own for word in ("Arm", "Hand"))
        # a positive turn about x bends: elbow forward, fingers to the palm, knee back
        hinge = np.cross(y, _bends_to(side, own)) if arm else np.array((1.0, 0.0, 0.0))
        x = hinge - (hinge @ y) * y
        x /= np.linalg.norm(x)
        axes[j] = np.stack((x, y, np.cross(x, y)), axis=1)
    return axes


AXES = _axes()
