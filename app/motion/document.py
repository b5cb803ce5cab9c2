"""The contents of a motion file: immutable, by name, in seconds, degrees and phases.

`rigview.motion.read` reads a document from text, `rigview.motion.write` writes it, and
`rigview.motion.bind` binds it to a model. Every edit makes a new document; undo keeps a stack of
them.
"""

import copyreg
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeVar

Vector = tuple[float, float, float]
Value = float | Vector
T = TypeVar("T")


def empty_mapping() -> Mapping[str, T]:
    """Return an empty, read-only mapping."""
    return MappingProxyType({})


def _read_only(table: dict[str, T]) -> "MappingProxyType[str, T]":
    return MappingProxyType(table)


# documents are sent to other processes: their mappings are pickled as dictionaries
copyreg.pickle(MappingProxyType, lambda table: (_read_only, (dict(table),)))


@dataclass(frozen=True, slots=True)
class Anims:
    """Clips imported from other files, retargeted by joint name."""

    files: tuple[str, ...] = ()  # relative to the motion file
    names: Mapping[str, str] = field(
        default_factory=empty_mapping
    )  # joint mapping: source pattern to target pattern


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or point set by the user, which drives blend spaces, aims and clips."""

    default: Value = 0.0
    range: tuple[float, float] | None = None
    damp: float = 0.0  # seconds to reach a new value
    angle: bool = False  # in degrees, wrapping at ±180


@dataclass(frozen=True, slots=True)
class ClipEvent:
    """An event of a clip, at a phase or at a time, not both."""

    name: str
    phase: float | None = None
    time: float | None = None  # seconds from the start of the clip's range


@dataclass(frozen=True, slots=True)
class Root:
    """Root motion of a clip: kept, removed, or accumulated on the character."""

    joint: str
    mode: Literal["keep", "in-place", "accumulate"] = "in-place"
    axes: str = "xz"  # of model space
    turn: bool = False  # also the heading about +Y


@dataclass(frozen=True, slots=True)
class Drive:
    """A clip whose time is driven by a parameter."""

    by: str  # parameter
    start: tuple[float, float] = (0.0, 1.0)  # `from` in the file: values of the parameter
    to: tuple[float, float] = (0.0, 1.0)
    unit: Literal["seconds", "key"] = "seconds"  # keys are counted from 1


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """Settings of one clip."""

    loop: str | None = None  # once, loop, pingpong, N, pingpong:N
    range: tuple[float, float] | None = None  # seconds of the file
    cycles: int = 1
    sync: Mapping[str, tuple[float, ...]] = field(
        default_factory=empty_mapping
    )  # mark: one phase for each cycle
    events: tuple[ClipEvent, ...] = ()
    root: Root | None = None
    drive: Drive | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference of an additive: a clip at the same phase, or one pose."""

    clip: str | None = None
    time: float | None = None  # seconds: the clip's pose at this time
    pose: Literal["rest", "bind"] | None = None


@dataclass(frozen=True, slots=True)
class Additive:
    """An additive: the difference of a clip from a reference pose."""

    source: str  # clip
    reference: Reference = Reference(pose="rest")
    space: Literal["joint", "parent", "model"] = "joint"
    limits: Mapping[str, float] = field(
        default_factory=empty_mapping
    )  # joint: largest deviation, degrees


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """A weight per joint, inherited by descendants up to the next joint listed."""

    joints: Mapping[str, float]
    space: Literal["local", "model"] = "local"


@dataclass(frozen=True, slots=True)
class SpaceClip:
    """A clip and its position in a blend space."""

    clip: str
    at: tuple[float, ...]  # one number in 1D, two in 2D


@dataclass(frozen=True, slots=True)
class Space:
    """A 1D or 2D blend space: one or two parameters determine the weights of clips."""

    kind: Literal["line", "corners", "points"]
    clips: tuple[SpaceClip, ...]
    x: str | float = 0.0  # a parameter, or a constant
    y: str | float = 0.0
    sync: bool = False
    rotation: Literal["nlerp", "slerp"] = "nlerp"
    events: Literal["heaviest", "all", "none"] = "heaviest"


@dataclass(frozen=True, slots=True)
class StrafeSpace:
    """A blend space for walking in any direction with the body facing forward."""

    x: str | float  # direction in degrees: 0 forward, +90 left
    clips: Mapping[str, str]  # by role
    transitions: Mapping[str, str] = field(default_factory=empty_mapping)  # by turn, played once
    hysteresis: float = 10.0  # degrees
    seconds: float = 0.2
    sync: bool = True
    rotation: Literal["nlerp", "slerp"] = "nlerp"
    events: Literal["heaviest", "all", "none"] = "heaviest"


@dataclass(frozen=True, slots=True)
class Aim:
    """A look-at constraint: a chain of joints that turns towards a target."""

    chain: Mapping[str, float]  # joint: weight
    target: str  # a parameter of three numbers (model space), or a joint
    forward: Vector | None = None  # in each joint's local space; None: by the character's facing
    up: Vector | None = None
    limit: float | None = None  # degrees
    speed: float | None = None  # degrees a second


@dataclass(frozen=True, slots=True)
class Ik:
    """Two-bone inverse kinematics."""

    chain: tuple[str, str, str]  # upper, middle, end joint
    target: str  # a parameter of three numbers (model space), or a joint
    pole: Vector | None = None  # model space: direction of the middle joint; None: its facing
    keep: bool = True  # the end joint keeps its rotation in model space, as a foot does


@dataclass(frozen=True, slots=True)
class Pivot:
    """Rotation of the character about +Y at a rate."""

    rate: str | float  # parameter, degrees a second


@dataclass(frozen=True, slots=True)
class RetargetSettings:
    """Options for retargeting clips of other files."""

    reference: str = "bind"  # "bind", "rest" or CLIP@TIME, of the target
    source_reference: str = "bind"
    stance: bool = True
    leg_ik: bool = False
    hips: str | None = None
    source_hips: str | None = None
    root: str | None = None


@dataclass(frozen=True, slots=True)
class StillClip:
    """A still pose: one time of a clip."""

    clip: str
    time: float  # seconds of the file


@dataclass(frozen=True, slots=True)
class StillPose:
    """A still pose: the rest or the bind pose."""

    pose: Literal["rest", "bind"]


@dataclass(frozen=True, slots=True)
class Nested:
    """Nested layers, played by one layer."""

    layers: tuple["LayerSettings", ...]


Play = str | StillClip | StillPose | Nested  # str: name of a clip, space, additive, aim or ik


@dataclass(frozen=True, slots=True)
class LayerSettings:
    """One layer of the stack; the first is the base."""

    name: str
    play: Play
    mask: str | None = None  # name of a mask, or "touched"
    weight: float = 1.0
    mode: Literal["replace", "add"] = "replace"
    speed: float = 1.0
    phase: float = 0.0  # initial phase
    mute: bool = False
    solo: bool = False  # with any layer solo, only solo layers play
    rotation: Literal["nlerp", "slerp"] = "nlerp"


@dataclass(frozen=True, slots=True)
class Fade:
    """A cross-fade of a layer to other content."""

    layer: str
    to: Play
    seconds: float = 0.3
    ease: Literal["cubic", "linear"] = "cubic"
    kind: Literal["smooth", "frozen"] = "smooth"
    in_phase: bool = False


@dataclass(frozen=True, slots=True)
class Set:
    """A new value of a parameter or `LAYER.weight`; seconds None: the parameter's damp time."""

    name: str
    value: Value
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Seek:
    """A jump of a layer's clip to a time of the file."""

    layer: str
    time: float  # seconds


@dataclass(frozen=True, slots=True)
class Speed:
    """A new speed of a layer."""

    layer: str
    value: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut to another camera."""

    camera: str  # of the character's file; "": the free camera


@dataclass(frozen=True, slots=True)
class At:
    """An action at a time."""

    time: float  # tau, seconds
    do: Fade | Set | Seek | Speed | Cut


@dataclass(frozen=True, slots=True)
class MotionDoc:
    """The contents of a motion file; mappings keep the order of the file.

    Examples
    --------
    >>> document = rigview.read_motion("steps.motion.toml").document
    >>> list(document.parameters), [layer.name for layer in document.layers]
    (['speed'], ['base'])
    """

    anims: Anims = Anims()
    parameters: Mapping[str, Parameter] = field(default_factory=empty_mapping)
    clips: Mapping[str, ClipSettings] = field(default_factory=empty_mapping)
    additives: Mapping[str, Additive] = field(default_factory=empty_mapping)
    masks: Mapping[str, MaskSettings] = field(default_factory=empty_mapping)
    spaces: Mapping[str, Space | StrafeSpace] = field(default_factory=empty_mapping)
    aims: Mapping[str, Aim] = field(default_factory=empty_mapping)
    iks: Mapping[str, Ik] = field(default_factory=empty_mapping)
    pivot: Pivot | None = None
    retarget: RetargetSettings = RetargetSettings()
    layers: tuple[LayerSettings, ...] = ()
    at: tuple[At, ...] = ()
    facing: Vector | None = None  # model space, at rest; None: from feet, eyes and sides
    morphs: Mapping[str, float] = field(default_factory=empty_mapping)  # morph target: weight
    version: int = 1
