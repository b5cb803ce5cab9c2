"""The mannequin's joints: names, parents and where they stand at rest, in metres.

At rest every joint is turned like the model itself, so its local rotation is also the rotation
away from the A-pose that the body is built in.
"""

import math

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Point = tuple[float, float, float]

ARM_DOWN = math.radians(50.0)  # of the A-pose's arms, below the horizontal
ARM = np.array((math.cos(ARM_DOWN), -math.sin(ARM_DOWN), 0.0))  # along the left arm
_SHOULDER = np.array((0.178, 1.402, -0.018))


def _along_arm(length: float) -> Point:
    x, y, z = _SHOULDER + ARM * length
    return float(x), float(y), float(z)


MIDDLE: list[tuple[str, str, Point]] = [
    ("Hips", "", (0.0, 0.955, 0.0)),
    ("Spine", "Hips", (0.0, 1.05, 0.0)),
    ("Spine1", "Spine", (0.0, 1.16, -0.002)),
    ("Spine2", "Spine1", (0.0, 1.28, -0.008)),
    ("Neck", "Spine2", (0.0, 1.452, -0.02)),
    ("Head", "Neck", (0.0, 1.532, -0.008)),
]
SIDE: list[tuple[str, str, Point]] = [
    ("Shoulder", "Spine2", (0.04, 1.405, -0.012)),
    ("Arm", "Shoulder", _along_arm(0.0)),
    ("ForeArm", "Arm", _along_arm(0.27)),
    ("Hand", "ForeArm", _along_arm(0.51)),
    ("HandMiddle1", "Hand", _along_arm(0.6)),
    ("UpLeg", "Hips", (0.095, 0.915, 0.0)),
    ("Leg", "UpLeg", (0.1, 0.5, 0.012)),
    ("Foot", "Leg", (0.103, 0.085, -0.015)),
    ("ToeBase", "Foot", (0.108, 0.03, 0.105)),
]


def _named() -> list[tuple[str, str, Point]]:
    own = {name for name, _, _ in SIDE}
    joints = list(MIDDLE)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, parent, (x, y, z) in SIDE:
            above = side + parent if parent in own else parent
            joints.append((side + name, above, (sign * x, y, z)))
    return joints


JOINTS = _named()
NAMES = [name for name, _, _ in JOINTS]
INDEX = {name: i for i, name in enumerate(NAMES)}
PARENTS = [INDEX.get(parent, -1) for _, parent, _ in JOINTS]
REST: F64 = np.array([place for _, _, place in JOINTS])  # [J, 3] model space
OFFSETS: F64 = np.array(  # [J, 3] from the parent
    [REST[j] - (REST[parent] if parent >= 0 else 0.0) for j, parent in enumerate(PARENTS)]
)
