"""The contents of a motion file: immutable, by name, in seconds, degrees and phases.

`rigview.motion.read` reads a document from text, `rigview.motion.write` writes it, and
`rigview.motion.bind` binds it to a model. Every edit makes a new document; undo keeps a stack of
them. Each field is declared once, with the key of the file that has its value: reading, writing,
messages and the tables of the manual follow it.
"""

import copyreg
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from ..blending.strafe import ROLES, TURNS
from ..errors import KeyPath
from ..fields.readers import LARGEST_SPEED
from ..tomlfile.tables import EMPTY, Block, Key, ListOf, TableOf, Union, key
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

Vector = tuple[float, float, float]
Value = float | Vector

CLIP_NAME = Text("the name of a clip")
JOINT_NAME = Text("the name of a joint")
PARAMETER_NAME = Text("the name of a parameter")
LAYER_NAME = Text("the name of a layer")
POSE_NAME = Text("the name of a pose")
STILLS = ("rest", "bind")  # the names of the model's own poses
AXIS = Either(text=PARAMETER_NAME, number=Number())  # a parameter, or a constant
TARGET = Text("a parameter or a joint")
DIRECTION = Numbers(3, nonzero=True)
FACING = Numbers(3, nonzero=True, level=True)
VALUE = Either(number=Number(), vector=Numbers(3))  # of a parameter
SECONDS = Number(low=0)
CONE = Number(0, 180)  # degrees, largest rotation of a joint
PLAYBACK_SPEED = Number(-LARGEST_SPEED, LARGEST_SPEED)


def _read_only(table: dict[str, Any]) -> "MappingProxyType[str, Any]":
    return MappingProxyType(table)


# documents are sent to other processes: their mappings are pickled as dictionaries
copyreg.pickle(MappingProxyType, lambda table: (_read_only, (dict(table),)))


def _rotation() -> Any:  # noqa: ANN401 - a choice
    return key(Choice("nlerp", "slerp"), "rotation interpolation", "nlerp")


def _events() -> Any:  # noqa: ANN401 - a choice
    return key(
        Choice("heaviest", "all", "none"),
        "clips that fire their events: the one of greatest weight, all, or none",
        "heaviest",
    )


def _still_pose(*default: None, required: bool = False) -> Any:  # noqa: ANN401 - a choice
    words = '"rest": the pose of the nodes, "bind": that of the skin, or one of [poses]'
    return key(POSE_NAME, words, *default, required=required)


def only_key_of(table: object, path: KeyPath, *keys: str) -> str:
    """Return which of the keys a table has, the first if none; MotionError for more than one."""
    found = [key for key in keys if isinstance(table, Mapping) and key in table]
    if len(found) > 1:
        raise motion_error(path, f"has both {quoted(found[0])} and {quoted(found[1])}")
    return found[0] if found else keys[0]


@dataclass(frozen=True, slots=True)
class Anims:
    """Clips imported from other files, retargeted by joint name."""

    files: tuple[str, ...] = key(
        ListOf(Text("a file name")), "files to import clips from, relative to this file", ()
    )
    names: Mapping[str, str] = key(
        TableOf(Text("a pattern", empty=True), "pattern"),
        'joint mapping, source pattern = target; "" omits a joint; plain names before patterns',
        EMPTY,
    )


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or point set by the user, which drives blend spaces, aims and clips."""

    default: Value = key(VALUE, "initial value; three numbers are a point", 0.0)
    range: tuple[float, float] | None = key(
        Numbers(2, rising=True), "least and greatest value", None
    )
    damp: float = key(SECONDS, "seconds to reach a new value", 0.0)
    angle: bool = key(Boolean(), "value in degrees, which wraps at ±180", False)


@dataclass(frozen=True, slots=True)
class ClipEvent:
    """An event of a clip, at a phase or at a time, not both."""

    name: str = key(Text("a name"), "name of the event")
    phase: float | None = key(
        Number(0, 1), "phase of the event, 0 to 1 of the clip's range; or", None
    )
    time: float | None = key(SECONDS, "seconds from the start of the clip's range", None)


@dataclass(frozen=True, slots=True)
class Root:
    """Root motion of a clip: kept, removed, or accumulated on the character."""

    joint: str = key(JOINT_NAME, "the joint whose motion moves the character")
    mode: Literal["keep", "in-place", "accumulate"] = key(
        Choice("keep", "in-place", "accumulate"),
        "keep the motion, remove it, or move the character by it",
        "in-place",
    )
    axes: str = key(Axes(), "axes of model space", "xz")
    turn: bool = key(Boolean(), "also the heading about +Y", False)


@dataclass(frozen=True, slots=True)
class Drive:
    """A clip whose time is driven by a parameter."""

    by: str = key(PARAMETER_NAME, "the parameter that sets the clip's time")
    start: tuple[float, float] = key(
        Numbers(2), "two values of the parameter", (0.0, 1.0), name="from"
    )
    to: tuple[float, float] = key(Numbers(2), "the corresponding times", (0.0, 1.0))
    unit: Literal["seconds", "key"] = key(
        Choice("seconds", "key"), "unit of `to`; keys are counted from 1", "seconds"
    )


EVENT = Block.of("events of a clip", ClipEvent)
ROOT = Block.of("root of a clip", Root)
DRIVE = Block.of("drive of a clip", Drive)


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """Settings of one clip."""

    loop: str | None = key(Loop(), "loop mode; without it a clip loops in layers and spaces", None)
    range: tuple[float, float] | None = key(
        Numbers(2, low=0, rising=True), "part of the clip to play, seconds of the file", None
    )
    cycles: int = key(Integer(1), "number of cycles (pairs of steps)", 1)
    sync: Mapping[str, tuple[float, ...]] = key(
        TableOf(Phases(), "mark"),
        "sync marks: phases aligned with marks of the same name in other clips",
        EMPTY,
    )
    events: tuple[ClipEvent, ...] = key(ListOf(EVENT), "events", ())
    root: Root | None = key(ROOT, "root motion", None)
    drive: Drive | None = key(DRIVE, "drive the clip's time by a parameter", None)
    source: str | None = key(
        CLIP_NAME, "the clip that this one is cut out of: a new clip, the `range` of it", None
    )
    tags: tuple[str, ...] = key(
        ListOf(Text("a tag")), "what the search in the list of clips finds it by", ()
    )


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference of an additive: a clip at the same phase, or one pose."""

    clip: str | None = key(
        CLIP_NAME, "the clip, at the same phase as the source", None, required=True
    )
    time: float | None = key(SECONDS, "seconds of the file: the pose at this time instead", None)
    pose: str | None = _still_pose(None, required=True)


REFERENCE_CLIP = Block.of("reference of an additive", Reference, "clip", "time")
REFERENCE_POSE = Block.of("reference of an additive", Reference, "pose")


def _reference(value: object, path: KeyPath) -> Kind:
    return REFERENCE_POSE if only_key_of(value, path, "clip", "pose") == "pose" else REFERENCE_CLIP


REFERENCE = Union(
    "a table with clip, with clip and time, or with pose",
    _reference,
    lambda value: REFERENCE_POSE if value.clip is None else REFERENCE_CLIP,
)


@dataclass(frozen=True, slots=True)
class JointPose:
    """The local transform of a joint in a named pose; parts that are left out are at rest."""

    rotation: Vector | None = key(
        Numbers(3), "degrees about X, then Y, then Z of the parent's axes", None
    )
    translation: Vector | None = key(Numbers(3), "in the parent's space", None)
    scale: Vector | None = key(Numbers(3), "along the joint's axes", None)


NamedPose = Mapping[str, JointPose]  # by joint; joints that are left out are at rest


@dataclass(frozen=True, slots=True)
class Additive:
    """An additive: the difference of a clip, or of each clip of a space, from a reference pose."""

    source: str = key(Text("the name of a clip or space"), "the clip, or a space of clips")
    reference: Reference = key(REFERENCE, "the pose that is subtracted", Reference(pose="rest"))
    space: Literal["joint", "parent", "model"] = key(
        Choice("joint", "parent", "model"), "the space of the difference", "joint"
    )
    limits: Mapping[str, float] = key(
        TableOf(CONE, "joint"), "joint = largest rotation, degrees", EMPTY
    )


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """A weight per joint, inherited by descendants up to the next joint listed."""

    joints: Mapping[str, float] = key(
        TableOf(Number(0, 1), "joint"),
        "joint = weight, inherited by descendants up to the next joint listed; others 0",
    )
    space: Literal["local", "model"] = key(
        Choice("local", "model"), "space in which rotations are blended", "local"
    )


@dataclass(frozen=True, slots=True)
class SpaceClip:
    """A clip and its position in a blend space; additives in a space of differences."""

    clip: str = key(CLIP_NAME, "the clip; or an additive, where all of them are")
    at: tuple[float, ...] = key(
        SpacePosition(), "its position: one number on a line, two otherwise"
    )


SPACE_CLIP = Block.of("clips of a space", SpaceClip)


@dataclass(frozen=True, slots=True)
class Space:
    """A 1D or 2D blend space: one or two parameters determine the weights of clips."""

    kind: Literal["line", "corners", "points"] = key(
        Choice("line", "corners", "points", "strafe"), "arrangement of the clips"
    )
    clips: tuple[SpaceClip, ...] = key(ListOf(SPACE_CLIP), "the clips and their positions")
    x: str | float = key(AXIS, "the parameter of the first axis", 0.0, required=True)
    y: str | float = key(AXIS, "the parameter of the second axis", 0.0)
    sync: bool = key(Boolean(), "synchronise the clips by their sync marks", False)
    rotation: Literal["nlerp", "slerp"] = _rotation()
    events: Literal["heaviest", "all", "none"] = _events()


@dataclass(frozen=True, slots=True)
class StrafeSpace:
    """A blend space for walking in any direction with the body facing forward."""

    x: str | float = key(AXIS, "the parameter: degrees, 0 forward, +90 left")
    clips: Mapping[str, str] = key(
        TableOf(CLIP_NAME, "direction", ROLES, least=1), f"clips of {', '.join(ROLES)}"
    )
    transitions: Mapping[str, str] = key(
        TableOf(CLIP_NAME, "transition", TURNS),
        f"clips played once between the forward and back halves: {', '.join(TURNS)}",
        EMPTY,
    )
    hysteresis: float = key(Number(0, 45), "degrees beyond ±90 before the half changes", 10.0)
    seconds: float = key(SECONDS, "duration of the fade without a transition clip", 0.2)
    sync: bool = key(Boolean(), "the clips are always synchronised: only true is allowed", True)
    rotation: Literal["nlerp", "slerp"] = _rotation()
    events: Literal["heaviest", "all", "none"] = _events()


SPACE = Block.of("[spaces.NAME]", Space, "kind", "x", "y", "clips", "sync", "rotation", "events")
STRAFE = Block.of('[spaces.NAME] of kind "strafe"', StrafeSpace, mark=("kind", "strafe"))


def _space(value: object, _: KeyPath) -> Kind:
    strafe = isinstance(value, Mapping) and value.get("kind") == "strafe"
    return STRAFE if strafe else SPACE


ANY_SPACE = Union(
    SPACE.words, _space, lambda value: STRAFE if isinstance(value, StrafeSpace) else SPACE
)


@dataclass(frozen=True, slots=True)
class Aim:
    """A look-at constraint: a chain of joints that turns towards a target."""

    chain: Mapping[str, float] = key(
        TableOf(Number(0, 1), "joint", least=1),
        "joint = share of the remaining rotation; 1 for the last joint",
    )
    target: str = key(TARGET, "a parameter of three numbers, or a joint")  # model space
    forward: Vector | None = key(
        DIRECTION,
        "the axis to point at the target, in each joint's local space; without it [0, 0, 1], "
        "or on a character that does not face +Z the axis nearest to its facing",
        None,
    )
    up: Vector | None = key(
        DIRECTION, "the axis to keep upright; without it the shortest rotation is used", None
    )
    limit: float | None = key(Number(0, 180), "largest rotation of the end joint, degrees", None)
    speed: float | None = key(Number(0, above=True), "largest speed, degrees per second", None)


@dataclass(frozen=True, slots=True)
class Ik:
    """Two-bone inverse kinematics."""

    chain: tuple[str, str, str] = key(ListOf(JOINT_NAME, count=3), "upper, middle and end joint")
    target: str = key(TARGET, "a parameter of three numbers, or a joint")  # model space
    pole: Vector | None = key(
        DIRECTION, "direction of the middle joint, in model space; without it the facing", None
    )
    keep: bool = key(
        Boolean(), "the end joint keeps its rotation in model space, as a foot does", True
    )


@dataclass(frozen=True, slots=True)
class Pivot:
    """Rotation of the character about +Y at a rate."""

    rate: str | float = key(AXIS, "the parameter: degrees per second about +Y")


class _PoseReference(Kind):
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


POSE_REFERENCE = _PoseReference()


@dataclass(frozen=True, slots=True)
class RetargetSettings:
    """Options for retargeting clips of other files."""

    reference: str = key(POSE_REFERENCE, "reference pose of this character", "bind")
    source_reference: str = key(POSE_REFERENCE, "reference pose of the source", "bind")
    stance: bool = key(
        Boolean(), "align the reference poses first, such as T-pose and A-pose", True
    )
    leg_ik: bool = key(Boolean(), "ankles follow the source's, scaled, by IK", False)
    hips: str | None = key(JOINT_NAME, "hips of this character; without it detected", None)
    source_hips: str | None = key(JOINT_NAME, "hips of the source", None)
    root: str | None = key(JOINT_NAME, "root joint of this character", None)


@dataclass(frozen=True, slots=True)
class StillClip:
    """A still pose: one time of a clip."""

    clip: str = key(CLIP_NAME, "the clip")
    time: float = key(SECONDS, "time of the pose, seconds of the file")


@dataclass(frozen=True, slots=True)
class StillPose:
    """A still pose: the rest or the bind pose, or a named one."""

    pose: str = _still_pose()


def _layer(*_: object) -> Kind:
    return LAYER


@dataclass(frozen=True, slots=True)
class Nested:
    """Nested layers, played by one layer."""

    layers: tuple["LayerSettings", ...] = key(
        ListOf(Union("a layer", _layer, _layer), least=1), "layers"
    )


Play = str | StillClip | StillPose | Nested  # str: name of a clip, space, additive, aim or ik

STILL_CLIP = Block.of("play of a layer", StillClip)
STILL_POSE = Block.of("play of a layer", StillPose)
NESTED = Block.of("play of a layer", Nested)
PLAY_NAME = Text("the name of a clip, space, additive, aim or ik")
_STILLS: dict[str, Block] = {"clip": STILL_CLIP, "pose": STILL_POSE, "layers": NESTED}


def _play(value: object, path: KeyPath) -> Kind:
    if isinstance(value, Mapping):
        return _STILLS[only_key_of(value, path, *_STILLS)]
    return PLAY_NAME


def _play_kind(value: Play) -> Kind:
    return next((each for each in _STILLS.values() if each.make is type(value)), PLAY_NAME)


PLAY = Union(PLAY_NAME.words, _play, _play_kind)


@dataclass(frozen=True, slots=True)
class Random:
    """Start phase, speed and content of a layer, drawn at random by a seed."""

    seed: int = key(Integer(0), "another seed draws other values", 0)
    phase: bool = key(Boolean(), "start at a random phase in place of `phase`", True)
    speed: tuple[float, float] | None = key(
        Numbers(2, low=0, rising=True), "least and greatest factor of the speed", None
    )
    choice: tuple[str, ...] = key(
        ListOf(PLAY_NAME), "what may play in place of `play`, one of these", ()
    )


RANDOM = Block.of("random start of a layer", Random)


@dataclass(frozen=True, slots=True)
class LayerSettings:
    """One layer of the stack; the first is the base."""

    name: str = key(Text("a name"), "name for `fade`, `set` and the command line")
    play: Play = key(PLAY, "a clip, space, additive, aim or ik by name, a still pose, or layers")
    mask: str | None = key(
        Text("the name of a mask"), 'a mask, or "touched": the joints of its clips and poses', None
    )
    weight: float | str = key(
        Either(text=PARAMETER_NAME, number=Number(0)),
        "0 to 1, or a parameter; above 1 exaggerates an additive",
        1.0,
    )
    mode: Literal["replace", "add"] = key(
        Choice("replace", "add"), 'blend mode; without it "add" for additives', "replace"
    )
    speed: float | str = key(
        Either(text=PARAMETER_NAME, number=PLAYBACK_SPEED),
        "playback speed, or a parameter; negative plays backwards",
        1.0,
    )
    phase: float = key(Number(0, 1), "initial phase, 0 to 1", 0.0)
    mute: bool = key(Boolean(), "disable the layer", False)
    solo: bool = key(Boolean(), "disable all layers that are not solo", False)
    rotation: Literal["nlerp", "slerp"] = _rotation()
    time: str | None = key(
        PARAMETER_NAME, "a parameter that sets the clip's time, in seconds", None
    )
    random: Random | None = key(RANDOM, "phase, speed and content by a seed", None)


@dataclass(frozen=True, slots=True)
class Fade:
    """A cross-fade of a layer to other content."""

    layer: str = key(LAYER_NAME, "the layer")
    to: Play = key(PLAY, "the new content, as in `play`")
    seconds: float = key(SECONDS, "duration", 0.3)
    ease: Literal["cubic", "linear"] = key(Choice("cubic", "linear"), "easing", "cubic")
    kind: Literal["smooth", "frozen"] = key(
        Choice("smooth", "frozen"), "the old content keeps playing, or is frozen", "smooth"
    )
    in_phase: bool = key(Boolean(), "start the new clip at the phase of the old one", False)


@dataclass(frozen=True, slots=True)
class Set:
    """A new value of a parameter or `LAYER.weight`."""

    name: str = key(Text("a parameter or LAYER.weight"), "a parameter, or LAYER.weight")
    value: Value = key(VALUE, "the new value")
    seconds: float | None = key(SECONDS, "duration; without it the parameter's `damp`", None)


@dataclass(frozen=True, slots=True)
class Seek:
    """A jump of a layer's clip to a time of the file."""

    layer: str = key(LAYER_NAME, "the layer")
    time: float = key(SECONDS, "new time of its clip, seconds of the file")


@dataclass(frozen=True, slots=True)
class Speed:
    """A new speed of a layer."""

    layer: str = key(LAYER_NAME, "the layer")
    value: float = key(PLAYBACK_SPEED, "the new speed; negative plays backwards")


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut to another camera."""

    camera: str = key(
        Text("the name of a camera", empty=True),
        'a camera of the file, by its name or its joint\'s; "": the free camera',
    )


@dataclass(frozen=True, slots=True)
class Attachment:
    """Another file that is attached to a joint: a sword in a hand.

    Attributes
    ----------
    given
        Whether the file is named on the command line, and may lie in any folder.
    """

    file: str = key(Text("a file name"), "the file, relative to this one")
    joint: str = key(JOINT_NAME, "the joint that carries it")
    translation: Vector = key(Numbers(3), "metres, in the axes of the joint", (0.0, 0.0, 0.0))
    rotation: Vector = key(Numbers(3), "degrees about X, then Y, then Z", (0.0, 0.0, 0.0))
    scale: float = key(Number(0, above=True), "its size", 1.0)
    given: bool = field(default=False, compare=False)


FADE, SET, SEEK = Block.of("fade", Fade), Block.of("set", Set), Block.of("seek", Seek)
SPEED, CUT = Block.of("speed", Speed), Block.of("cut", Cut)
ACTIONS = {block.title: block for block in (FADE, SET, SEEK, SPEED, CUT)}


@dataclass(frozen=True, slots=True)
class At:
    """An action at a time."""

    time: float  # tau, seconds
    do: Fade | Set | Seek | Speed | Cut


AT_TIME = Key("time", SECONDS, "seconds since the start")
AT_OF = {
    name: Block("[[at]]", At, (AT_TIME, Key(name, block, block.title, field="do")))
    for name, block in ACTIONS.items()
}


def changed_layers(
    layers: Iterable[LayerSettings], change: Callable[[LayerSettings], LayerSettings]
) -> tuple[LayerSettings, ...]:
    """Return layers, and those nested in them, as a function changes each."""
    return tuple(
        change(replace(layer, play=Nested(changed_layers(layer.play.layers, change))))
        if isinstance(layer.play, Nested)
        else change(layer)
        for layer in layers
    )


def action_name(value: At) -> str:
    """Return the key of an action: fade, set, seek, speed or cut."""
    return next(name for name, block in ACTIONS.items() if type(value.do) is block.make)


AT = Union(
    "a table with time and one of fade, set, seek, speed, cut",
    lambda v, p: AT_OF[only_key_of(v, p, *ACTIONS)],
    lambda v: AT_OF[action_name(v)],
)
ANIMS = Block.of("anims", Anims)
PARAMETER = Block.of("[parameters]", Parameter)
CLIP = Block.of("[clips.NAME]", ClipSettings)
ADDITIVE = Block.of("[additives.NAME]", Additive)
MASK = Block.of("[masks.NAME]", MaskSettings)
JOINT_POSE = Block.of("joint of a pose", JointPose)
AIM = Block.of("[aims.NAME]", Aim)
IK = Block.of("[iks.NAME]", Ik)
PIVOT = Block.of("[pivot]", Pivot)
RETARGET = Block.of("[retarget]", RetargetSettings)
LAYER = Block.of("[[layers]]", LayerSettings)
ATTACHMENT = Block.of("[attachments.NAME]", Attachment)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionDoc:
    """The contents of a motion file; mappings keep the order of the file.

    Examples
    --------
    >>> document = rigview.read_motion("steps.motion.toml").document
    >>> list(document.parameters), [layer.name for layer in document.layers]
    (['speed'], ['base'])
    """

    version: int = key(Integer(1, 1), "1", 1, required=True)
    facing: Vector | None = key(
        FACING,
        "the direction that the character faces at rest, in model space; without it detected",
        None,
    )
    anims: Anims = key(ANIMS, "clips from other files", Anims())
    parameters: Mapping[str, Parameter] = key(
        TableOf(PARAMETER, "parameter"), "values set by the user", EMPTY
    )
    morphs: Mapping[str, float] = key(
        TableOf(Number(), "morph target"),
        "morph target = weight, in place of the clips' weights",
        EMPTY,
    )
    clips: Mapping[str, ClipSettings] = key(TableOf(CLIP, "clip"), "settings of clips", EMPTY)
    additives: Mapping[str, Additive] = key(TableOf(ADDITIVE, "additive"), "additive clips", EMPTY)
    masks: Mapping[str, MaskSettings] = key(TableOf(MASK, "mask"), "joint weights", EMPTY)
    spaces: Mapping[str, Space | StrafeSpace] = key(
        TableOf(ANY_SPACE, "space"), "blend spaces", EMPTY
    )
    aims: Mapping[str, Aim] = key(TableOf(AIM, "aim"), "look-at chains", EMPTY)
    iks: Mapping[str, Ik] = key(TableOf(IK, "ik"), "two-bone IK", EMPTY)
    pivot: Pivot | None = key(PIVOT, "turning in place", None)
    retarget: RetargetSettings = key(RETARGET, "retargeting of imported clips", RetargetSettings())
    layers: tuple[LayerSettings, ...] = key(ListOf(LAYER), "layers, the base first", ())
    at: tuple[At, ...] = key(ListOf(AT), "scheduled actions", ())
    attachments: Mapping[str, Attachment] = key(
        TableOf(ATTACHMENT, "attachment"), "files attached to joints, such as props", EMPTY
    )
    poses: Mapping[str, NamedPose] = key(
        TableOf(TableOf(JOINT_POSE, "joint"), "pose"), "poses made by hand", EMPTY
    )

    @property
    def extends_model(self) -> bool:
        """Whether it attaches files, imports clips of others, or cuts clips out of longer ones."""
        cuts = any(each.source for each in self.clips.values())
        return cuts or bool(self.anims.files or self.attachments)


DOCUMENT = Block.of("the file", MotionDoc)
