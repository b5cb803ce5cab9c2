"""The schema of a motion file, used for reading, writing, messages and documentation."""

import math
from collections.abc import Mapping

from ..blending.strafe import ROLES, TURNS
from ..errors import KeyPath
from ..fields.readers import LARGEST_SPEED
from ..tomlfile.tables import Block, Key, ListOf, TableOf, Union
from ..tomlfile.toml_errors import motion_error, quoted
from ..tomlfile.value_types import (
    Axes,
    Boolean,
    Choice,
    Either,
    Integer,
    Kind,
    Loop,
    Number,
    Numbers,
    Phases,
    SpacePosition,
    Text,
    wrong_kind,
)
from . import document as doc

CLIP_NAME = Text("the name of a clip")
JOINT_NAME = Text("the name of a joint")
PARAMETER_NAME = Text("the name of a parameter")
LAYER_NAME = Text("the name of a layer")
AXIS = Either(text=PARAMETER_NAME, number=Number())  # a parameter, or a constant
DIRECTION = Numbers(3, nonzero=True)
FACING = Numbers(3, nonzero=True, level=True)
VALUE = Either(number=Number(), vector=Numbers(3))  # of a parameter
SECONDS = Number(low=0)
PLAYBACK_SPEED = Number(-LARGEST_SPEED, LARGEST_SPEED)

ROTATION = Key("rotation", Choice("nlerp", "slerp"), "rotation interpolation")
EVENTS_OF = Key(
    "events",
    Choice("heaviest", "all", "none"),
    "clips that fire their events: the one of greatest weight, all, or none",
)


def only_key_of(table: object, path: KeyPath, *keys: str) -> str:
    """Return which of the keys a table has, the first if none; MotionError for more than one."""
    found = [key for key in keys if isinstance(table, Mapping) and key in table]
    if len(found) > 1:
        raise motion_error(path, f"has both {quoted(found[0])} and {quoted(found[1])}")
    return found[0] if found else keys[0]


# -- blend spaces ---------------------------------------------------------------------------------

SPACE_CLIP = Block(
    "clips of a space",
    doc.SpaceClip,
    (
        Key("clip", CLIP_NAME, "the clip; or an additive, where all of them are"),
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


# -- the rest -------------------------------------------------------------------------------------

ANIMS = Block(
    "anims",
    doc.Anims,
    (
        Key(
            "files",
            ListOf(Text("a file name")),
            "files to import clips from, relative to this file",
        ),
        Key(
            "names",
            TableOf(Text("a pattern", empty=True), "pattern"),
            'joint mapping, source pattern = target; "" omits a joint; plain names before patterns',
        ),
    ),
)
PARAMETER = Block(
    "[parameters]",
    doc.Parameter,
    (
        Key("default", VALUE, "initial value; three numbers are a point"),
        Key("range", Numbers(2, rising=True), "least and greatest value"),
        Key("damp", SECONDS, "seconds to reach a new value"),
        Key("angle", Boolean(), "value in degrees, which wraps at ±180"),
    ),
)
EVENT = Block(
    "events of a clip",
    doc.ClipEvent,
    (
        Key("name", Text("a name"), "name of the event"),
        Key("phase", Number(0, 1), "phase of the event, 0 to 1 of the clip's range; or"),
        Key("time", SECONDS, "seconds from the start of the clip's range"),
    ),
)
ROOT = Block(
    "root of a clip",
    doc.Root,
    (
        Key("joint", JOINT_NAME, "the joint whose motion moves the character"),
        Key(
            "mode",
            Choice("keep", "in-place", "accumulate"),
            "keep the motion, remove it, or move the character by it",
        ),
        Key("axes", Axes(), "axes of model space"),
        Key("turn", Boolean(), "also the heading about +Y"),
    ),
)
DRIVE = Block(
    "drive of a clip",
    doc.Drive,
    (
        Key("by", PARAMETER_NAME, "the parameter that sets the clip's time"),
        Key("from", Numbers(2), "two values of the parameter", field="start"),
        Key("to", Numbers(2), "the corresponding times"),
        Key("unit", Choice("seconds", "key"), "unit of `to`; keys are counted from 1"),
    ),
)
CLIP = Block(
    "[clips.NAME]",
    doc.ClipSettings,
    (
        Key("loop", Loop(), "loop mode; without it a clip loops in layers and spaces"),
        Key(
            "range", Numbers(2, low=0, rising=True), "part of the clip to play, seconds of the file"
        ),
        Key("cycles", Integer(1), "number of cycles (pairs of steps)"),
        Key(
            "sync",
            TableOf(Phases(), "mark"),
            "sync marks: phases aligned with marks of the same name in other clips",
        ),
        Key("events", ListOf(EVENT), "events"),
        Key("root", ROOT, "root motion"),
        Key("drive", DRIVE, "drive the clip's time by a parameter"),
    ),
)
REFERENCE_CLIP = Block(
    "reference of an additive",
    doc.Reference,
    (
        Key("clip", CLIP_NAME, "the clip, at the same phase as the source", required=True),
        Key("time", SECONDS, "seconds of the file: the pose at this time instead"),
    ),
)
REFERENCE_POSE = Block(
    "reference of an additive",
    doc.Reference,
    (
        Key(
            "pose",
            Choice("rest", "bind"),
            "the rest pose of the nodes, or the bind pose of the skin",
            required=True,
        ),
    ),
)


def _reference(value: object, path: KeyPath) -> Kind:
    return REFERENCE_POSE if only_key_of(value, path, "clip", "pose") == "pose" else REFERENCE_CLIP


REFERENCE = Union(
    "a table with clip, with clip and time, or with pose",
    _reference,
    lambda value: REFERENCE_POSE if value.clip is None else REFERENCE_CLIP,
)
ADDITIVE = Block(
    "[additives.NAME]",
    doc.Additive,
    (
        Key("source", Text("the name of a clip or space"), "the clip, or a space of clips"),
        Key("reference", REFERENCE, "the pose that is subtracted"),
        Key("space", Choice("joint", "parent", "model"), "the space of the difference"),
        Key("limits", TableOf(Number(0, 180), "joint"), "joint = largest rotation, degrees"),
    ),
)
MASK = Block(
    "[masks.NAME]",
    doc.MaskSettings,
    (
        Key(
            "joints",
            TableOf(Number(0, 1), "joint"),
            "joint = weight, inherited by descendants up to the next joint listed; others 0",
        ),
        Key("space", Choice("local", "model"), "space in which rotations are blended"),
    ),
)
TARGET = Key("target", Text("a parameter or a joint"), "a parameter of three numbers, or a joint")
AIM = Block(
    "[aims.NAME]",
    doc.Aim,
    (
        Key(
            "chain",
            TableOf(Number(0, 1), "joint", least=1),
            "joint = share of the remaining rotation; 1 for the last joint",
        ),
        TARGET,
        Key(
            "forward",
            DIRECTION,
            "the axis to point at the target, in each joint's local space; without it [0, 0, 1], "
            "or on a character that does not face +Z the axis nearest to its facing",
        ),
        Key("up", DIRECTION, "the axis to keep upright; without it the shortest rotation is used"),
        Key("limit", Number(0, 180), "largest rotation of the end joint, degrees"),
        Key("speed", Number(0, above=True), "largest speed, degrees per second"),
    ),
)
IK = Block(
    "[iks.NAME]",
    doc.Ik,
    (
        Key("chain", ListOf(JOINT_NAME, count=3), "upper, middle and end joint"),
        TARGET,
        Key(
            "pole",
            DIRECTION,
            "direction of the middle joint, in model space; without it the facing",
        ),
        Key(
            "keep",
            Boolean(),
            "the end joint keeps its rotation in model space, as a foot does",
        ),
    ),
)
PIVOT = Block(
    "[pivot]",
    doc.Pivot,
    (Key("rate", AXIS, "the parameter: degrees per second about +Y"),),
)


class _PoseReference:
    """A reference pose: "bind", "rest", or a clip and a time."""

    words = '"bind", "rest" or "CLIP@TIME" in seconds'

    def read(self, value: object, path: KeyPath) -> str:
        """Return the text."""
        clip, _, time = value.rpartition("@") if isinstance(value, str) else ("", "", "")
        try:
            sound = value in ("bind", "rest") or (clip and 0 <= float(time) < math.inf)
        except ValueError:
            sound = False
        if not sound:
            raise wrong_kind(self, value, path)
        return str(value)

    def plain(self, value: str) -> str:
        """Return the value for TOML."""
        return value


POSE_REFERENCE = _PoseReference()
RETARGET = Block(
    "[retarget]",
    doc.RetargetSettings,
    (
        Key("reference", POSE_REFERENCE, "reference pose of this character"),
        Key("source_reference", POSE_REFERENCE, "reference pose of the source"),
        Key("stance", Boolean(), "align the reference poses first, such as T-pose and A-pose"),
        Key("leg_ik", Boolean(), "ankles follow the source's, scaled, by IK"),
        Key("hips", JOINT_NAME, "hips of this character; without it detected"),
        Key("source_hips", JOINT_NAME, "hips of the source"),
        Key("root", JOINT_NAME, "root joint of this character"),
    ),
)
STILL_CLIP = Block(
    "play of a layer",
    doc.StillClip,
    (
        Key("clip", CLIP_NAME, "the clip"),
        Key("time", SECONDS, "time of the pose, seconds of the file"),
    ),
)
STILL_POSE = Block(
    "play of a layer",
    doc.StillPose,
    (
        Key(
            "pose",
            Choice("rest", "bind"),
            "the rest pose of the nodes, or the bind pose of the skin",
        ),
    ),
)


def _layer(*_: object) -> Kind:
    return LAYER


NESTED = Block(
    "play of a layer",
    doc.Nested,
    (Key("layers", ListOf(Union("a layer", _layer, _layer), least=1), "layers"),),
)
PLAY_NAME = Text("the name of a clip, space, additive, aim or ik")
_STILLS: dict[str, Kind] = {"clip": STILL_CLIP, "pose": STILL_POSE, "layers": NESTED}


def _play(value: object, path: KeyPath) -> Kind:
    if isinstance(value, Mapping):
        return _STILLS[only_key_of(value, path, *_STILLS)]
    return PLAY_NAME


def _play_kind(value: doc.Play) -> Kind:
    if isinstance(value, doc.StillClip):
        return STILL_CLIP
    if isinstance(value, doc.StillPose):
        return STILL_POSE
    return NESTED if isinstance(value, doc.Nested) else PLAY_NAME


PLAY = Union(PLAY_NAME.words, _play, _play_kind)
LAYER: Block = Block(
    "[[layers]]",
    doc.LayerSettings,
    (
        Key("name", Text("a name"), "name for `fade`, `set` and the command line"),
        Key("play", PLAY, "a clip, space, additive, aim or ik by name, a still pose, or layers"),
        Key(
            "mask",
            Text("the name of a mask"),
            'a mask, or "touched": the joints that its clips animate',
        ),
        Key(
            "weight",
            Either(text=PARAMETER_NAME, number=Number(0)),
            "0 to 1, or a parameter; above 1 exaggerates an additive",
        ),
        Key("mode", Choice("replace", "add"), 'blend mode; without it "add" for additives'),
        Key(
            "speed",
            Either(text=PARAMETER_NAME, number=PLAYBACK_SPEED),
            "playback speed, or a parameter; negative plays backwards",
        ),
        Key("phase", Number(0, 1), "initial phase, 0 to 1"),
        Key("time", PARAMETER_NAME, "a parameter that sets the clip's time, in seconds"),
        Key("mute", Boolean(), "disable the layer"),
        Key("solo", Boolean(), "disable all layers that are not solo"),
        ROTATION,
    ),
)
FADE = Block(
    "fade",
    doc.Fade,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("to", PLAY, "the new content, as in `play`"),
        Key("seconds", SECONDS, "duration"),
        Key("ease", Choice("cubic", "linear"), "easing"),
        Key("kind", Choice("smooth", "frozen"), "the old content keeps playing, or is frozen"),
        Key("in_phase", Boolean(), "start the new clip at the phase of the old one"),
    ),
)
SET = Block(
    "set",
    doc.Set,
    (
        Key("name", Text("a parameter or LAYER.weight"), "a parameter, or LAYER.weight"),
        Key("value", VALUE, "the new value"),
        Key("seconds", SECONDS, "duration; without it the parameter's `damp`"),
    ),
)
SEEK = Block(
    "seek",
    doc.Seek,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("time", SECONDS, "new time of its clip, seconds of the file"),
    ),
)
SPEED = Block(
    "speed",
    doc.Speed,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("value", PLAYBACK_SPEED, "the new speed; negative plays backwards"),
    ),
)
CAMERA_NAME = Text("the name of a camera", empty=True)
CUT_HELP = 'a camera of the file, by its name or its joint\'s; "": the free camera'
CUT = Block("cut", doc.Cut, (Key("camera", CAMERA_NAME, CUT_HELP),))
ACTIONS = {"fade": FADE, "set": SET, "seek": SEEK, "speed": SPEED, "cut": CUT}
AT_TIME = Key("time", SECONDS, "seconds since the start")


def action_name(value: doc.At) -> str:
    """Return the key of an action: fade, set, seek, speed or cut."""
    return next(name for name, block in ACTIONS.items() if type(value.do) is block.make)


AT_OF = {
    name: Block("[[at]]", doc.At, (AT_TIME, Key(name, block, block.title, field="do")))
    for name, block in ACTIONS.items()
}
AT = Union(
    "a table with time and one of fade, set, seek, speed, cut",
    lambda v, p: AT_OF[only_key_of(v, p, *ACTIONS)],
    lambda v: AT_OF[action_name(v)],
)

DOCUMENT = Block(
    "the file",
    doc.MotionDoc,
    (
        Key("version", Integer(1, 1), "1", required=True),
        Key(
            "facing",
            FACING,
            "the direction that the character faces at rest, in model space; without it detected",
        ),
        Key("anims", ANIMS, "clips from other files"),
        Key("parameters", TableOf(PARAMETER, "parameter"), "values set by the user"),
        Key(
            "morphs",
            TableOf(Number(), "morph target"),
            "morph target = weight, in place of the clips' weights",
        ),
        Key("clips", TableOf(CLIP, "clip"), "settings of clips"),
        Key("additives", TableOf(ADDITIVE, "additive"), "additive clips"),
        Key("masks", TableOf(MASK, "mask"), "joint weights"),
        Key("spaces", TableOf(ANY_SPACE, "space"), "blend spaces"),
        Key("aims", TableOf(AIM, "aim"), "look-at chains"),
        Key("iks", TableOf(IK, "ik"), "two-bone IK"),
        Key("pivot", PIVOT, "turning in place"),
        Key("retarget", RETARGET, "retargeting of imported clips"),
        Key("layers", ListOf(LAYER), "layers, the base first"),
        Key("at", ListOf(AT), "scheduled actions"),
    ),
)
