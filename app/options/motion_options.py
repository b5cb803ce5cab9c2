"""Options of playback: clips, motion file, time and loop mode."""

from typing import TYPE_CHECKING

from ..fields.command_groups import IN_ONE_SCENE, PLAYING, POSING, READING
from ..fields.option import choice, switch, value, values
from ..fields.record import record
from ..tomlfile.value_parsing import (
    frame_range,
    frame_range_text,
    loop_mode,
    loop_text,
    natural_numbers,
    numbers,
    phases,
    positive,
    speed,
    text,
    time_range,
    whole_numbers,
)

if TYPE_CHECKING:
    from ..animation.playback import Mode
    from ..animation.track import Rotation
    from ..motion.set_and_at import GivenAction, GivenValue
    from ..scene.character import Show

_CLIP = "a name, else an index from 0 (3 or #3), else a pattern (Run*)"


def _value(given: object) -> "GivenValue":
    from ..motion.set_and_at import parse_set  # needs the schema of motion files

    return parse_set(text(given))


def _action(given: object) -> "GivenAction":
    from ..motion.set_and_at import parse_at

    return parse_at(text(given))


def _as_given(parsed: "GivenValue | GivenAction") -> str:
    return parsed.text


@record(frozen=True)
class ClipOptions:
    """The clips, and the files they come from."""

    animation: str | None = value(
        ("view", "render", "turntable", "pose", "events", "curves"),
        f"the clip: {_CLIP}; default: the first",
        "NAME",
        text,
        per_file=IN_ONE_SCENE,
    )
    animations: tuple[str, ...] = values(
        ("sheet", "report", "check", "diff", "bench", "bake"),
        f"clips: {_CLIP}; may be given several times; default: all clips",
        "NAME",
        text,
        name="animation",
        helps={
            "sheet": f"a clip: {_CLIP}; may be given several times; default: all clips",
            "bench": f"clips to measure, four of them blended: {_CLIP}; may be given several times",
        },
    )
    anims: tuple[str, ...] = values(
        READING,
        "import animations of other files, .glb .gltf .vrm .bvh, retargeted by joint name; "
        "several files, or given several times",
        "FILE",
        text,
        many=True,
    )
    force: bool = switch(
        READING,
        "import animations with --anims also if less than a quarter of the joints are matched",
    )

    @property
    def first(self) -> str | None:
        """The clip, or the first of several."""
        return self.animations[0] if self.animations else self.animation


@record(frozen=True)
class TimeOptions:
    """The times to show. `time`, `phase` and `frame` exclude each other."""

    time: tuple[float, ...] | None = value(
        POSING,
        "seconds since the start",
        "SECONDS",
        numbers,
        helps={
            **dict.fromkeys(("sheet", "pose"), "times since the start in seconds: 0,0.5,1"),
            "turntable": "show the pose at this time, seconds since the start",
        },
        per_file=IN_ONE_SCENE,
    )
    interval: tuple[float, float] = value(
        ("events",),
        "interval A to B, seconds since the start; includes events at A",
        "A..B",
        time_range,
        default=(0.0, 0.0),
        name="time",
        required=("events",),
    )
    step: float | None = value(
        ("events",),
        "evaluate in frames of this many seconds; default: the whole interval at once",
        "S",
        positive,
    )
    phase: tuple[float, ...] | None = value(
        POSING,
        "phase of the clip, 0 to 1",
        "U",
        phases,
        helps=dict.fromkeys(("sheet", "pose"), "phases of the clip, 0 to 1: 0,0.5,1")
        | {"turntable": "show the pose at this phase of the clip, 0 to 1"},
    )
    frame: tuple[int, ...] | None = value(
        POSING,
        "frame number; its time is N / frame rate",
        "N",
        whole_numbers,
        helps=dict.fromkeys(("sheet", "pose"), "frame numbers; their times are N / frame rate")
        | {"turntable": "show the pose at this frame; its time is N / frame rate"},
    )
    frames: range | None = value(
        ("render",),
        "a sequence or video of frames A to B inclusive, every STEPth frame",
        "A..B[:STEP]",
        frame_range,
        writer=frame_range_text,
    )


@record(frozen=True)
class MotionOptions:
    """The motion file, its parameters and actions."""

    file: str | None = value(
        (*PLAYING, "check", "bake"),
        "a motion file; default: FILE.motion.toml beside the character, if it exists",
        "FILE",
        text,
        name="motion",
        helps={"bake": "a motion file, for imported clips and retargeting"},
        per_file=IN_ONE_SCENE,
    )
    no_motion: bool = switch((*PLAYING, "check", "bake"), "do not read a motion file")
    set: "tuple[GivenValue, ...]" = values(
        (*PLAYING, "bake"),
        "set a parameter of the motion, LAYER.weight, or the weight of a morph target in place of "
        "the clip's (morph:NAME=VALUE); may be given several times",
        "NAME=VALUE",
        _value,
        helps={
            "bake": "set the weight of a morph target in place of the clips' "
            "(morph:NAME=VALUE); may be given several times"
        },
        writer=_as_given,
    )
    at: "tuple[GivenAction, ...]" = values(
        PLAYING,
        "an action at a time: T:fade:LAYER=CLIP[,SECONDS], T:set:NAME=VALUE[,SECONDS]; "
        "may be given several times",
        "T:WHAT",
        _action,
        writer=_as_given,
    )

    @property
    def parameters(self) -> "tuple[GivenValue, ...]":
        """The parameters and layer weights of --set."""
        return tuple(given for given in self.set if not given.morph)

    @property
    def morphs(self) -> "tuple[GivenValue, ...]":
        """The weights of morph targets of --set."""
        return tuple(given for given in self.set if given.morph)


@record(frozen=True)
class PlaybackOptions:
    """How a clip or a motion plays."""

    key: tuple[int, ...] | None = value(
        ("pose",), "key numbers of the clip, from 0", "K", natural_numbers
    )
    hold: bool = switch(("pose",), "use the last key at or before each time, without interpolation")
    key_rotation: "Rotation" = choice(
        (*PLAYING, "curves"),
        "interpolation of rotations between LINEAR keys; slerp follows glTF, nlerp many game "
        "engines",
        "KIND",
        ("slerp", "nlerp"),
        default="slerp",
    )
    frame_rate: float = value((*POSING, "diff"), "frames per second", "FPS", positive, default=30.0)
    speed: float = value(
        PLAYING,
        "playback speed; negative plays backwards",
        "R",
        speed,
        default=1.0,
        per_file=IN_ONE_SCENE,
    )
    loop: "tuple[Mode, float] | None" = value(
        (*PLAYING, "bake"),
        "once, loop, pingpong, a number of passes, or pingpong:N",
        "MODE",
        loop_mode,
        helps={
            "render": "once, loop, pingpong, a number of passes, or pingpong:N; default: once "
            "for a picture, loop for a video",
            "bake": "once or loop; loop with --fps: without the key at the end, which repeats the "
            "first",
        },
        writer=loop_text,
        per_file=IN_ONE_SCENE,
    )
    trim: bool = switch(
        (*PLAYING, "curves"),
        "play from the first key to the last instead of from 0",
        helps={"curves": "start the time axis at the first key instead of at 0"},
    )
    pose: "Show" = choice(
        POSING,
        "show the clip, the rest pose of the nodes, or the bind pose of the skin",
        "WHICH",
        ("clip", "rest", "bind"),
        default="clip",
        per_file=IN_ONE_SCENE,
    )
