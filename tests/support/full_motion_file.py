"""A motion document for the bundled character with a part of every kind."""

import shutil

from rigview.motion.document import (
    Additive,
    Aim,
    At,
    ClipEvent,
    ClipSettings,
    Fade,
    LayerSettings,
    MaskSettings,
    MotionDoc,
    Parameter,
    Reference,
    Set,
    Space,
    SpaceClip,
    StrafeSpace,
)
from rigview.resources import asset_path
from rigview.session import character_files
from rigview.session.session import Session
from tests.support.fixed_clock import FixedClock

# fmt: off
CLIPS = frozenset((  # of the document, and two more
    "Walk", "WalkBack", "Run", "StrafeLeft", "StrafeLeftBack", "StrafeRight", "StrafeRightBack",
    "LeanLeft", "Wave", "AimCentre", "AimLeft", "AimRight", "AimUp", "AimDown", "Idle",
    "WalkForward",
))
# fmt: on
DOCUMENT = MotionDoc(
    parameters={
        "speed": Parameter(1.2, (0.0, 4.0), damp=0.2),
        "x": Parameter(0.25, (-1.0, 1.0)),
        "y": Parameter(0.25, (-1.0, 1.0)),
        "look_at": Parameter((0.7, 1.5, 0.3)),
        "direction": Parameter(30.0, angle=True),
    },
    clips={
        "Walk": ClipSettings(
            events=(ClipEvent("left", phase=0.1), ClipEvent("right", phase=0.6)),
            sync={"left": (0.1,), "right": (0.6,)},
        ),
        "Run": ClipSettings(sync={"left": (0.1,), "right": (0.6,)}),
    },
    additives={"Lean": Additive("LeanLeft", Reference(clip="Walk"))},
    masks={
        "upper": MaskSettings({"Spine": 0.3, "Spine1": 0.6, "RightShoulder": 1.0}),
        "arm": MaskSettings({"RightArm": 1.0}),
    },
    spaces={
        "gait": Space("line", (SpaceClip("Walk", (1.4,)), SpaceClip("Run", (4.0,))), "speed"),
        "pad": Space(
            "points",
            (
                SpaceClip("AimCentre", (0.0, 0.0)),
                SpaceClip("AimLeft", (-1.0, 0.0)),
                SpaceClip("AimRight", (1.0, 0.0)),
                SpaceClip("AimUp", (0.0, 1.0)),
                SpaceClip("AimDown", (0.0, -1.0)),
            ),
            "x",
            "y",
        ),
        "strafe": StrafeSpace(
            "direction",
            {
                "forward": "Walk",
                "left": "StrafeLeft",
                "right": "StrafeRight",
                "back": "WalkBack",
                "left_back": "StrafeLeftBack",
                "right_back": "StrafeRightBack",
            },
        ),
    },
    aims={"head": Aim({"Spine2": 0.2, "Neck": 0.5, "Head": 1.0}, "look_at", limit=70.0)},
    layers=(
        LayerSettings("base", "gait"),
        LayerSettings("wave", "Wave", mask="upper", weight=0.8),
        LayerSettings("look", "head", weight=0.9),
    ),
)
TIMED_CHANGES = (At(1.0, Fade("base", "Run")), At(2.0, Set("wave.weight", 0.2, 0.5)))


def open_session(folder):
    """A session with a copy of the mannequin, without its motion file."""
    session = Session(FixedClock(100.0))
    session.tick()
    character_files.open_file(
        session, shutil.copy(asset_path("mannequin.glb"), folder / "figure.glb")
    )
    return session
