"""One character of a picture: its file, what it plays, and what of it is drawn."""

from typing import TYPE_CHECKING, Literal

from ..fields.command_groups import IN_ONE_SCENE, MOVING, PLAYING, POSING, RENDERING
from ..fields.option import choice, of_files, part, switch, value, values, without_option
from ..fields.readers import (
    TimeRange,
    attachment,
    attachment_text,
    loop_mode,
    loop_text,
    number,
    speed,
    text,
    times,
    times_text,
)
from ..fields.record import record

if TYPE_CHECKING:
    from ..animation.playback import Mode
    from ..motion.document import MotionDoc
    from ..motion.set_and_at import GivenAction, GivenValue

STANDARD_INPUT, BUNDLED = "-", "mannequin.glb"
Show = Literal["clip", "rest", "bind"]
CLIP = "a name, else an index from 0 (3 or #3), else a pattern (Run*)"


def _value(given: object) -> "GivenValue":
    from ..motion.set_and_at import parse_set  # needs the schema of motion files

    return parse_set(text(given))


def _action(given: object) -> "GivenAction":
    from ..motion.set_and_at import parse_at

    return parse_at(text(given))


def _as_given(parsed: "GivenValue | GivenAction") -> str:
    return parsed.text


@record(frozen=True)
class Motion:
    """The motion file of a character, and what is set in place of its values.

    Attributes
    ----------
    document
        The edited contents of the motion file, in place of those of the file; None: those.
    """

    file: str | None = value(
        "a motion file; default: FILE.motion.toml beside the character, if it exists",
        "FILE",
        text,
        commands=(*MOVING, "check"),
        name="motion",
        last_repeats=False,
        helps={
            "bake": "a motion file, for --mix, imported clips and retargeting; with --mix and "
            "--anims the default is FILE.motion.toml beside the character, if it exists"
        },
        per_file=IN_ONE_SCENE,
    )
    none: bool = switch("do not read a motion file", commands=(*MOVING, "check"), name="no-motion")
    set: "tuple[GivenValue, ...]" = values(
        "set a parameter of the motion, LAYER.weight, or the weight of a morph target in place of "
        "the clip's (morph:NAME=VALUE); may be given several times",
        "NAME=VALUE",
        _value,
        commands=MOVING,
        active=True,
        label="morph weights",
        helps={
            "bake": "set the weight of a morph target in place of the clips' (morph:NAME=VALUE), "
            "and with --mix a parameter of the motion, or LAYER.weight; may be given several times"
        },
        writer=_as_given,
    )
    at: "tuple[GivenAction, ...]" = values(
        "an action at a time: T:fade:LAYER=CLIP[,SECONDS], T:set:NAME=VALUE[,SECONDS]; "
        "may be given several times",
        "T:WHAT",
        _action,
        commands=MOVING,
        active=True,
        writer=_as_given,
    )
    all_clips: bool = switch(
        "play all clips at once, as of files that have a clip for each node",
        commands=(*IN_ONE_SCENE, "pose", "events"),
    )
    attach: tuple[tuple[str, str], ...] = values(
        "attach a file to a joint of the character, such as sword.glb=RightHand; may be given "
        "several times",
        "FILE=JOINT",
        attachment,
        commands=PLAYING,
        active=True,
        writer=attachment_text,
    )
    document: "MotionDoc | None" = without_option(None, "unsaved changes of the motion")

    @property
    def parameters(self) -> "tuple[GivenValue, ...]":
        """The parameters and layer weights of --set."""
        return tuple(given for given in self.set if not given.morph)

    @property
    def morphs(self) -> "tuple[GivenValue, ...]":
        """The weights of morph targets of --set."""
        return tuple(given for given in self.set if given.morph)


@record(frozen=True)
class Shown:
    """One character: its file, what it plays, and what of it is drawn.

    Attributes
    ----------
    file
        As on the command line; None: the bundled character.
    time
        Seconds since the start; None: not given.
    offset
        Seconds that it plays ahead of the others.
    played
        In a window, unwrapped local time of what plays, seconds; None: nothing plays.
    since
        The global time of `played`; None: it stands still.
    """

    file: str | None = None
    clip: str | None = value(
        f"the clip: {CLIP}; default: the first",
        "NAME",
        text,
        commands=("view", "render", "turntable", "pose", "events", "curves"),
        name="animation",
        names="clips",
        per_file=IN_ONE_SCENE,
    )
    time: tuple[float, ...] | TimeRange | None = value(
        "seconds since the start",
        "SECONDS",
        times,
        commands=POSING,
        helps={
            **dict.fromkeys(
                ("sheet", "pose"),
                "times since the start in seconds: 0,0.5,1, or from A to B inclusive, A..B[:STEP]; "
                "without STEP one for each frame",
            ),
            "turntable": "show the pose at this time, seconds since the start",
        },
        writer=times_text,
        per_file=IN_ONE_SCENE,
    )
    pose: Show = choice(
        "show the clip, the rest pose of the nodes, or the bind pose of the skin",
        "WHICH",
        Show,
        commands=POSING,
        default="clip",
        per_file=IN_ONE_SCENE,
    )
    offset: float = value(
        "start this many seconds into what plays, so that characters differ; negative: later",
        "SECONDS",
        number,
        commands=IN_ONE_SCENE,
        default=0.0,
        per_file=IN_ONE_SCENE,
    )
    speed: float = value(
        "playback speed; negative plays backwards",
        "R",
        speed,
        commands=MOVING,
        default=1.0,
        per_file=IN_ONE_SCENE,
    )
    loop: "tuple[Mode, float] | None" = value(
        "once, loop, pingpong, a number of passes, or pingpong:N",
        "MODE",
        loop_mode,
        commands=MOVING,
        helps={
            "render": "once, loop, pingpong, a number of passes, or pingpong:N; default: once "
            "for a picture, loop for a video",
            "bake": "once or loop; loop with --fps or --mix: without the key at the end, which "
            "repeats the first",
        },
        writer=loop_text,
        per_file=IN_ONE_SCENE,
    )
    trim: bool = switch(
        "play from the first key to the last instead of from 0",
        commands=(*MOVING, "curves"),
        label="trim settings",
        helps={"curves": "start the time axis at the first key instead of at 0"},
    )
    hidden: bool = of_files(
        "number of a file to hide, from 1; its position stays empty; may be given several times",
        commands=IN_ONE_SCENE,
        name="hide",
        title="side by side",
    )
    variant: str | None = value(
        "material variant (KHR_materials_variants): a name, else an index",
        "NAME",
        text,
        commands=RENDERING,
        names="variants",
        title="picture",
        last_repeats=False,
        per_file=IN_ONE_SCENE,
    )
    hidden_meshes: str | None = value(
        "nodes whose meshes are not drawn, separated by commas; NODE/PART hides one part",
        "NODES",
        text,
        commands=RENDERING,
        name="hide-mesh",
        title="picture",
        last_repeats=False,
        per_file=IN_ONE_SCENE,
    )
    hidden_joints: str | None = value(
        "joints that are not drawn, nor the bones and meshes below them, separated by commas; "
        "!JOINT draws a branch of them nevertheless",
        "JOINTS",
        text,
        commands=RENDERING,
        name="hide-joints",
        title="picture",
        per_file=IN_ONE_SCENE,
    )
    played: float | None = without_option(None, "the time that runs")
    since: float | None = without_option(None, "the time that runs")
    motion: Motion = part(Motion)

    @property
    def name(self) -> str:
        """The file as the user named it, for messages."""
        if self.file == STANDARD_INPUT:
            return "standard input"
        return BUNDLED if self.file is None else self.file
