"""The one table of what a motion file may hold: reading, writing, messages and docs follow it."""

from collections.abc import Mapping

from ..tomlfile.tables import Block, Items, Key, Named, Union
from ..tomlfile.toml_errors import KeyPath, fault, quoted
from ..tomlfile.value_types import (
    Axes,
    Choice,
    Either,
    Kind,
    Loop,
    Number,
    Numbers,
    Phases,
    Place,
    Switch,
    Text,
    Whole,
)
from . import document as doc

CLIP_NAME = Text("the name of a clip")
JOINT_NAME = Text("the name of a joint")
PARAMETER_NAME = Text("the name of a parameter")
LAYER_NAME = Text("the name of a layer")
AXIS = Either(text=PARAMETER_NAME, number=Number())
DIRECTION = Numbers(3, nonzero=True)
VALUE = Either(number=Number(), vector=Numbers(3))
SECONDS = Number(0)

ROTATION = Key("rotation", Choice("nlerp", "slerp"), "how rotations are blended")
DELIVERED = Key("events", Choice("heaviest", "all", "none"), "of which clips events are delivered")

ANIMS = Block(
    "anims",
    doc.Anims,
    (
        Key("files", Items(Text("a file name")), "files to take clips from, beside this one"),
        Key(
            "names",
            Named(Text("a pattern", empty=True), "pattern"),
            'names of their joints = ours; "" leaves a joint out',
        ),
    ),
)
PARAMETER = Block(
    "[parameters]",
    doc.Parameter,
    (
        Key("default", VALUE, "value at the start; three numbers are a point"),
        Key("range", Numbers(2, rising=True), "least and greatest value"),
        Key("damp", SECONDS, "seconds to reach a new value"),
        Key("angle", Switch(), "degrees that wrap at ±180"),
    ),
)
EVENT = Block(
    "events of a clip",
    doc.Mark,
    (
        Key("name", Text("a name"), "what is delivered"),
        Key("phase", Number(0, 1), "where it stands, from 0 to 1 of the clip's range; or"),
        Key("time", SECONDS, "seconds from the beginning of the clip's range"),
    ),
)
ROOT = Block(
    "root of a clip",
    doc.Root,
    (
        Key("joint", JOINT_NAME, "the joint that carries the character along"),
        Key(
            "mode",
            Choice("keep", "in-place", "accumulate"),
            "leave the motion, take it out, or move the character by it",
        ),
        Key("axes", Axes(), "along which axes of model space"),
        Key("turn", Switch(), "its heading about +Y, too"),
    ),
)
DRIVE = Block(
    "drive of a clip",
    doc.Drive,
    (
        Key("by", PARAMETER_NAME, "the parameter that sets the clip's time"),
        Key("from", Numbers(2), "two values of the parameter", field="start"),
        Key("to", Numbers(2), "the times that belong to them"),
        Key("unit", Choice("seconds", "key"), "what `to` counts: keys are counted from 1"),
    ),
)
CLIP = Block(
    "[clips.NAME]",
    doc.ClipSettings,
    (
        Key("loop", Loop(), "how it repeats; in layers and spaces it loops by itself"),
        Key("range", Numbers(2, low=0, rising=True), "first and last second of the file to play"),
        Key("cycles", Whole(1), "how many cycles (pairs of steps) it holds"),
        Key("sync", Named(Phases(), "mark"), "phases that meet those of the same name elsewhere"),
        Key("events", Items(EVENT), "named triggers"),
        Key("root", ROOT, "what is done with the motion of its root"),
        Key("drive", DRIVE, "its time is set by a parameter"),
    ),
)
REFERENCE_CLIP = Block(
    "reference of an additive",
    doc.Reference,
    (
        Key("clip", CLIP_NAME, "the clip, at the same phase as the source", required=True),
        Key("time", SECONDS, "seconds of the file: this one moment of it instead"),
    ),
)
REFERENCE_POSE = Block(
    "reference of an additive",
    doc.Reference,
    (Key("pose", Choice("rest", "bind"), "the pose of the nodes, or of the skin", required=True),),
)


def _reference(value: object, path: KeyPath) -> Kind:
    return REFERENCE_POSE if one_of(value, path, "clip", "pose") == "pose" else REFERENCE_CLIP


def one_of(value: object, path: KeyPath, *keys: str) -> str:
    """Return which of some keys a table has; MotionError where it is not exactly one."""
    table = value if isinstance(value, Mapping) else {}
    found = [key for key in keys if key in table]
    if len(found) > 1:
        raise fault(path, f"has both {quoted(found[0])} and {quoted(found[1])}")
    return found[0] if found else keys[0]


REFERENCE = Union(
    "a table with clip, with clip and time, or with pose",
    _reference,
    lambda value: REFERENCE_POSE if value.clip is None else REFERENCE_CLIP,
)
ADDITIVE = Block(
    "[additives.NAME]",
    doc.Additive,
    (
        Key("source", CLIP_NAME, "the clip that the difference is taken from"),
        Key("reference", REFERENCE, "what it is the difference to"),
        Key("space", Choice("joint", "parent", "model"), "the space of the difference"),
        Key("limits", Named(Number(0, 180), "joint"), "joint = degrees that it may turn away"),
    ),
)
MASK = Block(
    "[masks.NAME]",
    doc.MaskSettings,
    (
        Key(
            "joints",
            Named(Number(0, 1), "joint", least=1),
            "joint = weight, which holds downwards until the next joint named",
        ),
        Key("space", Choice("local", "model"), "in which rotations are blended"),
    ),
)
SPACE_CLIP = Block(
    "clips of a space",
    doc.SpaceClip,
    (
        Key("clip", CLIP_NAME, "the clip"),
        Key("at", Place(), "its place: a number on a line, two elsewhere"),
    ),
)
SPACE = Block(
    "[spaces.NAME]",
    doc.Space,
    (
        Key("kind", Choice("line", "corners", "points", "strafe"), "how places become weights"),
        Key("x", AXIS, "the parameter along the line or the first axis", required=True),
        Key("y", AXIS, "the parameter along the second axis"),
        Key("clips", Items(SPACE_CLIP), "the clips and their places"),
        Key("sync", Switch(), "the clips keep step, by their sync marks"),
        ROTATION,
        DELIVERED,
    ),
)
ROLES = ("forward", "left", "right", "back", "left_back", "right_back")
TURNS = ("left_to_back", "left_to_front", "right_to_back", "right_to_front")
STRAFE = Block(
    '[spaces.NAME] of kind "strafe"',
    doc.StrafeSpace,
    (
        Key("x", AXIS, "the parameter: degrees, 0 forward, +90 to the character's left"),
        Key("clips", Named(CLIP_NAME, "direction", ROLES, least=1), f"clips of {', '.join(ROLES)}"),
        Key(
            "transitions",
            Named(CLIP_NAME, "transition", TURNS),
            f"clips played once as the half changes: {', '.join(TURNS)}",
        ),
        Key("hysteresis", Number(0, 45), "degrees past ±90 at which the half changes"),
        Key("seconds", SECONDS, "length of the fade where there is no transition"),
        Key("sync", Switch(), "the clips keep step, by their sync marks"),
        ROTATION,
        DELIVERED,
    ),
    mark=("kind", "strafe"),
)


def _space(value: object, _: KeyPath) -> Kind:
    strafe = isinstance(value, Mapping) and value.get("kind") == "strafe"
    return STRAFE if strafe else SPACE


ANY_SPACE = Union(
    SPACE.words, _space, lambda value: STRAFE if isinstance(value, doc.StrafeSpace) else SPACE
)
TARGET = Key("target", Text("a parameter or a joint"), "a parameter of three numbers, or a joint")
AIM = Block(
    "[aims.NAME]",
    doc.Aim,
    (
        Key(
            "chain",
            Named(Number(0, 1), "joint", least=1),
            "joint = weight of what is left to turn; the last has weight 1",
        ),
        TARGET,
        Key("forward", DIRECTION, "the axis that points at the target, in each joint's own space"),
        Key("up", DIRECTION, "the axis kept upright; without it by the shortest turn"),
        Key("limit", Number(0, 180), "degrees that the end may turn away"),
        Key("speed", Number(0, above=True), "degrees a second at most"),
    ),
)
IK = Block(
    "[iks.NAME]",
    doc.Ik,
    (
        Key("chain", Items(JOINT_NAME, count=3), "upper, middle and end joint"),
        TARGET,
        Key("pole", DIRECTION, "where the middle joint points, in model space"),
        Key(
            "keep",
            Switch(),
            "whether the end joint keeps its rotation in model space, as a foot does",
        ),
    ),
)
PIVOT = Block(
    "[pivot]",
    doc.Pivot,
    (Key("rate", AXIS, "the parameter: degrees a second about +Y"),),
)
RETARGET = Block(
    "[retarget]",
    doc.RetargetSettings,
    (
        Key("reference", Text(), 'pose of ours to compare with: "bind", "rest" or "CLIP@TIME"'),
        Key("source_reference", Text(), "the same of the other file"),
        Key("stance", Switch(), "bring the two into one stance first, T against A"),
        Key("leg_ik", Switch(), "ankles follow the other character's, to its scale"),
        Key("hips", JOINT_NAME, "our hips; otherwise found"),
        Key("source_hips", JOINT_NAME, "theirs"),
        Key("root", JOINT_NAME, "our joint that travels"),
    ),
)
STILL_CLIP = Block(
    "play of a layer",
    doc.StillClip,
    (
        Key("clip", CLIP_NAME, "the clip"),
        Key("time", SECONDS, "seconds of the file at which it stands still"),
    ),
)
STILL_POSE = Block(
    "play of a layer",
    doc.StillPose,
    (Key("pose", Choice("rest", "bind"), "the pose of the nodes, or of the skin"),),
)


def _layer(*_: object) -> Kind:
    return LAYER


NESTED = Block(
    "play of a layer",
    doc.Nested,
    (Key("layers", Items(Union("a layer", _layer, _layer), least=1), "layers"),),
)
PLAY_NAME = Text("the name of a clip, space, additive, aim or ik")
_STILLS: dict[str, Kind] = {"clip": STILL_CLIP, "pose": STILL_POSE, "layers": NESTED}


def _play(value: object, path: KeyPath) -> Kind:
    if isinstance(value, Mapping):
        return _STILLS[one_of(value, path, *_STILLS)]
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
        Key("name", Text("a name"), "how `fade`, `set` and the command line call it"),
        Key("play", PLAY, "a clip, space, additive, aim or ik by name, a still pose, or layers"),
        Key("mask", Text("the name of a mask"), 'a mask, or "touched": the joints its clips move'),
        Key("weight", SECONDS, "0 to 1; of an additive, more than 1 exaggerates"),
        Key("mode", Choice("replace", "add"), "implied by what it plays"),
        Key("speed", Number(), "rate; below 0 backwards"),
        Key("phase", Number(0, 1), "where it starts, from 0 to 1"),
        Key("mute", Switch(), "it does not take part"),
        Key("solo", Switch(), "layers without it do not take part"),
        ROTATION,
    ),
)
FADE = Block(
    "fade",
    doc.Fade,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("to", PLAY, "what it plays from then on, as in `play`"),
        Key("seconds", SECONDS, "how long it takes"),
        Key("ease", Choice("cubic", "linear"), "how it comes in"),
        Key("kind", Choice("smooth", "frozen"), "the old one goes on, or stands still"),
        Key("in_phase", Switch(), "the new clip starts at the phase of the old one"),
    ),
)
SET = Block(
    "set",
    doc.Set,
    (
        Key("name", Text("a parameter or LAYER.weight"), "a parameter, or LAYER.weight"),
        Key("value", VALUE, "where it goes"),
        Key("seconds", SECONDS, "how long it takes; without it the parameter's `damp`"),
    ),
)
SEEK = Block(
    "seek",
    doc.Seek,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("time", SECONDS, "seconds of the file that its clip jumps to"),
    ),
)
SPEED = Block(
    "speed",
    doc.Speed,
    (
        Key("layer", LAYER_NAME, "the layer"),
        Key("value", Number(), "its rate from then on; below 0 backwards"),
    ),
)
CAMERA_NAME = Text("the name of a camera", empty=True)
CUT_TO = 'a camera of the file by its name or its joint\'s, or "": the free one'
CUT = Block("cut", doc.Cut, (Key("camera", CAMERA_NAME, CUT_TO),))
DEEDS = {"fade": FADE, "set": SET, "seek": SEEK, "speed": SPEED, "cut": CUT}
AT_TIME = Key("time", SECONDS, "seconds since the start")


def deed_name(value: doc.At) -> str:
    """Return the key of what is done: fade, set, seek, speed or cut."""
    return next(name for name, block in DEEDS.items() if type(value.do) is block.make)


AT_OF = {
    name: Block("[[at]]", doc.At, (AT_TIME, Key(name, block, block.title, field="do")))
    for name, block in DEEDS.items()
}
AT = Union(
    "a table with time and one of fade, set, seek, speed, cut",
    lambda v, p: AT_OF[one_of(v, p, *DEEDS)],
    lambda v: AT_OF[deed_name(v)],
)

DOCUMENT = Block(
    "the file",
    doc.MotionDoc,
    (
        Key("version", Whole(1, 1), "1", required=True),
        Key("anims", ANIMS, "clips from other files"),
        Key("parameters", Named(PARAMETER, "parameter"), "numbers that people set"),
        Key("clips", Named(CLIP, "clip"), "settings of clips"),
        Key("additives", Named(ADDITIVE, "additive"), "differences"),
        Key("masks", Named(MASK, "mask"), "weights of joints"),
        Key("spaces", Named(ANY_SPACE, "space"), "blend spaces"),
        Key("aims", Named(AIM, "aim"), "chains that turn towards a target"),
        Key("iks", Named(IK, "ik"), "limbs that reach for a target"),
        Key("pivot", PIVOT, "turning on the spot"),
        Key("retarget", RETARGET, "how clips of other files are carried over"),
        Key("layers", Items(LAYER), "what plays, the base first"),
        Key("at", Items(AT), "what happens when"),
    ),
)
