"""A motion file as data: immutable, by names, in the units of the file (seconds, degrees, phases).

`rigview.motion.read` makes one of text and `rigview.motion.write` text of one;
`rigview.motion.bind` puts it to work on a model. An edit makes a new document, so that undo is a
stack of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeVar

Vector = tuple[float, float, float]
Value = float | Vector
T = TypeVar("T")


def nothing() -> Mapping[str, T]:
    """Return an empty, read-only mapping."""
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Anims:
    """Clips from other files, by joint name."""

    files: tuple[str, ...] = ()  # relative to the motion file
    names: Mapping[str, str] = field(default_factory=nothing)  # source pattern: target pattern


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number (or a point) that people set and that drives spaces, aims and clips."""

    default: Value = 0.0
    range: tuple[float, float] | None = None
    damp: float = 0.0  # seconds to reach a new value
    angle: bool = False  # degrees, wraps at +-180


@dataclass(frozen=True, slots=True)
class Mark:
    """A named trigger on a clip: at a phase or at a time of the file, not both."""

    name: str
    phase: float | None = None
    time: float | None = None  # seconds from the beginning of the range


@dataclass(frozen=True, slots=True)
class Root:
    """What is done with the motion of a clip's root."""

    joint: str
    mode: Literal["keep", "in-place", "accumulate"] = "in-place"
    axes: str = "xz"  # of model space
    turn: bool = False  # the heading about +Y too


@dataclass(frozen=True, slots=True)
class Drive:
    """A clip whose time is set by a parameter (SPEC C9)."""

    by: str  # parameter
    start: tuple[float, float] = (0.0, 1.0)  # `from` in the file: values of the parameter
    to: tuple[float, float] = (0.0, 1.0)
    unit: Literal["seconds", "key"] = "seconds"  # keys are counted from 1


@dataclass(frozen=True, slots=True)
class ClipSettings:
    """What a motion file says of one clip."""

    loop: str | None = None  # once, loop, pingpong, N, pingpong:N
    range: tuple[float, float] | None = None  # seconds of the file
    cycles: int = 1
    sync: Mapping[str, tuple[float, ...]] = field(default_factory=nothing)  # mark: phase a cycle
    events: tuple[Mark, ...] = ()
    root: Root | None = None
    drive: Drive | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """What an additive is the difference to: a clip at the same phase, or one still pose."""

    clip: str | None = None
    time: float | None = None  # seconds: with it, that one pose of the clip
    pose: Literal["rest", "bind"] | None = None


@dataclass(frozen=True, slots=True)
class Additive:
    """The difference of a source from a reference, to be put on any pose (SPEC D8)."""

    source: str  # clip
    reference: Reference = Reference(pose="rest")
    space: Literal["joint", "parent", "model"] = "joint"
    limits: Mapping[str, float] = field(default_factory=nothing)  # joint: degrees (D9)


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """A weight per joint, each holding downwards until the next joint named."""

    joints: Mapping[str, float]
    space: Literal["local", "model"] = "local"


@dataclass(frozen=True, slots=True)
class SpaceClip:
    """A clip at its place in a blend space."""

    clip: str
    at: tuple[float, ...]  # one number on a line, two elsewhere


@dataclass(frozen=True, slots=True)
class Space:
    """A blend space: a parameter or two to weights of clips (SPEC D4, D5)."""

    kind: Literal["line", "corners", "points"]
    clips: tuple[SpaceClip, ...]
    x: str | float = 0.0  # a parameter, or a constant
    y: str | float = 0.0
    sync: bool = False
    rotation: Literal["nlerp", "slerp"] = "nlerp"
    events: Literal["heaviest", "all", "none"] = "heaviest"


StrafeRole = Literal["forward", "left", "right", "back", "left_back", "right_back"]
Turn = Literal["left_to_back", "left_to_front", "right_to_back", "right_to_front"]


@dataclass(frozen=True, slots=True)
class StrafeSpace:
    """Walking in any direction with the body facing forward (SPEC D6, RULINGS M28)."""

    x: str | float  # degrees, 0 forward, +90 to the character's left
    clips: Mapping[str, str]  # StrafeRole: clip
    transitions: Mapping[str, str] = field(default_factory=nothing)  # Turn: clip, played once
    hysteresis: float = 10.0  # degrees
    seconds: float = 0.2
    sync: bool = True
    rotation: Literal["nlerp", "slerp"] = "nlerp"
    events: Literal["heaviest", "all", "none"] = "heaviest"


@dataclass(frozen=True, slots=True)
class Aim:
    """A chain of joints that turns towards a target (SPEC D11, RULINGS M13, M20)."""

    chain: Mapping[str, float]  # joint: weight
    target: str  # a parameter of three numbers (model space), or a joint
    forward: Vector = (0.0, 0.0, 1.0)  # in each joint's own space
    up: Vector | None = None
    limit: float | None = None  # degrees
    speed: float | None = None  # degrees a second


@dataclass(frozen=True, slots=True)
class Ik:
    """Two-bone inverse kinematics (RULINGS M36)."""

    chain: tuple[str, str, str]  # upper, middle, end joint
    target: str  # a parameter of three numbers (model space), or a joint
    pole: Vector = (0.0, 0.0, 1.0)  # model space: where the middle joint points
    keep: bool = True  # the end joint keeps its rotation in model space, as a foot does


@dataclass(frozen=True, slots=True)
class Pivot:
    """The character turns about +Y at a rate (RULINGS M29)."""

    rate: str | float  # parameter, degrees a second


@dataclass(frozen=True, slots=True)
class RetargetSettings:
    """How clips of other files are carried over (RULINGS M34)."""

    reference: str = "bind"  # "bind", "rest" or CLIP@TIME, of the target
    source_reference: str = "bind"
    stance: bool = True
    leg_ik: bool = False
    hips: str | None = None
    source_hips: str | None = None
    root: str | None = None


@dataclass(frozen=True, slots=True)
class StillClip:
    """A layer that plays one moment of a clip."""

    clip: str
    time: float  # seconds of the file


@dataclass(frozen=True, slots=True)
class StillPose:
    """A layer that plays the rest or the bind pose."""

    pose: Literal["rest", "bind"]


@dataclass(frozen=True, slots=True)
class Nested:
    """A layer that plays layers."""

    layers: tuple["LayerSettings", ...]


Play = str | StillClip | StillPose | Nested  # str: a clip, space, additive, aim or ik by name


@dataclass(frozen=True, slots=True)
class LayerSettings:
    """One layer of the stack; the first is the base (SPEC D10, RULINGS M26)."""

    name: str
    play: Play
    mask: str | None = None  # a mask's name, or "touched"
    weight: float = 1.0
    mode: Literal["replace", "add"] = "replace"
    speed: float = 1.0
    phase: float = 0.0  # where it starts
    mute: bool = False
    solo: bool = False  # of the layers some of which are solo, only those are heard
    rotation: Literal["nlerp", "slerp"] = "nlerp"


@dataclass(frozen=True, slots=True)
class Fade:
    """A cross-fade of a layer to something else to play."""

    layer: str
    to: Play
    seconds: float = 0.3
    ease: Literal["cubic", "linear"] = "cubic"
    kind: Literal["smooth", "frozen"] = "smooth"
    in_phase: bool = False


@dataclass(frozen=True, slots=True)
class Set:
    """A parameter, or `LAYER.weight`, goes to a value; seconds None: over the parameter's damp."""

    name: str
    value: Value
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Seek:
    """A layer's clip goes to a time of the file at once."""

    layer: str
    time: float  # seconds


@dataclass(frozen=True, slots=True)
class Speed:
    """A layer plays at another rate from now on."""

    layer: str
    value: float


@dataclass(frozen=True, slots=True)
class Cut:
    """The picture is seen through another camera from now on."""

    camera: str  # of the character's file; "": the free one


@dataclass(frozen=True, slots=True)
class At:
    """Something that happens at a time of the run."""

    time: float  # tau, seconds
    do: Fade | Set | Seek | Speed | Cut


@dataclass(frozen=True, slots=True)
class MotionDoc:
    """A whole motion file. Mappings keep the order of the file."""

    anims: Anims = Anims()
    parameters: Mapping[str, Parameter] = field(default_factory=nothing)
    clips: Mapping[str, ClipSettings] = field(default_factory=nothing)
    additives: Mapping[str, Additive] = field(default_factory=nothing)
    masks: Mapping[str, MaskSettings] = field(default_factory=nothing)
    spaces: Mapping[str, Space | StrafeSpace] = field(default_factory=nothing)
    aims: Mapping[str, Aim] = field(default_factory=nothing)
    iks: Mapping[str, Ik] = field(default_factory=nothing)
    pivot: Pivot | None = None
    retarget: RetargetSettings = RetargetSettings()
    layers: tuple[LayerSettings, ...] = ()
    at: tuple[At, ...] = ()
    version: int = 1
