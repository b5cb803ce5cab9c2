"""The options of a command: one frozen record of records, with a type for every option."""

from dataclasses import replace
from typing import Any

from ..conversion.conversion_settings import SECONDS
from ..fields.command_groups import ALL, FOLDERS, MANY_FILES, READING, RENDERING, TWO_FILES
from ..fields.option import part, switch, value
from ..fields.readers import bytes_from_text, bytes_text, positive, text, whole_number_from
from ..fields.record import record
from ..scenedoc.scene_doc import SceneDoc
from ..scenedoc.shown import Shown
from .check_options import FindingOptions, ThresholdOptions, VersionOptions
from .output_options import CurveOptions, OutputOptions, SheetOptions
from .playback_options import ClipOptions, TimeOptions


@record(frozen=True)
class KeyOptions:
    """Resampled or reduced keys."""

    mix: str | None = value(
        ("bake",),
        "add what plays as an animation of this name, and leave the others as they are: the layers "
        "of the motion file, else the clip of --animation with its settings; keys are at --fps, 30 "
        "without it",
        "NAME",
        text,
    )
    fps: float | None = value(
        ("bake",),
        "resample at this many keys per second, and remove redundant ones only with a tolerance; "
        "default: remove redundant keys",
        "F",
        positive,
    )
    keep_keys: bool = switch(("bake",), "keep all keys")
    quantize_rotations: bool = switch(
        ("bake",),
        "write rotations as 16-bit integers, half the size; those with tangents and those of clips "
        "that would exceed the tolerance stay as they are",
    )
    cut: str | None = value(
        ("bake",),
        "a TOML file of clips to cut out of long ones, which they replace: [clips.NAME] with "
        "source and range",
        "FILE",
        text,
    )
    tolerance_mm: float | None = value(
        ("bake",),
        "largest error of a vertex (6/100000 of the height: 0.1 at 1.7 m)",
        "MM",
        positive,
    )
    tolerance_deg: float | None = value(
        ("bake",), "largest rotation error of a joint (0.05)", "DEGREES", positive
    )


@record(frozen=True)
class ParallelOptions:
    """Parallel processing of many files."""

    jobs: int | None = value(
        MANY_FILES,
        "number of parallel processes; default: the number of CPU cores",
        "N",
        whole_number_from(1, 1024),
    )
    dask: str | None = value(
        FOLDERS,
        "address of a Dask scheduler (tcp://host:8786) whose workers process the files",
        "ADDRESS",
        text,
    )


@record(frozen=True)
class WindowOptions:
    """The window."""

    strict: bool = switch(
        ("view",),
        "exit with an error if a file cannot be read, instead of showing it in the window",
    )


@record(frozen=True)
class GeneralOptions:
    """Options of all commands."""

    root: str | None = value(
        (*READING, *TWO_FILES),
        "folder that files may be read from; default: the folder of FILE",
        "DIR",
        text,
    )
    blender: str | None = value(
        ALL,
        "the Blender that reads .blend, .fbx and other formats: a program, its folder, or a Python "
        "with bpy; default: the one that is installed",
        "PATH",
        text,
    )
    convert_timeout: float = value(
        ALL, "seconds that Blender may take for a file", "S", positive, default=SECONDS
    )
    convert: bool = switch(
        (*FOLDERS, *TWO_FILES),
        "read also files of other formats in folders, through Blender, unless there is a glTF file "
        "of that name beside them",
    )
    max_memory: int = value(
        tuple(dict.fromkeys((*RENDERING, "diff", "bench"))),
        "memory for the textures of a file; if they need more, the largest are halved",
        "SIZE",
        bytes_from_text,
        default=1 << 31,
        writer=bytes_text,
    )
    verbose: bool = switch(ALL, "print more messages, and a traceback on errors")
    quiet: bool = switch(ALL, "print no warnings and no progress")
    config: str | None = value(
        ALL,
        "a TOML file of default options by name, and of limits and severities of the checks; "
        "default: config.toml in the settings folder, if it exists",
        "FILE",
        text,
    )
    no_config: bool = switch(ALL, "do not read config.toml and rigview.toml")


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
    sheet: SheetOptions = part(SheetOptions, "output")
    curves: CurveOptions = part(CurveOptions, "output")
    versions: VersionOptions = part(VersionOptions, "thresholds")
    thresholds: ThresholdOptions = part(ThresholdOptions, "thresholds")
    findings: FindingOptions = part(FindingOptions, "findings")
    keys: KeyOptions = part(KeyOptions, "keys")
    clips: ClipOptions = part(ClipOptions, "playback")
    times: TimeOptions = part(TimeOptions, "playback")
    scene: SceneDoc = part(SceneDoc, "playback")
    window: WindowOptions = part(WindowOptions, "window")
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
