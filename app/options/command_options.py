"""The options of a command: one frozen record of records, with a type for every option."""

from dataclasses import replace
from typing import Any, Literal

from ..conversion.conversion_settings import SECONDS
from ..fields.command_groups import (
    ALL,
    CONVERTING,
    FOLDERS,
    MANY_FILES,
    POSING,
    READING,
    RENDERING,
    TWO_FILES,
)
from ..fields.option import choice, part, switch, value, values
from ..fields.readers import (
    bytes_from_text,
    bytes_text,
    frame_range,
    frame_range_text,
    natural_numbers,
    phases,
    positive,
    size,
    text,
    time_range,
    whole_number_from,
    whole_numbers,
)
from ..fields.record import record
from ..scenedoc.scene_doc import SceneDoc
from ..scenedoc.shown import CLIP, Shown


@record(frozen=True)
class ClipOptions:
    """The clips of a command that takes several."""

    animations: tuple[str, ...] = values(
        f"clips: {CLIP}; may be given several times; default: all clips",
        "NAME",
        text,
        commands=("sheet", "report", "page", "check", "diff", "bench", "bake"),
        name="animation",
        names="clips",
        helps={
            "sheet": f"a clip: {CLIP}; may be given several times; default: all clips",
            "bench": f"clips to measure, four of them blended: {CLIP}; may be given several times",
        },
    )


@record(frozen=True)
class TimeOptions:
    """The times to show; those of `Shown.time`, `phase`, `frame` and `key` exclude each other."""

    interval: tuple[float, float] = value(
        "interval A to B, seconds since the start; includes events at A",
        "A..B",
        time_range,
        commands=("events", "bake"),
        default=(0.0, 0.0),
        name="time",
        required=("events",),
        helps={
            "bake": "with --mix: from A to B, seconds since the start; default: until everything "
            "repeats"
        },
    )
    step: float | None = value(
        "evaluate in frames of this many seconds; default: the whole interval at once",
        "S",
        positive,
        commands=("events",),
    )
    phase: tuple[float, ...] | None = value(
        "phase of the clip, 0 to 1",
        "U",
        phases,
        commands=POSING,
        helps=dict.fromkeys(("sheet", "pose"), "phases of the clip, 0 to 1: 0,0.5,1")
        | {"turntable": "show the pose at this phase of the clip, 0 to 1"},
    )
    frame: tuple[int, ...] | None = value(
        "frame number; its time is N / frame rate",
        "N",
        whole_numbers,
        commands=POSING,
        helps=dict.fromkeys(("sheet", "pose"), "frame numbers; their times are N / frame rate")
        | {"turntable": "show the pose at this frame; its time is N / frame rate"},
    )
    frames: range | None = value(
        "a sequence or video of frames A to B inclusive, every STEPth frame",
        "A..B[:STEP]",
        frame_range,
        commands=("render", "pose"),
        helps={"pose": "frames A to B inclusive, every STEPth frame"},
        writer=frame_range_text,
    )
    key: tuple[int, ...] | None = value(
        "key numbers of the clip, from 0", "K", natural_numbers, commands=("pose",)
    )
    hold: bool = switch(
        "use the last key at or before each time, without interpolation", commands=("pose",)
    )


Format = Literal["text", "json", "junit", "sarif", "github"]
FailOn = Literal["error", "warning", "never"]


@record(frozen=True)
class VersionOptions:
    """Which versions are compared."""

    changed_since: str | None = value(
        "compare the characters of the folder A that changed since git revision REV", "REV", text
    )
    labels: tuple[str, ...] = values(
        "name of A in the output, then of B, where git passes temporary files; an object ID at its "
        "end is abbreviated",
        "NAME",
        text,
        name="label",
    )


@record(frozen=True)
class ThresholdOptions:
    """Limits of differences."""

    joins: bool = switch(
        "how well the end of each clip matches the start of each clip", commands=("check",)
    )
    threshold_mm: float = value(
        "with --joins: largest distance of joints in matching poses",
        "MM",
        positive,
        commands=("check", "diff"),
        default=1.0,
        defaults={"diff": 0.1},
        helps={"diff": "report a vertex or joint whose error exceeds this"},
    )
    threshold_deg: float = value(
        "with --joins: largest rotation between joints in matching poses",
        "DEGREES",
        positive,
        commands=("check", "diff"),
        default=1.0,
        defaults={"diff": 0.05},
        helps={"diff": "report a joint whose rotation error exceeds this"},
    )

    @property
    def metres(self) -> float:
        """The largest distance, metres."""
        return self.threshold_mm / 1000


@record(frozen=True)
class FindingOptions:
    """Output of the findings."""

    format: Format | None = choice("output format of the findings; default: text", "FORMAT", Format)
    fail_on: FailOn = choice(
        "exit with 1 if there is a finding of at least this severity",
        "SEVERITY",
        FailOn,
        default="error",
    )
    baseline: str | None = value(
        "a file of known findings, which are not reported again", "FILE", text
    )
    update_baseline: bool = switch("write the findings to the file of --baseline")
    rules: bool = switch("list the rules with their limits and fixes")
    rule_files: tuple[str, ...] = values(
        "a Python file with rules of your own, whose code is run",
        "FILE",
        text,
        commands=("view", "check", "report"),
        name="rule-file",
    )


Rotations = Literal["euler", "quaternion"]
Spaces = Literal["local", "model", "speed"]
Scale = Literal["row", "sheet"]
MOST_CELLS = 1000  # in a row or column of a sheet
WRITING = ("render", "sheet", "turntable", "report", "page", "curves", "pose", "bake")
Names = Literal["clips", "joints", "meshes", "materials", "cameras", "variants"]


@record(frozen=True)
class OutputOptions:
    """What is written, and where."""

    file: str = value(
        "output file, .png; - is standard output",
        "OUT",
        text,
        commands=(*WRITING, "convert", "thumbnail"),
        default="-",
        name="output",
        short="-o",
        required=(
            *("render", "sheet", "turntable", "report", "page", "curves", "convert"),
            "thumbnail",
        ),
        helps={
            "render": "output file: .png (- is standard output), .jpg, .exr (light before tone "
            "mapping), or a video, .mp4 .webm .gif .webp. {model}, {clip} and {frame:04} are "
            "replaced by names and numbers; a sequence without {frame}, #### or %04d is numbered "
            "before the extension",
            "sheet": "output file, .png (- is standard output) or .jpg. With {model} in the name, "
            "one sheet for each file; else one with a row for each file. Pages are numbered at "
            "{page}, else before the extension",
            "turntable": "output video, .mp4 .webm .gif .webp, or a sequence of .png, .jpg or .exr",
            **dict.fromkeys(("report", "page"), "output page, .html; - is standard output"),
            "curves": "output file, .svg, .png or .jpg; - is SVG on standard output",
            "pose": "output file, .npz or .json; default: JSON on standard output",
            "bake": "output file, .glb; - is standard output; required without --in-place",
            "convert": "output file, .glb; - is standard output; {stem} is replaced by the name of "
            "each file without folder and extension",
        },
    )
    comparison: str | None = value(
        "write A, B and the error as a heat map: a picture (.png or .jpg) at the time of the "
        "greatest error, a video of the worst clip (.mp4 .webm .gif .webp), or a page that plays "
        "both (.html)",
        "OUT",
        text,
        commands=("diff",),
        name="output",
        short="-o",
    )
    in_place: bool = switch(
        "allow -o to overwrite an input file",
        commands=(*WRITING, "diff"),
        helps={
            "bake": "allow -o to overwrite an input file; without -o, replace FILE once the "
            "result is complete"
        },
    )
    json: bool = switch(
        "print JSON instead of text", commands=("info", "events", "check", "diff", "bench", "bake")
    )
    names: Names | None = choice(
        "print only the names of these objects, one on a line", "WHAT", Names, commands=("info",)
    )
    exact: bool = switch(
        "frame k of a looping video is at k / frame rate, even if the loop is then not seamless",
        commands=("render", "turntable"),
    )
    seconds: float = value(
        "duration of one turn, rounded to whole passes of the clip",
        "S",
        positive,
        commands=("turntable",),
        default=4.0,
    )
    max_texture: int = value(
        "greatest width and height of the textures that a page plays, pixels; default: as in the "
        "file",
        "N",
        whole_number_from(1, 16384),
        commands=("page", "report"),
        default=0,
        defaults={"report": 512},
        helps={"report": "greatest width and height of the textures that the page plays, pixels"},
    )
    no_player: bool = switch(
        "show looping videos in place of a player, for viewers that remove scripts",
        commands=("report",),
    )
    size: int = value(
        "pixels of an edge", "N", whole_number_from(16, 1024), commands=("thumbnail",), default=256
    )
    vertices: bool = switch("add the deformed vertices of all primitives", commands=("pose",))


@record(frozen=True)
class SheetOptions:
    """How the pictures of a contact sheet are arranged."""

    columns: int | None = value(
        "number of columns: phases from start to end (6); with given times, longer rows are "
        "continued below, and shorter ones stand side by side",
        "N",
        whole_number_from(1, MOST_CELLS),
    )
    rows: int | None = value(
        "rows of a page; further ones are on further pages; default: one page",
        "N",
        whole_number_from(1, MOST_CELLS),
    )
    scale: Scale | None = choice(
        "frame each row by itself, or show all rows of the sheet at one scale; default: one scale "
        "for each file",
        "WHICH",
        Scale,
    )


@record(frozen=True)
class CurveOptions:
    """The drawn curves."""

    joint: str = value(
        "the joint, morph target, or pointer such as /nodes/3/weights",
        "NAME",
        text,
        default="",
        names="joints",
        required=("curves",),
    )
    rotation: Rotations = choice(
        "rotations as Euler angles about X, then Y, then Z in degrees, or as quaternions",
        "HOW",
        Rotations,
        default="euler",
    )
    space: Spaces = choice(
        "the stored tracks; the joint in model space, sampled with its parents; or its speed, "
        "acceleration and angular speed there",
        "SPACE",
        Spaces,
        default="local",
    )
    plot_size: tuple[int, int] | None = value(
        "width and height in pixels, or WxH; default: to fit the curves",
        "W,H",
        size,
        name="resolution",
    )


@record(frozen=True)
class KeyOptions:
    """Resampled or reduced keys."""

    mix: str | None = value(
        "add what plays as an animation of this name, and leave the others as they are: the layers "
        "of the motion file, else the clip of --animation with its settings; keys are at --fps, 30 "
        "without it",
        "NAME",
        text,
    )
    fps: float | None = value(
        "resample at this many keys per second, and remove redundant ones only with a tolerance; "
        "default: remove redundant keys",
        "F",
        positive,
    )
    keep_keys: bool = switch("keep all keys")
    quantize_rotations: bool = switch(
        "write rotations as 16-bit integers, half the size; those with tangents and those of clips "
        "that would exceed the tolerance stay as they are"
    )
    cut: str | None = value(
        "a TOML file of clips to cut out of long ones, which they replace: [clips.NAME] with "
        "source and range",
        "FILE",
        text,
    )
    tolerance_mm: float | None = value(
        "largest error of a vertex (6/100000 of the height: 0.1 at 1.7 m)", "MM", positive
    )
    tolerance_deg: float | None = value(
        "largest rotation error of a joint (0.05)", "DEGREES", positive
    )


@record(frozen=True)
class ParallelOptions:
    """Parallel processing of many files."""

    jobs: int | None = value(
        "number of parallel processes; default: the number of CPU cores",
        "N",
        whole_number_from(1, 1024),
        commands=MANY_FILES,
    )
    dask: str | None = value(
        "address of a Dask scheduler (tcp://host:8786) whose workers process the files",
        "ADDRESS",
        text,
        commands=FOLDERS,
    )


@record(frozen=True)
class WindowOptions:
    """The window."""

    strict: bool = switch(
        "exit with an error if a file cannot be read, instead of showing it in the window"
    )
    reuse_window: bool = switch(
        "show the files in the window that is open already, if there is one (Linux)"
    )


@record(frozen=True)
class GeneralOptions:
    """Options of all commands."""

    root: str | None = value(
        "folder that files may be read from; default: the folder of FILE",
        "DIR",
        text,
        commands=(*READING, *TWO_FILES),
    )
    blender: str | None = value(
        "the Blender that reads .blend, .fbx and other formats: a program, its folder, or a Python "
        "with bpy; default: the one that is installed",
        "PATH",
        text,
        commands=CONVERTING,
    )
    convert_timeout: float = value(
        "seconds that Blender may take for a file",
        "S",
        positive,
        commands=CONVERTING,
        default=SECONDS,
    )
    convert: bool = switch(
        "read also files of other formats in folders, through Blender, unless there is a glTF file "
        "of that name beside them",
        commands=(*FOLDERS, *TWO_FILES),
    )
    max_memory: int = value(
        "memory for the textures of a file; if they need more, the largest are halved",
        "SIZE",
        bytes_from_text,
        commands=tuple(dict.fromkeys((*RENDERING, "diff", "bench"))),
        default=1 << 31,
        writer=bytes_text,
    )
    verbose: bool = switch("print more messages, and a traceback on errors", commands=ALL)
    quiet: bool = switch("print no warnings and no progress", commands=ALL)
    config: str | None = value(
        "a TOML file of default options by name, and of limits and severities of the checks; "
        "default: config.toml in the settings folder, if it exists",
        "FILE",
        text,
        commands=ALL,
    )
    no_config: bool = switch("do not read config.toml and rigview.toml", commands=ALL)


@record(frozen=True)
class Options:
    """The options of a command; options that the command does not take have their defaults.

    Attributes
    ----------
    files
        All files of the command, as given.
    given
        Names of the options that were given, by the command line, a configuration file or Python.
    scene
        What is shown, or examined: the characters with their files, camera and look.
    """

    files: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    output: OutputOptions = part(OutputOptions, "output")
    sheet: SheetOptions = part(SheetOptions, "output", commands=("sheet",))
    curves: CurveOptions = part(CurveOptions, "output", commands=("curves",))
    versions: VersionOptions = part(VersionOptions, "thresholds", commands=("diff",))
    thresholds: ThresholdOptions = part(ThresholdOptions, "thresholds")
    findings: FindingOptions = part(FindingOptions, "findings", commands=("check",))
    keys: KeyOptions = part(KeyOptions, "keys", commands=("bake",))
    clips: ClipOptions = part(ClipOptions, "playback")
    times: TimeOptions = part(TimeOptions, "playback")
    scene: SceneDoc = part(SceneDoc, "playback")
    window: WindowOptions = part(WindowOptions, "window", commands=("view",))
    parallel: ParallelOptions = part(ParallelOptions, "parallel processing")
    general: GeneralOptions = part(GeneralOptions, "general")

    @property
    def shown(self) -> Shown:
        """The active character."""
        return self.scene.character

    @property
    def file(self) -> str | None:
        """The file of the active character; None: the bundled one."""
        return self.shown.file

    @property
    def first_clip(self) -> str | None:
        """The clip, or the first of several."""
        return self.clips.animations[0] if self.clips.animations else self.shown.clip

    @property
    def per_file(self) -> "tuple[Options, ...]":
        """These options with each of the characters as the active one, in order."""
        count = len(self.scene.characters)
        return tuple(self.with_scene(active=number) for number in range(1, count + 1))

    def with_scene(self, **values: Any) -> "Options":  # noqa: ANN401 - of the fields
        """Return the options with other fields of `scene`."""
        return replace(self, scene=replace(self.scene, **values))

    def with_shown(self, **values: Any) -> "Options":  # noqa: ANN401 - of the fields
        """Return the options with other fields of the active character."""
        return replace(self, scene=self.scene.with_character(**values))

    def with_clip(self, clip: str) -> "Options":
        """Return the options with a single clip in place of clips and additions (``--at``)."""
        motion = replace(self.shown.motion, at=())
        return replace(self.with_shown(clip=clip, motion=motion), clips=ClipOptions())
