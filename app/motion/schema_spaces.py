"""The schema of blend spaces in a motion file."""

from collections.abc import Mapping

from ..blending.strafe import ROLES, TURNS
from ..errors import KeyPath
from ..tomlfile.tables import Block, Key, ListOf, TableOf, Union
from ..tomlfile.value_types import Boolean, Choice, Kind, Number, SpacePosition
from . import document as doc
from .schema_common import AXIS, CLIP_NAME, EVENTS_OF, ROTATION, SECONDS

SPACE_CLIP = Block(
    "clips of a space",
    doc.SpaceClip,
    (
        Key("clip", CLIP_NAME, "the clip"),
        Key("at", SpacePosition(), "its position: one number on a line, two otherwise"),
    ),
)
SPACE = Block(
    "[spaces.NAME]",
    doc.Space,
    (
        Key("kind", Choice("line", "corners", "points", "strafe"), "arrangement of the clips"),
        Key("x", AXIS, "the parameter of the first axis", required=True),
        Key("y", AXIS, "the parameter of the second axis"),
        Key("clips", ListOf(SPACE_CLIP), "the clips and their positions"),
        Key("sync", Boolean(), "synchronise the clips by their sync marks"),
        ROTATION,
        EVENTS_OF,
    ),
)
STRAFE = Block(
    '[spaces.NAME] of kind "strafe"',
    doc.StrafeSpace,
    (
        Key("x", AXIS, "the parameter: degrees, 0 forward, +90 left"),
        Key(
            "clips", TableOf(CLIP_NAME, "direction", ROLES, least=1), f"clips of {', '.join(ROLES)}"
        ),
        Key(
            "transitions",
            TableOf(CLIP_NAME, "transition", TURNS),
            f"clips played once between the forward and back halves: {', '.join(TURNS)}",
        ),
        Key("hysteresis", Number(0, 45), "degrees beyond ±90 before the half changes"),
        Key("seconds", SECONDS, "duration of the fade without a transition clip"),
        Key("sync", Boolean(), "the clips are always synchronised: only true is allowed"),
        ROTATION,
        EVENTS_OF,
    ),
    mark=("kind", "strafe"),
)


def _space(value: object, _: KeyPath) -> Kind:
    strafe = isinstance(value, Mapping) and value.get("kind") == "strafe"
    return STRAFE if strafe else SPACE


ANY_SPACE = Union(
    SPACE.words, _space, lambda value: STRAFE if isinstance(value, doc.StrafeSpace) else SPACE
)
