"""The options of a command: one frozen record of records, with a type for every option."""

from dataclasses import field
from typing import TypeVar

from ..fields.record import record
from ..scenedoc.look import Background, Lighting, Look, Overlays, Shading
from .check_options import FindingOptions, ThresholdOptions, VersionOptions
from .motion_options import ClipOptions, MotionOptions, PlaybackOptions, TimeOptions
from .output_options import CurveOptions, KeyOptions, OutputOptions, ParallelOptions
from .picture_options import (
    CameraOptions,
    GeneralOptions,
    PictureOptions,
    WindowOptions,
)
from .several_character_options import SideBySideOptions

R = TypeVar("R")


def _group(title: str, of: type[R]) -> R:
    """Declare a record of options under a title of the help."""
    return field(default=of(), metadata={"title": title, "record": of})


@record(frozen=True)
class Options:
    """The options of a command for one file; options that the command does not take have defaults.

    Attributes
    ----------
    file
        None: the bundled character.
    files
        All files of the command, as given.
    given
        Names of the options that were given, by the command line, a configuration file or Python.
    each_file
        The options for each of several files side by side, in order; this record is the one of
        the active file. Empty for one file.
    own_times
        Whether each of them is shown at its own fixed time.
    crowd_clips
        The clips of a crowd, distributed evenly; empty: `clips.animation`.
    """

    file: str | None = None
    files: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    each_file: tuple["Options", ...] = ()
    own_times: bool = False
    crowd_clips: tuple[str | None, ...] = ()
    output: OutputOptions = _group("output", OutputOptions)
    curves: CurveOptions = _group("output", CurveOptions)
    versions: VersionOptions = _group("thresholds", VersionOptions)
    thresholds: ThresholdOptions = _group("thresholds", ThresholdOptions)
    findings: FindingOptions = _group("findings", FindingOptions)
    keys: KeyOptions = _group("keys", KeyOptions)
    clips: ClipOptions = _group("playback", ClipOptions)
    times: TimeOptions = _group("playback", TimeOptions)
    motion: MotionOptions = _group("playback", MotionOptions)
    playback: PlaybackOptions = _group("playback", PlaybackOptions)
    side_by_side: SideBySideOptions = _group("side by side", SideBySideOptions)
    camera: CameraOptions = _group("camera", CameraOptions)
    picture: PictureOptions = _group("picture", PictureOptions)
    overlays: Overlays = _group("picture", Overlays)
    shading: Shading = _group("picture", Shading)
    lighting: Lighting = _group("picture", Lighting)
    background: Background = _group("picture", Background)
    window: WindowOptions = _group("window", WindowOptions)
    parallel: ParallelOptions = _group("parallel processing", ParallelOptions)
    general: GeneralOptions = _group("general", GeneralOptions)

    @property
    def look(self) -> Look:
        """Overlays, shading, lighting and background."""
        return Look(
            overlays=self.overlays,
            shading=self.shading,
            lighting=self.lighting,
            background=self.background,
        )

    @property
    def per_file(self) -> "tuple[Options, ...]":
        """The options for each file side by side, in order; of one file, this record."""
        return self.each_file or (self,)
